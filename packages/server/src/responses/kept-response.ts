import { hash } from 'node:crypto'
import { entryOf, type Store, type StoredEntry } from 'minutebook'
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

/**
 * Puts the beginning of a response on record, in its thread: a `pending` entry that waits for nothing, so it is off the chain,
 * and never prompted, shown or searched for, and found by its key. The terms are an entry of their own: the same again is no
 * second one, and is not sent again: Postgres would log an error for it.
 */
export async function recordBegun(store: Store, thread: string, begun: Begun, terms: Terms): Promise<void> {
  const text = JSON.stringify(terms)
  const key = hash('sha256', text).slice(0, 32)
  const time = new Date(begun.created * 1000).toISOString()
  const known = await store.read(thread, { key: termsKey(key), last: 1 })
  const fresh = known.length > 0 ? [] : [ours(text, { key: termsKey(key) })]
  await store.append(thread, [...fresh, ours(JSON.stringify({ ...begun, terms: key }), { key: begunKey(begun.id), time })])
}

/** Undefined where there is none. */
export async function findBegun(store: Store, thread: string, id: string): Promise<{ readonly begun: Begun; readonly terms: Terms; readonly entry: StoredEntry } | undefined> {
  const entry = (await store.read(thread, { key: begunKey(id), last: 1 }))[0]
  if (!entry) return undefined
  const { terms: key, ...begun } = JSON.parse(entry.text) as Begun & { readonly terms: string }
  const [terms] = await store.read(thread, { key: termsKey(key), last: 1 })
  return { begun, entry, terms: terms ? (JSON.parse(terms.text) as Terms) : {} }
}

function ours(content: string, facts: { readonly key: string; readonly time?: string }): ReturnType<typeof entryOf> {
  return entryOf({ role: 'user', content }, undefined, { kind: 'pending', origin: 'engine', status: 'cancelled', ...facts })
}

/** What a response is kept as, where an entry says that: its beginning, and what is the same for several. */
export function keptIn({ kind, status, key, text }: StoredEntry): (Begun & { readonly terms: string }) | undefined {
  const isBegun = kind === 'pending' && status !== 'erased' && key?.startsWith(begunKey(''))
  return isBegun ? (JSON.parse(text) as Begun & { readonly terms: string }) : undefined
}

/** Another than the question's: one is erased without the other. */
function begunKey(id: string): string {
  return `minutebook:response:${id}`
}

export function termsKey(hashed: string): string {
  return `minutebook:terms:${hashed}`
}
