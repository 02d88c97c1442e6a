import type { CustomTypesConfig } from 'pg'

/**
 * What our statements answer: whole numbers, truth, bytes (ids and checksums, as hex), and else texts. Our own, because
 * a program may have taught the driver others.
 */
export const answerTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number) => parsers.get(oid) ?? asText) as CustomTypesConfig['getTypeParser'],
}

const asText = (text: string): string => text

/** By Postgres's own numbers for its types. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [17, (text) => text.slice(2)],
  [23, Number],
])
