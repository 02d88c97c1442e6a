import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync, backup } from 'node:sqlite'
import { MinutebookError } from 'minutebook'
import { failureOf } from './failure.ts'
import { openReader } from './open.ts'
import { checkSchema } from './schema.ts'

/** How a file is copied. */
export interface BackupOptions {
  /** Is called again and again with the bytes that are copied, and how many there are. */
  readonly progress?: ((copied: number, total: number) => void) | undefined
}

/** A copy that is on the disk. */
export interface Backup {
  readonly bytes: number
}

/** Between two reports of progress: 4 MB with pages as they are by default. */
const pagesAtOnce = 1000

/**
 * Copies a file while its program writes to it. The copy is the file as it was at the call, whatever is written
 * meanwhile: all that was acknowledged before is in it. It is one file that only this user can read, and has its name
 * only once it is whole, checked and on the disk. Another file of that name is never replaced: `backup_exists`. The
 * copying lets other calls run. The check at the end does not, and takes about a second for a few hundred megabytes.
 *
 * @example
 * await backupFile('conversations.db', '/backups/conversations.db')
 */
export async function backupFile(path: string, to: string, { progress }: BackupOptions = {}): Promise<Backup> {
  if (existsSync(to)) throw existsError(to)
  const file = basename(path)
  // Not under its name: a program that ends in the middle must not leave what looks like a backup.
  const draft = `${to}.${process.pid}.part`
  const reader = openReader(path, file)
  try {
    makeDraft(draft, to)
    // One reading transaction for all of it. Without it, the copy would begin again at each commit of another process.
    for (const statement of ['begin', 'select count(*) from sqlite_schema']) reader.database.prepare(statement).all()
    const size = Number(reader.database.prepare('pragma page_size').get()?.['page_size'])
    await backup(reader.database, draft, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => progress?.((totalPages - remainingPages) * size, totalPages * size),
    })
    settle(draft, file)
    syncToDisk(draft)
    if (existsSync(to)) throw existsError(to)
    renameSync(draft, to)
    syncToDisk(dirname(to))
    return { bytes: statSync(to).size }
  } catch (error) {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true })
    // What is full is the disk of the copy: from the file itself only pages are read.
    throw failureOf(error, isFull(error) ? basename(to) : file)
  } finally {
    reader.close()
  }
}

/** A new file for this user alone, which SQLite then fills. */
function makeDraft(draft: string, to: string): void {
  try {
    rmSync(draft, { force: true })
    closeSync(openSync(draft, 'wx', 0o600))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new MinutebookError(
      'store_unreachable',
      `"${basename(to)}" cannot be written there (${code}).`,
      'Create its folder first, and give this process the right to write there.',
      { file: basename(to) },
    )
  }
}

/** Makes it a single file, which can be read without the right to write next to it, and checks its pages and indexes. */
function settle(draft: string, file: string): void {
  const copy = new DatabaseSync(draft)
  try {
    copy.prepare('pragma journal_mode = delete').all()
    const found = copy.prepare('pragma integrity_check(1)').get()?.['integrity_check']
    if (found !== 'ok')
      throw new MinutebookError(
        'store_corrupt',
        `"${file}" is damaged, and so is every copy of it: ${String(found)}.`,
        'Restore an earlier backup. To save what can still be read, export its threads one by one.',
        { file },
      )
    checkSchema(copy, file)
  } finally {
    copy.close()
  }
}

/** A folder is synced for the name in it. Systems without that refuse it, and need it not. */
function syncToDisk(path: string): void {
  try {
    const descriptor = openSync(path, statSync(path).isDirectory() ? 'r' : 'r+')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!statSync(path).isDirectory()) throw error
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 13
}

function existsError(to: string): MinutebookError {
  return new MinutebookError(
    'backup_exists',
    `"${basename(to)}" exists, and a backup never replaces a file.`,
    'Pass another name, or remove that file first.',
    { file: basename(to) },
  )
}
