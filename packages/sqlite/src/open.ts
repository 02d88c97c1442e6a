import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MinutebookError } from 'minutebook'
import { failureOf } from './failure.ts'
import { prepareSchema } from './schema.ts'

/**
 * Opens the file for this process alone. The exclusive lock is the operating system's: it ends with the process,
 * however that ends, and keeps out other processes and a second opening in this one alike.
 * Sorting happens in memory, so that no text gets into temporary files.
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

/** The error for a path at which there can be no file; undefined where there can be one, or where nobody may look. */
function misplaced(path: string, file: string): MinutebookError | undefined {
  // SQLite reads such a path as an address with options.
  if (path === ':memory:' || path.startsWith('file:')) return undefined
  const folder = dirname(path)
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return unreachable(file, 'is a folder. Pass the path of a file in it.')
    return statSync(folder, { throwIfNoEntry: false }) ? undefined : unreachable(file, `cannot be opened. Create the folder "${basename(folder)}" first.`)
  } catch {
    return undefined
  }
}

function unreachable(file: string, text: string): MinutebookError {
  return new MinutebookError('store_unreachable', `"${file}" ${text}`, { file })
}

/** Runs work all or none. */
export type Transaction = <T>(work: () => T) => T

export function createTransaction(database: DatabaseSync): Transaction {
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  return (work) => {
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }
}
