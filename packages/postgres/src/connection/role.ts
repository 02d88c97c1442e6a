import { MinutebookError } from 'minutebook'
import { readFileSync } from 'node:fs'
import { escapeIdentifier, type Pool } from 'pg'
import { databaseOf, type Database } from './connection.ts'
import { failureOf } from './failure.ts'
import { statement } from './statement.ts'

/** The role that a pool connects as, and whether row-level security binds it. */
export interface DatabaseRole {
  readonly name: string
  readonly isSuperuser: boolean
  readonly bypassesRowSecurity: boolean
  /**
   * The tables of tenants in which row-level security does not bind it. Empty: each transaction sees rows of its own
   * tenant only.
   */
  readonly unguarded: readonly string[]
  /**
   * Tenants of which it sees threads, if row-level security does not bind it: the first and the last one by name,
   * in the order of the tables. Else empty.
   */
  readonly tenants: readonly string[]
}

const findRole = statement('examine-role')
const findTenants = statement('first-and-last-tenant')

/**
 * Looks at the role of a pool. Statements name their tenant in any case; a role that row-level security does not bind
 * has no second guard against one that forgets it.
 *
 * @example
 * const { unguarded } = await examineRole(pool)
 */
export async function examineRole(pool: Pool): Promise<DatabaseRole> {
  const database = databaseOf(pool)
  try {
    const {
      rows: [role],
    } = await database.query<Omit<DatabaseRole, 'tenants'>>(findRole.text)
    if (!role)
      throw new MinutebookError(
        'unknown_role',
        'The role of this pool is not in pg_roles.',
        'Correct the user of the pool.',
      )
    return { ...role, tenants: role.unguarded.includes('thread') ? await tenantsSeen(database) : [] }
  } catch (error) {
    throw failureOf(error)
  }
}

async function tenantsSeen(database: Database): Promise<readonly string[]> {
  const {
    rows: [ends],
  } = await database.query<{ readonly first: string | null; readonly last: string | null }>(findTenants.text)
  return [...new Set([ends?.first, ends?.last])].flatMap((tenant) => tenant ?? [])
}

/**
 * Grants a role what instances need and no more, on the tables that are there now; to be called with a pool of their
 * owner after every `migrate`, and once `postgresTurns` has made its own. Throws `unknown_role`.
 *
 * @example
 * await migrate(owner)
 * await grantRights(owner, 'app')
 */
export async function grantRights(pool: Pool, role: string): Promise<void> {
  const database = databaseOf(pool)
  try {
    const {
      rows: [found],
    } = await database.query<{ readonly isThere: boolean; readonly hasTurns: boolean }>(
      `select to_regrole($1) is not null as "isThere", to_regnamespace('minutebook_turns') is not null as "hasTurns"`,
      [escapeIdentifier(role)],
    )
    if (found?.isThere !== true)
      throw new MinutebookError(
        'unknown_role',
        'There is no role with this name.',
        'Create it with: create role … login nosuperuser nobypassrls; or correct the name.',
        { role },
      )
    for (const rights of found.hasTurns ? ['threads', 'turns'] : ['threads'])
      await database.query(rightsFor(rights, role))
  } catch (error) {
    throw failureOf(error)
  }
}

/** The statements of a file, which grants to a role called app. */
function rightsFor(file: string, role: string): string {
  return readFileSync(new URL(`../../sql/rights/${file}.sql`, import.meta.url), 'utf8').replaceAll(
    / to app;/g,
    () => ` to ${escapeIdentifier(role)};`,
  )
}
