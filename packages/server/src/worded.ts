import type { MinutebookError } from 'minutebook'

/**
 * What an error says to somebody who has a server before them, and not the library below it: where that speaks of pools
 * and methods, this speaks of roles and commands.
 */
export function worded({ code, message }: Pick<MinutebookError, 'code' | 'message'>): string {
  return rewordings.reduce((text, [of, from, to]) => (of === code ? text.replace(from, to) : text), message)
}

const rewordings: readonly (readonly [code: string, from: string, to: string])[] = [
  [
    'store_forbidden',
    'The role of this pool may not do this. Grant it the right, or use a pool of the role that owns the tables.',
    'The database role of the server may not do this. Grant it the right, or let the server use the role that owns the tables.',
  ],
  [
    'store_refused',
    'Postgres does not let this pool in. Correct its user, password or database.',
    'Postgres does not let the server in. Correct user, password or database in the settings (database, MINUTEBOOK_DATABASE).',
  ],
  ['store_outdated', 'Run migrate(pool).', 'Run: minutebook migrate.'],
  [
    'store_readonly',
    'Point the pool at the primary and repeat the call.',
    'Point the settings (database, MINUTEBOOK_DATABASE) at the primary.',
  ],
  ['unknown_call', 'thread.receipts() lists what there is.', 'list the receipts of the thread to see which there are.'],
  [
    'unknown_call',
    'thread.receipts() lists those of the others.',
    'list the receipts of the thread to see those of the others.',
  ],
]
