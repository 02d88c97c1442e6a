import {
  erasedWith,
  imagesIn,
  isUnchanged,
  recordsErasedWith,
  clientKeyOf,
  traits,
  withoutImages,
  workLeftErased,
  type PruneResult,
  type StoredEntry,
  type StoredThread,
} from 'minutebook/store'
import type { Tables } from './append.ts'
import type { NumberedLine } from './line.ts'
import type { Lines } from './lines.ts'
import type { ThreadRow } from './threads.ts'

/** What an erasure turned into tombstones, and which records repeat it. */
export interface Tombstones {
  readonly erased: readonly string[]
  readonly images: number
  /** Empty if the whole thread was erased: then all of its records go. */
  readonly repeated: ReturnType<typeof recordsErasedWith>
}

/**
 * Makes tombstones, to be run in a transaction. Yields between the entries. Returns the ids of the new ones, and how
 * many images went.
 */
export function* erase(
  tables: Tables,
  { number: thread, unfinished }: ThreadRow,
  ids: readonly string[] | undefined,
): Generator<void, Tombstones, void> {
  const { threads, lines, images, index } = tables
  const erased: string[] = []
  const said: StoredEntry[] = []
  let removed = 0
  for (const line of ids === undefined ? lines.all(thread) : chosen(tables, thread, ids)) {
    const entry = withoutImages(line)
    if (entry.status === 'erased') continue
    if (ids !== undefined) said.push(entry)
    lines.bury(line.number, entry)
    index.remove(line.number)
    removed += images.release(thread, line.seq, imagesIn(line.payload))
    erased.push(entry.id)
    yield
  }
  if (ids === undefined) removed += images.removeUnheld(thread)
  if (erased.length > 0) threads.countErasure(thread, ids ? workLeftErased : unfinished)
  return { erased, images: removed, repeated: recordsErasedWith(said) }
}

/** The lines of the entries that go with these, in order of the log. Reads only those that may be among them. */
function chosen({ lines }: Tables, thread: number, ids: readonly string[]): readonly NumberedLine[] {
  const named = ids.map((id) => lines.find(thread, id)).filter((line) => line !== undefined)
  const keys = new Set(named.map((line) => clientKeyOf(withoutImages(line))).filter((key) => key !== undefined))
  const sent = [...named, ...[...keys].flatMap((key) => lines.withKey(thread, key))]
  const entries = sent.map(withoutImages)
  // Feedback of the same writer hangs off the same entry.
  const rated = entries.flatMap(({ kind, parent }) =>
    kind === 'feedback' && parent !== null ? (lines.seqOf(thread, parent) ?? []) : [],
  )
  const hanging = [...sent.map(({ seq }) => seq), ...rated].flatMap((seq) => lines.hanging(thread, seq))
  const called = entries.filter(({ calls }) => calls.length > 0).map(({ seq }) => seq)
  const later = called.length > 0 ? restOfTurns(lines, thread, called) : []
  const bySeq = new Map([...sent, ...hanging, ...later].map((line) => [line.seq, line]))
  const near = [...bySeq.values()].toSorted((one, other) => one.seq - other.seq)
  return erasedWith(near.map(withoutImages), ids).map(({ seq }) => bySeq.get(seq)!)
}

/** What follows these entries up to the next question, on each branch: the journals of their turns are among it. */
function restOfTurns(lines: Lines, thread: number, from: readonly number[]): readonly NumberedLine[] {
  const turn = new Set(from)
  const found: NumberedLine[] = []
  for (const { seq, parent } of lines.after(thread, Math.min(...from))) {
    if (parent === null || !turn.has(parent)) continue
    const line = lines.at(thread, seq)
    const { opensExchange, chained } = traits[withoutImages(line).kind]
    if (opensExchange) continue
    if (chained) turn.add(seq)
    found.push(line)
  }
  return found
}

/**
 * Removes all entries of a thread and their images, to be run in a transaction. Yields between the entries. Returns how
 * many went.
 */
export function* removeEntries(
  { threads, lines, images, index }: Tables,
  thread: number,
): Generator<void, { readonly entries: number; readonly images: number }, void> {
  let entries = 0
  let removed = 0
  for (const line of lines.all(thread)) {
    removed += images.release(thread, line.seq, imagesIn(line.payload))
    lines.remove(line.number)
    index.remove(line.number)
    entries++
    yield
  }
  removed += images.removeUnheld(thread)
  index.stepBack()
  threads.reset(thread)
  return { entries, images: removed }
}

/**
 * Removes those of these threads that are as they were listed, to be run in a transaction. Yields between the entries.
 * `forgetMade`: removes what was made from a thread's entries, and returns the number of snapshots.
 */
export function* prune(
  tables: Tables,
  listed: readonly StoredThread[],
  forgetMade: (thread: number) => number,
): Generator<void, Omit<PruneResult, 'remains'>, void> {
  const threads: string[] = []
  const sum = { entries: 0, images: 0, snapshots: 0, records: 0 }
  for (const { thread, ...standing } of listed) {
    const row = tables.threads.find(thread)
    if (!row || !isUnchanged(standing, row)) continue
    const { entries, images } = yield* removeEntries(tables, row.number)
    threads.push(thread)
    sum.entries += entries
    sum.images += images
    sum.snapshots += forgetMade(row.number)
    sum.records += tables.records.erase(thread, undefined, {})
  }
  return { threads, ...sum }
}
