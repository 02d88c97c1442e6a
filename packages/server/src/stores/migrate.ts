import type * as Postgres from '@minutebook/postgres'
import type { DatabaseRole, Migrated } from '@minutebook/postgres'
import { MinutebookError } from 'minutebook'
import type { Pool, PoolConfig } from 'pg'

export type { DatabaseRole, Migrated }

/** How a database is migrated. */
export interface MigrateOptions {
  /** The role that instances connect with: it is granted what they need, also on new tables. */
  readonly appRole?: string | undefined
}

/**
 * Migrates a database to this version's tables, including those with which instances share their turns, without serving
 * requests. Run it with the rights of an owner, before instances with fewer rights start.
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
 * The role of a connection, and whether row-level security applies to it.
 *
 * @example
 * const { unguarded } = await examineDatabase('postgres://app@db.example/minutebook')
 */
export function examineDatabase(connectionString: string): Promise<DatabaseRole> {
  return withDatabase(connectionString, 'minutebook doctor', (pool, { examineRole }) => examineRole(pool))
}

/**
 * A new connection, or a free one, is waited for only so long. What is idle, or waits for a long statement, is asked by
 * the system whether its other end is still there: a machine that died silently is noticed within 15 seconds.
 */
export const poolLimits: PoolConfig = {
  connectionTimeoutMillis: 5000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5000,
}

/** Its packages are loaded only here: a command that needs no database starts without them. */
async function withDatabase<T>(
  connectionString: string,
  name: string,
  work: (pool: Pool, postgres: typeof Postgres) => Promise<T>,
): Promise<T> {
  const [{ default: pg }, postgres] = await Promise.all([import('pg'), import('@minutebook/postgres')])
  const pool = new pg.Pool({ ...poolLimits, connectionString, max: 4, application_name: name })
  pool.on('error', () => undefined)
  try {
    return await work(pool, postgres)
  } finally {
    await pool.end()
  }
}

/** What is wrong with the role that a server uses for Postgres: only the server's own statements keep tenants apart. */
export interface RoleProblem {
  readonly says: string
  readonly fix: string
  /** Known tenants other than `default`. If there are any, a server does not start. */
  readonly others: readonly string[]
}

/**
 * Undefined if row-level security applies to the role. `tenants`: known ones in addition to those with threads, such as
 * those of keys.
 *
 * @example
 * const problem = roleProblem(await examineRole(pool), config.keys.map(({ tenant }) => tenant))
 */
export function roleProblem(
  { name, isSuperuser, bypassesRowSecurity, unguarded, tenants: seen }: DatabaseRole,
  tenants: readonly string[] = [],
): RoleProblem | undefined {
  if (unguarded.length === 0) return undefined
  const why = isSuperuser
    ? 'is a superuser'
    : bypassesRowSecurity
      ? 'has BYPASSRLS'
      : `owns tables without forced row-level security (${unguarded.join(', ')})`
  return {
    says: `The database role "${name}" ${why}, so row-level security does not keep tenants apart`,
    fix: 'Connect as a role to which row-level security applies: make one (create role … login nosuperuser nobypassrls), grant it its rights (minutebook migrate --app-role …), and name it in the settings (database, MINUTEBOOK_DATABASE).',
    others: [...new Set([...seen, ...tenants])].filter((tenant) => tenant !== 'default').toSorted(),
  }
}

/** Thrown by a server that would serve several tenants with such a role. */
export function tenantsUnguardedError({ says, fix }: Pick<RoleProblem, 'says' | 'fix'>): MinutebookError {
  return new MinutebookError('tenants_unguarded', `${says}, and there are several tenants.`, fix)
}
