import { MinutebookError } from 'minutebook'

/**
 * Opens something on a database; where that cannot be reached or lets nobody in, the error says at which host. Never
 * more of its address: that holds a password.
 */
export async function namingDatabase<T>(database: string | undefined, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (
      database === undefined ||
      !MinutebookError.isInstance(error) ||
      !named.has(error.code) ||
      !URL.canParse(database)
    )
      throw error
    throw new MinutebookError(
      error.code,
      error.problem.replace('Postgres', `Postgres at ${new URL(database).host}`),
      error.fix,
      error.details,
    )
  }
}

const named: ReadonlySet<string> = new Set(['store_unreachable', 'store_refused'])
