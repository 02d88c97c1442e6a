import type { Store } from 'minutebook'
import type { NewRecord } from 'minutebook/store'
import { hash as digest } from 'node:crypto'
import { digestAt, lineHash, type Fingerprints } from './fingerprint.ts'

/**
 * Which threads have a line of conversation, by its hash. Each line is a record of its thread, so it is written
 * together with the entry that ends it, and erased with the thread.
 */
export interface Place {
  readonly store: Store
  /** The name of the API key; empty without keys. Nothing of another owner is found. */
  readonly owner: string
}

/** The record of a line under a hash, in the line's thread. */
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
 * Returns whether a thread is internal, such as the log of a run: it cannot be listed, opened or written to by name.
 */
export function isReserved(thread: string): boolean {
  return thread.startsWith(reserved)
}

/** At most this many lines under one hash are compared; whole lines are told apart by the messages around them. */
const mostLines = 32
const reserved = 'minutebook:'

/** Lines are looked up by owner and hash, across threads. */
function nameOf(owner: string, hash: string): string {
  return `line ${hash.slice(0, 32)} ${owner}`
}

/** What the directory keeps of a line of conversation, under the hash of its newest two messages. */
export interface Line {
  readonly thread: string
  /** Which model answered. */
  readonly model: string
  /** The hash of the whole line; empty if its beginning was not seen. */
  readonly whole: string
  /** Short digests of the messages before its newest two, as far as they were seen, the newest last. */
  readonly before: readonly string[]
  /** True if the client named the thread: then only its name finds it. */
  readonly isNamed: boolean
}

/** The line that ends with the message at a place of a chain. */
export function lineAt(
  chain: Fingerprints,
  at: number,
  { thread, model, isWhole, isNamed }: Pick<Line, 'thread' | 'model' | 'isNamed'> & { readonly isWhole: boolean },
): Line {
  return {
    thread,
    model,
    isNamed,
    whole: isWhole ? brief(lineHash(chain, at), wholeLength) : '',
    before: placesBefore(at - 1).map((place) => brief(digestAt(chain, place))),
  }
}

/** Returns whether all messages up to a place are exactly this line. */
export function isLine(line: Line, chain: Fingerprints, at: number): boolean {
  return line.whole !== '' && line.whole === brief(lineHash(chain, at), wholeLength)
}

/**
 * Returns whether the messages up to a place are the end of this line, which has the same newest two. False if the line
 * was not seen that far back.
 */
export function isEndOf(line: Line, chain: Fingerprints, at: number): boolean {
  for (let back = 1; back <= seen; back++) {
    const place = at - 1 - back
    if (place < 0) return at > 0
    if (brief(digestAt(chain, place)) !== line.before.at(-back)) return false
  }
  return true
}

/** How many messages before its newest two a line records. */
const seen = 14
const briefLength = 6
const wholeLength = 24

function placesBefore(at: number): readonly number[] {
  return Array.from({ length: Math.min(seen, Math.max(0, at)) }, (_, back) => at - 1 - back).toReversed()
}

function brief(digest: string, length: number = briefLength): string {
  return digest.slice(0, length)
}

/** A line of a thread as one short text, and back. */
function lineText({ model, whole, before, isNamed }: Line): string {
  return JSON.stringify([model, whole, before.join(''), ...(isNamed ? [true] : [])])
}

function lineFrom(thread: string, text: string): Line {
  const [model, whole, before, isNamed = false] = JSON.parse(text) as [string, string, string, true?]
  const count = before.length / briefLength
  return {
    thread,
    model,
    whole,
    isNamed,
    before: Array.from({ length: count }, (_, index) => before.slice(index * briefLength, (index + 1) * briefLength)),
  }
}
