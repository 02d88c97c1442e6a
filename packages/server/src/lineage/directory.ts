import { entryOf, type Store } from 'minutebook'
import { lineFrom, lineText, type Line } from './line.ts'

/**
 * Which threads have a line of conversation, by its hash. Kept in the same store as the threads, as entries with keys,
 * in 256 threads for each owner: there is no table more, and no row that all write to.
 *
 * They are `pending` entries: off the chain, never prompted, shown or searched for, and the only such kind that a store
 * finds by its key. Their status says that they wait for nothing. One that is there already stays as it is.
 */
export interface Place {
  readonly store: Store
  /** The name of the API key; empty without keys. Nothing of another owner is found. */
  readonly owner: string
}

/** Puts a line on record under a hash. */
export async function record({ store, owner }: Place, hash: string, line: Line, time?: string): Promise<void> {
  const facts = { kind: 'pending', origin: 'engine', status: 'cancelled', key: keyOf(hash), ...(time !== undefined && { time }) } as const
  await store.append(shardOf(owner, hash), [entryOf({ role: 'user', content: lineText(line) }, undefined, facts)])
}

/** The lines under a hash, the newest first. */
export async function linesUnder({ store, owner }: Place, hash: string): Promise<(Line & { readonly time: string | undefined })[]> {
  const found = await store.read(shardOf(owner, hash), { key: keyOf(hash), last: mostLines })
  return found.reverse().map(({ text, time }) => ({ ...lineFrom(text), time }))
}

/** Whether a thread is one of those that we keep for ourselves: not to be listed, opened or written to by name. */
export function isReserved(thread: string): boolean {
  return thread.startsWith(reserved)
}

/** More under one hash are not looked at: whole lines are told apart by what was said around them. */
const mostLines = 32
const reserved = 'minutebook:'

function shardOf(owner: string, hash: string): string {
  return `${reserved}lines:${owner}:${hash.slice(0, 2)}`
}

function keyOf(hash: string): string {
  return hash.slice(0, 32)
}
