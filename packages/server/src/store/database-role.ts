import type { DatabaseRole } from '@minutebook/postgres'
import { MinutebookError } from 'minutebook'

/**
 * What is wrong with the role that a server connects to Postgres as: nothing keeps tenants apart but its own
 * statements.
 */
export interface RoleProblem {
  readonly says: string
  readonly fix: string
  /** Tenants beside `default` that are known; if there are any, a server does not start. */
  readonly others: readonly string[]
}

/**
 * Undefined if row-level security binds the role. `tenants`: those that are known beside the ones that have threads,
 * such as those of keys.
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
    fix: 'Connect as a role that it binds: make one (create role … login nosuperuser nobypassrls), grant it its rights (minutebook migrate --app-role …), and name it in the settings (database, MINUTEBOOK_DATABASE).',
    others: [...new Set([...seen, ...tenants])].filter((tenant) => tenant !== 'default').toSorted(),
  }
}

/** Thrown by a server that would serve several tenants as such a role. */
export function tenantsUnguarded({ says, fix }: Pick<RoleProblem, 'says' | 'fix'>): MinutebookError {
  return new MinutebookError('tenants_unguarded', `${says}, and there are several.`, fix)
}
