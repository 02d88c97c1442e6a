import { closeSync, fdatasync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { diskError } from './failure.ts'

/**
 * Which commits are on the disk? A commit only writes to the write-ahead log. To put that on the disk takes as long as
 * everything else together, so another thread does it, for all commits since the last time at once. No call returns
 * what it wrote or read before that is done.
 */
export interface Commits {
  /** Counts a commit, and begins to put it on the disk. `thread`: the only one that it changed. Default: it may be any. */
  add(thread?: string): void
  /**
   * Resolves when all commits that changed these threads are on the disk. Undefined if they are. Default: all commits.
   * Rejects with `store_failed` if the disk fails.
   */
  onDisk(threads?: readonly string[]): Promise<void> | undefined
  /** Call it after the file is closed. */
  close(): void
}

/** Puts what was written to the write-ahead log on the disk. */
export interface LogFile {
  sync(): Promise<void>
  close(): void
}

/** The write-ahead log of an open file. A reader needs no right to write to it. */
export function openLog(path: string, { readOnly }: { readonly readOnly: boolean }): LogFile {
  let descriptor: number | undefined
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        descriptor ??= openSync(`${path}-wal`, readOnly ? 'r' : 'r+')
        fdatasync(descriptor, (error) => (error ? reject(error) : resolve()))
      }),
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

/** The commits of the process that writes to the file. */
export function createCommits(database: DatabaseSync, file: string, log: LogFile): Commits {
  /** The numbers of the newest commit, of the newest that may have changed any thread, and of the newest on the disk. */
  let [newest, newestOfAll, synced] = [0, 0, 0]
  /** The number of the newest commit of each thread, if it is not on the disk yet. */
  const newestOf = new Map<string, number>()
  let running: { readonly upto: number; readonly over: Promise<void> } | undefined
  let next: Promise<void> | undefined
  /**
   * Set if the disk failed. The system then forgets what it could not write, and may say of a second attempt that all is
   * well. So everything is written again, into the file itself.
   */
  let isDoubtful = false

  const sync = async (): Promise<void> => {
    if (!isDoubtful) {
      try {
        return await log.sync()
      } catch {
        isDoubtful = true
      }
    }
    if (!emptyLog(database)) throw diskError(file)
    isDoubtful = false
  }
  const start = (): Promise<void> => {
    const upto = newest
    const over = sync()
      .then(() => {
        synced = upto
        for (const [thread, number] of newestOf) if (number <= upto) newestOf.delete(thread)
      })
      .finally(() => (running = undefined))
    running = { upto, over }
    return over
  }
  /** Commits that come while the disk is busy are put on it together, next. */
  const reached = (number: number): Promise<void> | undefined => {
    if (number <= synced) return undefined
    if (!running) return start()
    if (number <= running.upto) return running.over
    return (next ??= running.over
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return reached(newest)
      }))
  }
  return {
    add: (thread) => {
      newest++
      if (thread === undefined) newestOfAll = newest
      else newestOf.set(thread, newest)
      void reached(newest)?.catch(() => undefined)
    },
    onDisk: (threads) => {
      const highest = (most: number, thread: string): number => Math.max(most, newestOf.get(thread) ?? 0)
      return reached(threads ? threads.reduce(highest, newestOfAll) : newest)
    },
    close: () => {
      const waiting = reached(newest)
      if (waiting) void waiting.catch(() => undefined).then(() => log.close())
      else log.close()
    },
  }
}

/**
 * The commits of others, for a process that only reads: what it has read may not be on the disk yet. Some systems refuse
 * this without the right to write; then the process goes on.
 */
export function createForeignCommits(database: DatabaseSync, log: LogFile): Commits {
  const version = database.prepare('pragma data_version')
  let synced: unknown
  return {
    add: () => undefined,
    onDisk: () => {
      const newest = database.isOpen ? version.get()?.['data_version'] : synced
      if (newest === synced) return undefined
      return log
        .sync()
        .catch(() => undefined)
        .then(() => void (synced = newest))
    },
    close: () => log.close(),
  }
}

/** For a database without a write-ahead log: a commit is on the disk when it returns, or there is no disk. */
export const noCommits: Commits = { add: () => undefined, onDisk: () => undefined, close: () => undefined }

/**
 * Moves all changes from the write-ahead log into the file and empties it. Returns false if a reader is in the middle of
 * it. SQLite itself does this only when the last process closes the file, reader or not.
 */
export function emptyLog(database: DatabaseSync): boolean {
  try {
    return database.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] !== 1
  } catch {
    return false
  }
}
