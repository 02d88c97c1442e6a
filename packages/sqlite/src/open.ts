import { accessSync, chownSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MinutebookError } from 'minutebook'
import { createCommits, createForeignCommits, emptyLog, noCommits, openLog, type Commits } from './commits.ts'
import { failureOf, unwritableError } from './failure.ts'
import { checkSchema, prepareSchema } from './schema.ts'
import { createTransaction } from './transaction.ts'

/** A file that is open. */
export interface OpenedFile {
  readonly database: DatabaseSync
  readonly commits: Commits
  close(): void
}

/** Sorting happens in memory, so that no text gets into temporary files. */
const settings = [
  'pragma synchronous = full',
  'pragma secure_delete = on',
  'pragma temp_store = memory',
  'pragma trusted_schema = off',
]

/** Milliseconds to wait for others that have the file for a moment: a reader never has it for longer. */
const moment = 1000

/**
 * Opens the file as its only writer. `wait`: milliseconds in which another writer may still close it. A file that exists
 * is opened for writing only under the lock: a second writer that is refused never had the right to change it.
 */
export function openWriter(path: string, file: string, wait: number): OpenedFile {
  let database: DatabaseSync | undefined
  let lock: DatabaseSync | undefined
  try {
    const found = examined(path, file)
    lock = lockedFor(found, file, wait)
    const opened = (database = new DatabaseSync(path, { timeout: moment }))
    const held = (lock ??= lockedFor(opened.location(), file, wait))
    runEach(opened, settings)
    const commits = commitsOf(opened, file)
    createTransaction(opened)(() => prepareSchema(opened, file))
    return {
      database: opened,
      commits,
      close: () => {
        if (!opened.isOpen) return
        emptyLog(opened)
        opened.close()
        commits.close()
        release(held)
      },
    }
  } catch (error) {
    database?.close()
    release(lock)
    throw misplaced(path, file) ?? failureOf(error, file)
  }
}

/** With a write-ahead log, SQLite itself need not wait for the disk: the commits do. */
function commitsOf(database: DatabaseSync, file: string): Commits {
  const path = database.location()
  const isLogged = database.prepare('pragma journal_mode = wal').get()?.['journal_mode'] === 'wal'
  if (!isLogged || path === null || path === '') return noCommits
  runEach(database, ['pragma synchronous = normal'])
  return createCommits(database, file, openLog(path, { readOnly: false }))
}

/** Opens the file next to its writer. Nothing is ever written to it. */
export function openReader(path: string, file: string): OpenedFile {
  let database: DatabaseSync | undefined
  try {
    const opened = (database = new DatabaseSync(path, { readOnly: true, timeout: moment }))
    checkNames(opened, file)
    runEach(opened, ['pragma temp_store = memory', 'pragma trusted_schema = off'])
    if (checkSchema(opened, file) === 'empty')
      throw new MinutebookError('not_a_store', `"${file}" is empty.`, 'Pass the path of a Minutebook file.', { file })
    const place = opened.location()
    const commits =
      place === null || place === '' ? noCommits : createForeignCommits(opened, openLog(place, { readOnly: true }))
    return {
      database: opened,
      commits,
      close: () => {
        if (!opened.isOpen) return
        opened.close()
        commits.close()
      },
    }
  } catch (error) {
    database?.close()
    throw misplaced(path, file, true) ?? failureOf(error, file)
  }
}

/** Runs statements as prepared ones: in Deno an error of `exec` lacks SQLite's code, by which ours are made. */
function runEach(database: DatabaseSync, statements: readonly string[]): void {
  for (const statement of statements) database.prepare(statement).all()
}

/** The full path of a file that exists. Throws if it is not ours, before anything is put next to it. */
function examined(path: string, file: string): string | null {
  let database: DatabaseSync
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: moment })
  } catch {
    // It does not exist, or the opening for writing says what is wrong.
    return null
  }
  try {
    checkNames(database, file)
    checkSchema(database, file)
    return database.location()
  } finally {
    database.close()
  }
}

/** Hard links are refused: each name would have its own lock and its own write-ahead log. */
function checkNames(database: DatabaseSync, file: string): void {
  const path = database.location()
  if (path === null || path === '' || statSync(path).nlink === 1) return
  throw new MinutebookError(
    'store_linked',
    `"${file}" has several names (hard links), and its newest entries are known under one of them.`,
    'Remove the other names, or open a copy of the file.',
    { file },
  )
}

/**
 * The lock of the only writer. It is on a file of its own, because an exclusive lock on the file itself would also keep
 * readers out. The operating system holds it: it ends with the process in every case, and keeps out other processes as
 * well as a second opening in this one. The empty file stays: if it were removed, two processes could lock two files of
 * that name. Undefined for a database without a file.
 */
function lockedFor(path: string | null, file: string, wait: number): DatabaseSync | undefined {
  if (path === null || path === '') return undefined
  const place = `${path}-lock`
  makeLike(path, place)
  if (!isWritable(place)) throw unwritableError(file)
  const lock = new DatabaseSync(place, { timeout: wait })
  try {
    runEach(lock, ['pragma journal_mode = memory', 'begin exclusive'])
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Ends the lock before it closes its file: in Bun 1.4.0 a file with statements is closed only some time later. */
function release(lock: DatabaseSync | undefined): void {
  lock?.exec('rollback')
  lock?.close()
}

/** Makes an empty file for the same users, unless it is there: to open and close that one would release its lock. */
function makeLike(path: string, place: string): void {
  const { mode, uid, gid } = statSync(path)
  try {
    closeSync(openSync(place, 'wx', mode & 0o666))
    if (process.getuid?.() === 0) chownSync(place, uid, gid)
  } catch {
    // It exists, or cannot be written.
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The error for a path that cannot be a file; undefined if it can be one, or if the process may not look. */
function misplaced(path: string, file: string, mustExist = false): MinutebookError | undefined {
  // SQLite reads such a path as an address with options.
  if (path === ':memory:' || path.startsWith('file:')) return undefined
  const folder = dirname(path)
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) return unreachableError(file, 'is a folder.', 'Pass the path of a file in it.')
    if (!found && mustExist)
      return new MinutebookError('store_missing', `"${file}" does not exist.`, 'Pass the path of a Minutebook file.', {
        file,
      })
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
