import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { MinutebookError } from 'minutebook'
import { createBreaks } from 'minutebook/clock'
import { failureOf } from './failure.ts'
import { prepareSchema } from './schema.ts'

/**
 * Opens the file for this process alone. The operating system holds the exclusive lock: it ends with the process in
 * every case, and keeps out other processes as well as a second opening in this one. Sorting happens in memory, so that
 * no text gets into temporary files.
 */
const settings = `
  pragma locking_mode = exclusive;
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma secure_delete = on;
  pragma temp_store = memory;
  pragma trusted_schema = off;
`

export function openDatabase(path: string, file: string, wait: number): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: wait })
    database.exec(settings)
    const opened = database
    createTransaction(opened)(() => prepareSchema(opened, file))
    return opened
  } catch (error) {
    database?.close()
    throw misplaced(path, file) ?? failureOf(error, file)
  }
}

/** The error for a path that cannot be a file; undefined if it can be one, or if the process may not look. */
function misplaced(path: string, file: string): MinutebookError | undefined {
  // SQLite reads such a path as an address with options.
  if (path === ':memory:' || path.startsWith('file:')) return undefined
  const folder = dirname(path)
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      return unreachableError(file, 'is a folder.', 'Pass the path of a file in it.')
    return statSync(folder, { throwIfNoEntry: false })
      ? undefined
      : unreachableError(file, 'cannot be opened.', `Create the folder "${basename(folder)}" first.`)
  } catch {
    return undefined
  }
}

function unreachableError(file: string, what: string, fix: string): MinutebookError {
  return new MinutebookError('store_unreachable', `"${file}" ${what}`, fix, { file })
}

/** Runs work completely or not at all. */
export type Transaction = <T>(work: () => T) => T

export function createTransaction(database: DatabaseSync): Transaction {
  const { begin, commit, rollback } = statementsOf(database)
  return (work) => {
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      rollback()
      throw error
    }
  }
}

/**
 * Runs long work completely or not at all, with a pause at each yield. The database has no other user until it is over:
 * they would read incomplete data, and lose their writes if the work fails.
 */
export type LongTransaction = <T>(work: () => Generator<void, T, void>) => Promise<T>

export function createLongTransaction(database: DatabaseSync): LongTransaction {
  const { begin, commit, rollback } = statementsOf(database)
  return async (work) => {
    begin.run()
    try {
      const takeBreak = createBreaks()
      const steps = work()
      let step = steps.next()
      for (; !step.done; step = steps.next()) {
        const waiting = takeBreak()
        if (waiting) await waiting
      }
      commit.run()
      return step.value
    } catch (error) {
      rollback()
      throw error
    }
  }
}

function statementsOf(database: DatabaseSync): {
  readonly begin: StatementSync
  readonly commit: StatementSync
  readonly rollback: () => void
} {
  return {
    begin: database.prepare('begin immediate'),
    commit: database.prepare('commit'),
    rollback: () => {
      if (database.isOpen && database.isTransaction) database.exec('rollback')
    },
  }
}
