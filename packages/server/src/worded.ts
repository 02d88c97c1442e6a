import type { MinutebookError } from 'minutebook'

/**
 * What an error says to somebody who has a server before them, and not the library below it: where that speaks of pools
 * and methods, this speaks of roles and commands.
 */
export function worded({ code, problem, fix }: Pick<MinutebookError, 'code' | 'problem' | 'fix'>): {
  readonly message: string
  readonly fix: string
} {
  const reworded = (text: string): string =>
    rewordings.reduce((said, [of, from, to]) => (of === code ? said.replace(from, to) : said), text)
  return { message: reworded(problem), fix: reworded(fix) }
}

const rewordings: readonly (readonly [code: string, from: string, to: string])[] = [
  ['store_forbidden', 'The role of this pool may not do this.', 'The database role of the server may not do this.'],
  ['store_forbidden', 'use a pool of the role', 'let the server use the role'],
  [
    'store_refused',
    'Correct its user, password or database.',
    'Correct user, password or database in the settings (database, MINUTEBOOK_DATABASE).',
  ],
  ['store_refused', 'Postgres does not let this pool in.', 'Postgres does not let the server in.'],
  ['store_outdated', 'Run migrate(pool).', 'Run: minutebook migrate.'],
  [
    'store_readonly',
    'Point the pool at the primary and repeat the call.',
    'Point the settings (database, MINUTEBOOK_DATABASE) at the primary.',
  ],
  [
    'unknown_call',
    'Choose one that thread.receipts() lists.',
    'List the receipts of the thread to see which there are.',
  ],
  [
    'unknown_call',
    'Choose a call that thread.receipts() lists.',
    'List the receipts of the thread to see those of the others.',
  ],
]
