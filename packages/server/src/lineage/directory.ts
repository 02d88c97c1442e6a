import { hash as digest } from 'node:crypto'
import type { Store } from 'minutebook'
import type { NewRecord } from 'minutebook/store'
import { lineFrom, lineText, type Line } from './line.ts'

/**
 * Which threads have a line of conversation, by its hash. Each line is a record of the thread that it is of, so it is
 * written together with the entry that ends it, and erased with the thread.
 */
export interface Place {
  readonly store: Store
  /** The name of the API key; empty without keys. Nothing of another owner is found. */
  readonly owner: string
}

/** The record of a line under a hash: one of the line's thread. */
export function lineRecord({ owner }: Pick<Place, 'owner'>, hash: string, line: Line, time?: string): NewRecord {
  const text = lineText(line)
  // A thread may have several lines with the same end.
  return {
    name: nameOf(owner, hash),
    key: digest('sha256', text).slice(0, 16),
    value: { line: text, ...(time !== undefined && { time }) },
  }
}

/** The lines under a hash, the newest first. */
export async function linesUnder(
  { store, owner }: Place,
  hash: string,
): Promise<(Line & { readonly time: string | undefined })[]> {
  const found = await store.records.find({ name: nameOf(owner, hash), limit: mostLines })
  return found.map(({ thread, value }) => {
    const { line, time } = value as { readonly line: string; readonly time?: string }
    return { ...lineFrom(thread ?? '', line), time }
  })
}

/**
 * Whether a thread is one of those that we keep for ourselves, the logs of runs: not to be listed, opened or written to
 * by name.
 */
export function isReserved(thread: string): boolean {
  return thread.startsWith(reserved)
}

/** More under one hash are not looked at: whole lines are told apart by what was said around them. */
const mostLines = 32
const reserved = 'minutebook:'

/** Lines are looked up by owner and hash, whatever thread they are of. */
function nameOf(owner: string, hash: string): string {
  return `line ${hash.slice(0, 32)} ${owner}`
}
