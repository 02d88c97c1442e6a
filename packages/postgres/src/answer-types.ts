/**
 * What our statements answer: whole numbers, truth, bytes (ids and checksums, as hex), and else texts. Our own, because
 * a program may have taught the driver others. By Postgres's own numbers for its types.
 */
export function answerParser(type: number): (text: string) => unknown {
  return parsers.get(type) ?? asText
}

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [17, (text) => text.slice(2)],
  [23, Number],
])

const asText = (text: string): string => text
