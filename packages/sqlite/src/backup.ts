import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync, backup } from 'node:sqlite'
import { MinutebookError } from 'minutebook'
import { diskError, failureOf, fullError } from './failure.ts'
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
  // Not under its name: a program that ends in the middle must not leave what looks like a backup. And under a name
  // that no other call has.
  const draft = `${to}.${randomBytes(6).toString('hex')}.part`
  const reader = openReader(path, file)
  try {
    makeDraft(draft, to)
    try {
      const pages = await copyPages(reader.database, draft, progress)
      settle(draft, { pages, file, to })
      return publish(draft, to)
    } catch (error) {
      for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true })
      // What is full is the disk of the copy: from the file itself only pages are read.
      throw failureOf(error, isFull(error) ? basename(to) : file)
    }
  } finally {
    reader.close()
  }
}

/** Returns how many pages the file has. */
async function copyPages(source: DatabaseSync, draft: string, progress: BackupOptions['progress']): Promise<number> {
  // One reading transaction for all of it. Without it, the copy would begin again at each commit of another process.
  for (const statement of ['begin', 'select count(*) from sqlite_schema']) source.prepare(statement).all()
  const size = numberIn(source, 'page_size')
  await backup(source, draft, {
    rate: pagesAtOnce,
    progress: ({ totalPages, remainingPages }) => progress?.((totalPages - remainingPages) * size, totalPages * size),
  })
  return numberIn(source, 'page_count')
}

/** A new file for this user alone, which SQLite then fills. */
function makeDraft(draft: string, to: string): void {
  try {
    closeSync(openSync(draft, 'wx', 0o600))
  } catch (error) {
    throw new MinutebookError(
      'store_unreachable',
      `"${basename(to)}" cannot be written there (${codeOf(error)}).`,
      'Create its folder first, and give this process the right to write there.',
      { file: basename(to) },
    )
  }
}

/** Makes it a single file, which can be read without the right to write next to it, and checks its pages and indexes. */
function settle(
  draft: string,
  { pages, file, to }: { readonly pages: number; readonly file: string; readonly to: string },
): void {
  try {
    const copy = new DatabaseSync(draft)
    try {
      copy.prepare('pragma journal_mode = delete').all()
      const found = copy.prepare('pragma integrity_check(1)').get()?.['integrity_check']
      if (found !== 'ok') throw damagedError(file, String(found))
      const copied = numberIn(copy, 'page_count')
      // SQLite makes a new file if the draft is gone, and an empty file has no wrong pages.
      if (copied !== pages || checkSchema(copy, basename(to)) === 'empty')
        throw damagedError(file, `it has ${copied} of ${pages} pages`)
    } finally {
      copy.close()
    }
  } catch (error) {
    const failure = failureOf(error, basename(to))
    const isDamaged = failure !== error && MinutebookError.isInstance(failure) && isOfPages.has(failure.code)
    throw isDamaged ? damagedError(file, error instanceof Error ? error.message : 'unreadable') : failure
  }
}

const isOfPages: ReadonlySet<string> = new Set(['store_corrupt', 'not_a_store'])

function damagedError(file: string, found: string): MinutebookError {
  return new MinutebookError(
    'store_corrupt',
    `The copy of "${file}" is damaged: ${found}.`,
    'Copy the file to another disk, and check the file itself: minutebook verify --all. If it is damaged too, restore an earlier backup, or export the threads that can still be read.',
    { file },
  )
}

/** Puts it on the disk under its name. */
function publish(draft: string, to: string): Backup {
  try {
    syncToDisk(draft)
    nameFile(draft, to)
    syncToDisk(dirname(to))
    return { bytes: statSync(to).size }
  } catch (error) {
    if (MinutebookError.isInstance(error)) throw error
    throw codeOf(error) === 'ENOSPC' ? fullError(basename(to)) : diskError(basename(to))
  }
}

/**
 * Only a new link never replaces a file that another program puts there at this moment. If the file system has no
 * links, such as exFAT, the file is renamed, and such a file is replaced. A process that is killed between the link and
 * the removal leaves one file with two names: `store_linked` says to remove the draft.
 */
function nameFile(draft: string, to: string): void {
  try {
    linkSync(draft, to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || existsSync(to)) throw existsError(to)
    return renameSync(draft, to)
  }
  unlinkSync(draft)
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

function numberIn(database: DatabaseSync, pragma: 'page_count' | 'page_size'): number {
  return Number(database.prepare(`pragma ${pragma}`).get()?.[pragma])
}

/** The code of an error of the operating system. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
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
