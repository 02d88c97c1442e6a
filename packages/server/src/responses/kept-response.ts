import { hash } from 'node:crypto'
import type { Store } from 'minutebook'
import type { NewRecord } from 'minutebook/store'
import type { Metadata } from './metadata.ts'
import type { Terms } from './terms.ts'

/** What is on record of a response beside what was said: from its beginning on, and never changed. */
export interface Begun {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
  readonly metadata: Metadata
  readonly previous: string | null
  readonly conversation: string | null
  /** The entry that is answered, and how many messages the input had. */
  readonly question: string
  readonly inputs: number
}

/** What a thread keeps of a response. Its terms are a record of their own, which those with the same terms share. */
export interface KeptResponse extends Begun {
  readonly terms: string
}

/** What is written with the question of a response. */
export function begunRecords(begun: Begun, terms: Terms): readonly NewRecord[] {
  const key = hash('sha256', JSON.stringify(terms)).slice(0, 32)
  const kept: KeptResponse = { ...begun, terms: key }
  return [
    { name: termsName, key, value: terms },
    { name: responseName, key: begun.id, value: kept },
  ]
}

/** What is written with whatever came of it. `at`: the entry that its receipt hangs off. */
export function endedRecord(id: string, at: string): NewRecord {
  return { name: endedName, key: id, value: at }
}

/** A response that is on record. */
export interface FoundBegun {
  readonly begun: KeptResponse
  readonly terms: Terms
  /** The entry that its receipt hangs off; undefined while there is none. */
  readonly at: string | undefined
}

/** Undefined if there is none. */
export async function findBegun(
  { records }: Pick<Store, 'records'>,
  thread: string,
  id: string,
): Promise<FoundBegun | undefined> {
  const [[kept], [ended]] = await Promise.all([
    records.find({ name: responseName, key: id, thread }),
    records.find({ name: endedName, key: id, thread }),
  ])
  if (!kept) return undefined
  const begun = kept.value as KeptResponse
  const [terms] = await records.find({ name: termsName, key: begun.terms, thread })
  return { begun, terms: (terms?.value ?? {}) as Terms, at: ended && String(ended.value) }
}

/** All responses of a thread. */
export async function responsesIn(
  { records }: Pick<Store, 'records'>,
  thread: string,
): Promise<readonly KeptResponse[]> {
  return (await records.find({ name: responseName, thread })).map(({ value }) => value as KeptResponse)
}

/** The records of a response. `isLast`: whether no other one has its terms. */
export function recordsOf(
  { id, terms }: KeptResponse,
  isLast: boolean,
): readonly { readonly name: string; readonly key: string }[] {
  return [
    ...[responseName, endedName, workingName].map((name) => ({ name, key: id })),
    ...(isLast ? [{ name: termsName, key: terms }] : []),
  ]
}

export const responseName = 'response'
export const termsName = 'terms'
export const endedName = 'ended'
/** Signs of life while the model is at work. */
export const workingName = 'working'
