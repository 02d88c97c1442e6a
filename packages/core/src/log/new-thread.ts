import { turnEndKinds } from './log.ts'
import type { Entry, NewEntry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { traits } from './kind.ts'
import { checkMetadata } from './metadata.ts'
import type { NewRecord, Store, StoredEntry } from './store.ts'
import { entryOfLine, lineOf, lineOfRecord, notImportableError, recordOfLine } from './stored-entry.ts'
import { itemWork, type Pause } from './time.ts'
import { recordNames } from './record-names.ts'

/** What a new thread begins with. */
export interface ThreadDraft {
  readonly entries: readonly NewEntry[]
  readonly records?: readonly NewRecord[]
}

/** Creates a thread with these entries. Throws `thread_exists` if the thread already has others. */
export async function createThread(
  store: Store,
  thread: string,
  { entries, records = [] }: ThreadDraft,
  fix: string,
): Promise<void> {
  const pairs = records.filter(({ name }) => name === recordNames.metadata)
  checkMetadata(Object.fromEntries(pairs.map(({ key = '', value }) => [key, value])))
  const { length } = await store.standing(thread)
  if (length > 0 && !(await isBegunSo(store, thread, entries))) throw threadExistsError(fix)
  // A thread that has records but no entries exists, too.
  const appended = await store.append(thread, entries, {
    head: null,
    records: length > 0 ? records : records.map((record) => ({ ...record, expected: 0 })),
  })
  if (!appended.ok || appended.standing.length !== entries.length) throw threadExistsError(fix)
}

/** True if the thread has exactly these entries: then this is a retry of a write that was not acknowledged. */
async function isBegunSo(store: Store, thread: string, entries: readonly NewEntry[]): Promise<boolean> {
  const log = await store.read(thread)
  return log.length === entries.length && log.every(({ id }, index) => id === entries[index]?.id)
}

export function threadExistsError(fix: string): MinutebookError {
  return new MinutebookError('thread_exists', 'A thread of this name already exists.', fix)
}

/**
 * The entries with which a fork of this branch begins, in the order in which they were written. Waiting messages are
 * left out, and so are receipts and stops of turns on other branches: a fork starts at the end of its branch.
 */
export function forked(branch: readonly StoredEntry[]): StoredEntry[] {
  let after = Infinity
  const kept = branch.toReversed().filter(({ kind, seq }) => {
    if (traits[kind].chained) after = seq
    return kind !== 'pending' && !(turnEndKinds.has(kind) && seq > after)
  })
  return kept.toSorted((left, right) => left.seq - right.seq)
}

/** The record of a thread whose first entries come from a file. */
export function restoredRecord(entries: number): NewRecord {
  return { name: recordNames.restored, value: { entries } }
}

/** How many entries of a thread come from a file. */
export async function restoredIn(store: Store, thread: string): Promise<number> {
  const [found] = await store.records.find({ name: recordNames.restored, thread })
  return found ? (found.value as { readonly entries: number }).entries : 0
}

/** Names of the records that a fork gets a copy of, and that are exported with a thread and imported again. */
export const exported: readonly string[] = [recordNames.setup, recordNames.metadata]

/** The setup and the metadata of a thread, as records for a new thread. */
export async function recordsOf(store: Store, thread: string): Promise<readonly NewRecord[]> {
  const found = await Promise.all(exported.map((name) => store.records.find({ name, thread })))
  return found.flat().map(({ name, key, value }) => ({ name, key, value }))
}

/** A thread as lines of JSON, for `book.restore`: its entries a page at a time, then its records of these names. */
export async function* exportLines(
  store: Store,
  thread: string,
  names: readonly string[],
  pause: Pause,
): AsyncGenerator<string, void, undefined> {
  const page = 64
  for (let from = 0; ; from += page) {
    const entries = await store.read(thread, { from, to: from + page })
    for (const entry of entries) {
      const line = lineOf(entry)
      yield line
      await pause(itemWork + line.length)
    }
    if (entries.length < page) break
  }
  for (const name of names)
    for (const record of (await store.records.find({ name, thread })).toReversed()) yield lineOfRecord(record)
}

/** Reads such lines, with the records of these names. */
export async function draftIn(
  lines: AsyncIterable<string> | Iterable<string>,
  names: readonly string[],
  pause: Pause,
): Promise<{ readonly entries: readonly Entry[]; readonly records: readonly NewRecord[] }> {
  if (typeof lines === 'string')
    throw new MinutebookError(
      'invalid_lines',
      'Expected a list of lines, got one string.',
      "Pass its lines, such as text.split('\\n').",
    )
  const entries: Entry[] = []
  const records: NewRecord[] = []
  const ids = new Set<string>()
  for await (const line of lines) {
    if (line === '') continue
    const record = recordOfLine(line, entries.length + records.length, names)
    if (record) records.push(record)
    else {
      const entry = entryOfLine(line, entries.length)
      // A store would drop it, and the thread would not be what was checked here.
      if (ids.has(entry.id)) throw notImportableError(entries.length, 'it repeats an earlier line')
      ids.add(entry.id)
      entries.push(entry)
    }
    await pause(itemWork + 3 * line.length)
  }
  return { entries, records }
}
