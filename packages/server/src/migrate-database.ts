import type * as Postgres from '@minutebook/postgres'
import type { DatabaseRole, Migrated } from '@minutebook/postgres'
import type { Pool } from 'pg'

export type { DatabaseRole, Migrated }

export interface MigrateOptions {
  /** A role that instances connect as: it is granted what they need, also on new tables. */
  readonly appRole?: string | undefined
}

/**
 * Brings a database to this version's tables, also those by which instances share their turns, without serving anybody:
 * with the rights of an owner, before instances start that have fewer.
 *
 * @example
 * const { applied } = await migrateDatabase('postgres://owner@db.example/minutebook', { appRole: 'app' })
 */
export function migrateDatabase(connectionString: string, { appRole }: MigrateOptions = {}): Promise<Migrated> {
  return withDatabase(connectionString, 'minutebook migrate', async (pool, { migrate, postgresTurns, grantRights }) => {
    const migrated = await migrate(pool)
    const turns = await postgresTurns(pool)
    await turns.close()
    if (appRole !== undefined) await grantRights(pool, appRole)
    return migrated
  })
}

/**
 * The role of a connection, and whether row-level security binds it.
 *
 * @example
 * const { unguarded } = await examineDatabase('postgres://app@db.example/minutebook')
 */
export function examineDatabase(connectionString: string): Promise<DatabaseRole> {
  return withDatabase(connectionString, 'minutebook doctor', (pool, { examineRole }) => examineRole(pool))
}

/** Its packages are read only here: a command that needs no database starts without them. */
async function withDatabase<T>(
  connectionString: string,
  name: string,
  work: (pool: Pool, postgres: typeof Postgres) => Promise<T>,
): Promise<T> {
  const [{ default: pg }, postgres] = await Promise.all([import('pg'), import('@minutebook/postgres')])
  const pool = new pg.Pool({ connectionString, max: 4, connectionTimeoutMillis: 5000, application_name: name })
  pool.on('error', () => undefined)
  try {
    return await work(pool, postgres)
  } finally {
    await pool.end()
  }
}
