import { MinutebookError } from 'minutebook'

/** SQLite's primary result codes that a person can do something about, each with what. */
const known: Readonly<Record<number, readonly [code: string, what: string, fix: string]>> = {
  5: [
    'store_locked',
    'is open already, here or in another process.',
    'Close it there first (`store.close()`, or end the other process): only one process writes to a file. To read it next to that process: sqliteStore(path, { readOnly: true }), or minutebook console FILE.',
  ],
  8: ['store_readonly', 'cannot be written to.', 'Give this process the right to write to the file and to its folder.'],
  10: [
    'store_failed',
    'could not be read or written.',
    'Check the disk; what was acknowledged before is safe, the last call may be repeated.',
  ],
  11: [
    'store_corrupt',
    'is damaged.',
    'Restore it from a backup: first move it away, with the files whose names begin with its name.',
  ],
  13: [
    'store_full',
    'cannot grow: the disk is full.',
    'Free some space and repeat the call; nothing of it was written.',
  ],
  14: [
    'store_unreachable',
    'cannot be opened.',
    'Create its folder first, and give this process the right to write there. To read needs it too: copy the file to such a folder.',
  ],
  26: [
    'not_a_store',
    'is not a database.',
    'Pass the path of a Minutebook file, or of a file that does not exist yet. If it was one, it is damaged: move it away, and restore it from a backup.',
  ],
}

/** The error to throw for one of SQLite's: it names the file without its folder, and never what was to be written. */
export function failureOf(error: unknown, file: string): unknown {
  if (!isSqliteError(error)) return error
  const [code, what, fix] = known[error.errcode & 0xff] ?? [
    'store_failed',
    `failed with SQLite's code ${error.errcode}.`,
    'Repeat the call; if it fails again, restore the file from a backup.',
  ]
  return new MinutebookError(code, `"${file}" ${what}`, fix, { file, sqlite: error.errcode })
}

export function unwritableError(file: string): MinutebookError {
  return knownError(8, file)
}

/** The error if what was written cannot be put on the disk. */
export function diskError(file: string): MinutebookError {
  return knownError(10, file)
}

/** The error if the disk has no space left. */
export function fullError(file: string): MinutebookError {
  return knownError(13, file)
}

function knownError(result: number, file: string): MinutebookError {
  const [code, what, fix] = known[result]!
  return new MinutebookError(code, `"${file}" ${what}`, fix, { file })
}

function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}
