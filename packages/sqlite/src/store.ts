import { basename } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import { MinutebookError, type Store } from 'minutebook'
import {
  erasureRemains,
  mostFound,
  removalRemains,
  searchResult,
  searchText,
  unknownEntry,
  withoutImages,
  type SearchResult,
  type Range,
  type StoredEntry,
} from 'minutebook/store'
import { append } from './append.ts'
import { emptyLog } from './commits.ts'
import { erase, prune, removeEntries } from './erase.ts'
import { failureOf } from './failure.ts'
import { createFigureTable } from './figures.ts'
import { createImageTable, hasLongImage } from './images.ts'
import { unplacedLines, wholeEntries, type UnplacedLine } from './line.ts'
import { createLines } from './lines.ts'
import { createListing } from './listing.ts'
import { openReader, openWriter } from './open.ts'
import { changedBy, createRecordTable, noThread, recordsOf } from './records.ts'
import { createSegmentTable, segmentsOf } from './segments.ts'
import { bounded, createSnapshotTable, createThreads } from './threads.ts'
import { createLongTransaction, createReading, createTransaction, type LongTransaction } from './transaction.ts'
import { createWordIndex } from './word-index.ts'

/** How the file is opened. */
export interface SqliteOptions {
  /**
   * Milliseconds to wait for a file that another process is about to close. Default: 0. Nothing else runs meanwhile.
   */
  readonly wait?: number | undefined
  /**
   * Reads a file next to the process that writes to it. Nothing is written to the file: methods that write throw
   * `read_only`, and neither snapshots nor segments are saved. Default: false, which opens the file as its only writer.
   */
  readonly readOnly?: boolean | undefined
}

/** A store in one file. One process writes to it; others can read it. */
export interface SqliteStore extends Store, Disposable {
  /** Lets go of the file. Every later call is an error. */
  close(): void
}

/**
 * Keeps logs in an SQLite file, which is created if it does not exist; `':memory:'` keeps them for the life of the
 * process. What is acknowledged is on the disk. Throws if the file cannot be used, with what to do about it.
 *
 * @example
 * const store = sqliteStore('conversations.db')
 */
