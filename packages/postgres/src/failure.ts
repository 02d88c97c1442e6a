import { MinutebookError } from 'minutebook'

/** What Postgres, or the way to it, can fail with that a person can do something about: codes or their classes, each with what. */
const known: readonly (readonly [codes: readonly string[], code: string, text: string])[] = [
  [['53100'], 'store_full', 'Postgres has no room on its disk. Free some and repeat the call; nothing of it was written.'],
  [['53300'], 'store_busy', 'Postgres takes no more connections. Use smaller pools or raise max_connections, then repeat the call.'],
  [['42P01', '42703', '3F000'], 'store_outdated', 'The database lacks tables or columns of this version. Run migrate(pool), or `minutebook migrate`.'],
  [['42501'], 'store_forbidden', 'The role of this pool may not do this. Grant it the right, or use a pool of the role that owns the tables.'],
  [['28', '3D000'], 'store_refused', 'Postgres does not let this pool in. Correct its user, password or database.'],
  [['25006'], 'store_readonly', 'This server only reads, as a standby does. Point the pool at the primary and repeat the call.'],
  [['08', '57P', '58', 'XX001', 'XX002', 'E'], 'store_unreachable', 'Postgres cannot be reached, or went away in the middle. Repeat the call when it is back: what was written already is not written twice.'],
  [['40'], 'store_contended', 'Postgres undid this because of another transaction. Repeat the call.'],
]

/** The error to throw for one of the driver's: never with what was to be written. That a row is taken is an answer, and stays as it is. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || MinutebookError.isInstance(error) || isTaken(error)) return error
  const found = 'code' in error && typeof error.code === 'string' ? error.code : wentAway.test(error.message) ? 'E' : undefined
  if (found === undefined) return error
  const [, code, text] = known.find(([codes]) => codes.some((beginning) => found.startsWith(beginning))) ?? [[], 'store_failed', `Postgres failed with its code ${found}. Repeat the call; if it fails again, its log says more.`]
  return new MinutebookError(code, text, { postgres: found })
}

/** A unique violation: someone has written that row. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/** The driver's own words for a connection that is no more; they have no code. */
const wentAway = /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/
