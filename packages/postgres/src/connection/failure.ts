import { MinutebookError } from 'minutebook'

const unreachable = [
  'store_unreachable',
  'Postgres cannot be reached, or the connection broke during the call.',
  'Repeat the call when Postgres answers again. What is already written is not written twice.',
] as const

/**
 * Failures of Postgres, or of the way to it, that a person can fix: by code, or by the driver's words if it gives no
 * code.
 */
const known: readonly (readonly [sign: RegExp, code: string, problem: string, fix: string])[] = [
  [
    /^53100$/,
    'store_full',
    'The disk of Postgres is full.',
    'Free some disk space and repeat the call. The failed call wrote nothing.',
  ],
  [
    /^53300$/,
    'store_busy',
    'Postgres accepts no more connections.',
    'Use smaller pools or raise max_connections, then repeat the call.',
  ],
  [
    /^(42P01|42703|3F000)$/,
    'store_outdated',
    'The database lacks tables or columns of this version.',
    'Run migrate(pool).',
  ],
  [
    /^42501$/,
    'store_forbidden',
    'The role of this pool may not do this.',
    'Grant the role this right, or use a pool of the role that owns the tables.',
  ],
  [
    /^(28...|3D000)$/,
    'store_refused',
    'Postgres refuses the login of this pool.',
    'Correct the user, password or database of the pool.',
  ],
  [
    /^25006$/,
    'store_readonly',
    'This Postgres server is read-only, for example a standby.',
    'Connect the pool to the primary and repeat the call.',
  ],
  [
    /^57014$/,
    'store_timeout',
    'Postgres took longer than a statement may take.',
    'Repeat the call. If it fails again, look for load and locks on the server, or raise `timeout` (`databaseTimeout` of a server).',
  ],
  [
    /^25P03$/,
    'store_timeout',
    'This process paused for too long within a transaction, so Postgres rolled it back.',
    'Repeat the call. If it fails again, give the process more processor time, or raise `timeout` (`databaseTimeout` of a server).',
  ],
  [/^(08...|57P..|58...)$/, ...unreachable],
  [/^E[A-Z_]+$/, ...unreachable],
  [
    /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/,
    ...unreachable,
  ],
  [
    /^Cannot use a pool after calling end/,
    'store_closed',
    'The pool of this store was ended.',
    'Make a store with another pool.',
  ],
  [
    /^(40...|55P03)$/,
    'store_contended',
    'Postgres rolled this call back because of another transaction.',
    'Repeat the call.',
  ],
  [
    /^XX00[12]$/,
    'store_corrupt',
    'The files of the database are damaged.',
    'Restore the database from a backup. The log of Postgres contains the details.',
  ],
]

/**
 * The error to throw for one of the driver's: never with what was to be written. That a row is taken is an answer, and
 * stays as it is.
 */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || MinutebookError.isInstance(error) || isTaken(error)) return error
  const postgres = codeOf(error)
  const [, code, problem, fix] = known.find(([sign]) => sign.test(postgres ?? error.message)) ?? []
  if (code !== undefined && problem !== undefined && fix !== undefined)
    return new MinutebookError(
      code,
      problem,
      `${fix}${missingRight(error)}`,
      postgres === undefined ? {} : { postgres },
    )
  if (postgres === undefined) return error
  return new MinutebookError(
    'store_failed',
    `Postgres failed with the code ${postgres}.`,
    'Repeat the call. If it fails again, look into the log of Postgres.',
    { postgres },
  )
}

/** For a pool all of whose connections are in use, although Postgres answers on them. */
export function poolBusyError(): MinutebookError {
  return new MinutebookError(
    'store_pool_busy',
    'No connection of the pool became free in time.',
    'Repeat the call. If it fails again, use a larger pool, or look for slow statements.',
  )
}

/** The object for which a right is missing, if Postgres says it in English. */
function missingRight({ message }: Error): string {
  const [, what] = /^permission denied for (\w+ \w+)$/.exec(message) ?? []
  return what === undefined ? '' : ` The right is missing on the ${what}.`
}

/** Node's own errors have codes too: those of the network are as good as Postgres's, those of a mistake are not. */
function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && !error.code.startsWith('ERR_') ? error.code : undefined
}

/** A unique violation: another writer has written that row. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/** Whether a check of ours has failed: it divides by the number of what must be there. */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '22012'
}

/**
 * Whether it is certain that nothing was done, and that the connection holds: Postgres itself said no to one of the
 * statements.
 */
export function isUndone(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(22|23|25|42|53|55|P0|57014)/.test(error.code)
  )
}

/** Whether Postgres ended a statement because it took too long, or waited too long for a lock. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '57014' || error.code === '55P03')
}

/** Whether the database is of a version before, and lacks a table. */
export function isOutdated(error: unknown): boolean {
  return MinutebookError.isInstance(error) && error.code === 'store_outdated'
}

/** The answer, or another one if the database is of a version before: for what may be missing for a while. */
export async function unlessOutdated<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (isOutdated(error)) return otherwise
    throw error
  }
}