export function sqliteStore(path: string, options: SqliteOptions = {}): SqliteStore {
  if (typeof path !== 'string' || path === '')
    throw new MinutebookError('store_unreachable', 'The path is not a text.', `Pass the path of a file, or ':memory:'.`)
  const file = basename(path)
  const { wait = 0, readOnly = false } = options
  const opened = readOnly ? openReader(path, file) : openWriter(path, file, wait)
  const { database, commits } = opened
  const readOnlyError = (): never => {
    throw new MinutebookError(
      'read_only',
      `"${file}" is open for reading only.`,
      'Write with the process that has it open as its writer, or open it without readOnly.',
      { file },
    )
  }
  const transaction = readOnly ? readOnlyError : createTransaction(database, (thread) => commits.add(thread))
  const longTransaction = readOnly ? readOnlyError : createLongTransaction(database, (thread) => commits.add(thread))
  const atOnce = createReading(database)
  const threads = createThreads(database)
  const lines = createLines(database)
  const listThreads = createListing(database)
  const images = createImageTable(database)
  const index = createWordIndex(database)
  const snapshots = createSnapshotTable(database)
  const segments = createSegmentTable(database)
  /** Removes what was made from a thread's entries. Returns the number of snapshots. */
  const forgetMade = (thread: number): number => {
    segments.forget(thread)
    return snapshots.forget(thread)
  }
  const records = createRecordTable(database)
  const figures = createFigureTable(database)
  const tables = { threads, lines, images, index, records, figures }
  const copies =
    path === ':memory:'
      ? []
      : [`Copies and backups of "${file}" that were made before: erase there too, or delete them.`]

  const wordsRemain = `"${file}" and "${file}-wal": their words and bytes are overwritten in the background.`
  const logRemains = `"${file}-wal": close the store and all that read it, which empties it.`

  /** A running long transaction: all calls wait for its end, also after their own waits. */
  let long: Promise<void> | undefined
  const whenFree = async <T>(work: () => T | Promise<T>): Promise<T> => {
    while (long) await long
    if (!database.isOpen) throw closedError()
    return work()
  }
  const closedError = (): MinutebookError =>
    new MinutebookError('store_closed', `"${file}" was closed.`, 'Open it again with sqliteStore().', { file })
  const inLong: LongTransaction = (work, thread) =>
    whenFree(async () => {
      let end: () => void = () => undefined
      long = new Promise((resolve) => void (end = resolve))
      try {
        return await longTransaction(work, thread)
      } catch (error) {
        throw database.isOpen ? error : closedError()
      } finally {
        long = undefined
        end()
      }
    })
  /**
   * Every call goes through here: it waits for a long transaction, nothing gets out that is not on the disk, and no
   * error of SQLite's as it is. `about`: the thread, or those, that the result tells something of. Default: all.
   */
  const answer = async <T>(
    work: () => T | Promise<T>,
    about?: string | ((result: T) => readonly string[]),
  ): Promise<T> => {
    try {
      const result = await whenFree(work)
      const waiting = commits.onDisk(typeof about === 'string' ? [about] : about?.(result))
      if (waiting) await waiting
      return result
    } catch (error) {
      throw failureOf(error, file)
    }
  }
  const close = (): void => opened.close()

  /**
   * Runs this a little at a time, with pauses for others, until it returns false. Calls at the same time wait for the
   * same end.
   */
  const inBackground = (step: () => boolean): (() => Promise<void>) => {
    let running: Promise<void> | undefined
    const work = async (): Promise<void> => {
      while (await whenFree(() => transaction(step, noThread) || ((running = undefined), false))) await others()
    }
    const stop = (error: unknown): never => {
      running = undefined
      throw error
    }
    return () => (running ??= Promise.resolve().then(work).catch(stop))
  }
  /** The index takes in what it does not have yet. */
  const catchUp = inBackground(() => index.update())
  /** Nothing of what was erased is left in the index. */
  const removeTraces = inBackground(() => index.rewrite())
  // The process that erased may have ended in the middle of it.
  if (!readOnly && index.hasTraces())
    void removeTraces()
      .then(() => whenFree(() => emptyLog(database)))
      .catch(() => undefined)

  /** Removes the traces of what was erased. Returns where its bytes may remain. */
  const bytesRemain = async (): Promise<readonly string[]> => {
    await removeTraces()
    return [...copies, ...((await whenFree(() => emptyLog(database))) ? [] : [logRemains])]
  }

  /** Writes long images a piece at a time, before the entries that hold them. */
  const writeAhead = async (thread: string, lines: readonly UnplacedLine[]): Promise<void> => {
    const { number } = await whenFree(() => transaction(() => threads.open(thread), thread))
    for (const line of lines) {
      for (const write of images.ahead(number, line.images)) {
        await whenFree(() => transaction(write, thread))
        await others()
      }
    }
  }

  const read = async (thread: string, range: Range): Promise<StoredEntry[]> => {
    const [row, found] = atOnce(() => {
      const row = threads.find(thread)
      if (!row && range.head !== undefined && range.key === undefined && range.id === undefined)
        throw unknownEntry(range.head)
      return [row, row ? lines.read(row.number, range) : []]
    })
    if (!row) return []
    try {
      return await wholeEntries(found, images.finder(row.number))
    } catch (error) {
      return whenFree(() => {
        // Something was erased in the middle of it, perhaps an image that was to be put back.
        if (threads.find(thread)?.erasures === row.erasures) throw error
        return read(thread, range)
      })
    }
  }

  const foundIn = (numbers: readonly number[], thread: string | undefined): SearchResult[] => {
    const found: SearchResult[] = []
    let characters = 0
    for (const number of numbers) {
      const line = lines.byNumber(number)
      const entry = withoutImages(line)
      const text = searchText(entry)
      characters += text.length
      if (characters > mostFound) break
      found.push(searchResult(thread ?? threads.nameOf(line.thread), entry, text))
    }
    return found
  }

  return {
    append: (thread, entries, terms = {}) =>
      answer(async () => {
        const unplaced = await unplacedLines(entries)
        const hasLong = unplaced.some((line) => hasLongImage(line.images))
        if (hasLong) await writeAhead(thread, unplaced)
        const appended = await inLong(() => append(tables, thread, unplaced, terms), changedBy(thread, terms.records))
        if (appended.ok) terms.placed?.(appended.entries)
        if (hasLong && !appended.ok)
          await whenFree(() => transaction(() => images.removeUnheld(threads.open(thread).number), thread))
        // What was written is written, whatever happens to the index.
        if (!long && database.isOpen && index.isBehind(entries.length)) void catchUp().catch(() => undefined)
        return appended
      }, thread),
    read: (thread, range = {}) => answer(() => read(thread, range), thread),
    standing: (thread) => answer(() => threads.standing(thread), thread),
    claim: (thread) => answer(() => transaction(() => threads.claim(thread), thread), thread),
    list: (page) => answer(() => listThreads(page)),
    search: (query, { thread, limit = 20 } = {}) =>
      answer(async () => {
        const row = thread === undefined ? undefined : threads.find(thread)
        if (thread !== undefined && !row) return []
        if (readOnly) return atOnce(() => foundIn(index.findAll(query, row?.number, bounded(limit)), thread))
        await catchUp()
        return whenFree(() => atOnce(() => foundIn(index.find(query, row?.number, bounded(limit)), thread)))
      }),
    erase: (thread, ids, options = {}) =>
      answer(async () => {
        const erased = await inLong(function* () {
          const row = threads.find(thread)
          const { repeated, ...gone } = row
            ? { ...(yield* erase(tables, row, ids)), snapshots: forgetMade(row.number) }
            : { erased: [], images: 0, snapshots: 0, repeated: [] }
          const { keep, records: named = [] } = options
          return { ...gone, records: records.erase(thread, ids, { keep, records: [...named, ...repeated] }) }
        })
        return { thread, ...erased, remains: [...erasureRemains, ...(await bytesRemain())] }
      }),
    remove: (thread) =>
      answer(async () => {
        const removed = await inLong(function* () {
          const row = threads.find(thread)
          const gone = row
            ? { ...(yield* removeEntries(tables, row.number)), snapshots: forgetMade(row.number) }
            : { entries: 0, images: 0, snapshots: 0 }
          return { ...gone, records: records.erase(thread, undefined, {}) }
        })
        return { thread, ...removed, remains: [...removalRemains, ...(await bytesRemain())] }
      }),
    prune: (threads) =>
      answer(async () => {
        const removed = await inLong(() => prune(tables, threads, forgetMade))
        if (removed.threads.length > 0) void bytesRemain().catch(() => undefined)
        return {
          ...removed,
          remains: [...removalRemains, ...copies, ...(path === ':memory:' ? [] : [wordsRemain])],
        }
      }),
    snapshots: {
      save: (thread, name, snapshot, { erasures, only = false } = {}) =>
        answer(() => {
          if (readOnly) return
          transaction(() => {
            const row = threads.open(thread)
            if (erasures === undefined || erasures === row.erasures) snapshots.save(row.number, name, snapshot, only)
          }, thread)
        }, thread),
      load: (thread, name, to = Infinity) =>
        answer(() => {
          const row = threads.find(thread)
          return row && snapshots.load(row.number, name, to)
        }, thread),
    },
    segments: segmentsOf(segments, threads, answer, atOnce, readOnly ? undefined : transaction),
    records: recordsOf(records, answer, transaction),
    figures: (query = {}) => answer(() => figures.read(query)),
    close,
    [Symbol.dispose]: close,
  }
}
