import {
  imagesIn,
  isUnchanged,
  sentAs,
  traits,
  withoutImages,
  workLeftErased,
  type PruneResult,
  type StoredThread,
} from 'minutebook/store'
import type { Tables } from './append.ts'
import type { NumberedLine } from './line.ts'
import type { ThreadRow } from './threads.ts'

/**
 * Makes tombstones, to be run in a transaction. Yields between the entries. Returns the ids of the new ones, and how
 * many images went.
 */
export function* erase(
  tables: Tables,
  { number: thread, unfinished }: ThreadRow,
  ids: readonly string[] | undefined,
): Generator<void, { readonly erased: string[]; readonly images: number }, void> {
  const { threads, lines, images, index } = tables
  const erased: string[] = []
  let removed = 0
  for (const line of ids === undefined ? lines.all(thread) : chosen(tables, thread, ids)) {
    const entry = withoutImages(line)
    if (entry.status === 'erased') continue
    lines.bury(line.number, entry)
    index.remove(line.number)
    removed += images.release(thread, line.seq, imagesIn(line.payload))
    erased.push(entry.id)
    yield
  }
  if (ids === undefined) removed += images.removeUnheld(thread)
  if (erased.length > 0) threads.countErasure(thread, ids ? workLeftErased : unfinished)
  return { erased, images: removed }
}

/** The entries, what was sent under the same keys, and what was derived from either: in order of the log. */
function chosen({ lines }: Tables, thread: number, ids: readonly string[]): NumberedLine[] {
  const named = ids.map((id) => lines.find(thread, id)).filter((line) => line !== undefined)
  const keys = new Set(named.map((line) => sentAs(withoutImages(line))).filter((key) => key !== undefined))
  const sent = [...named, ...[...keys].flatMap((key) => lines.withKey(thread, key))]
  const derived = sent
    .flatMap(({ seq }) => lines.hanging(thread, seq))
    .filter((line) => traits[withoutImages(line).kind].derived)
  const bySeq = new Map([...sent, ...derived].map((line) => [line.seq, line]))
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq)
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
