import { MinutebookError } from 'minutebook'
import { keyOf } from './key.ts'

/**
 * The key of a tenant: `default` unless told. Not the empty name, which is what a connection says that has said no
 * tenant.
 */
export function tenantKey(tenant: string | undefined): string {
  if (tenant === undefined) return 'default'
  if (typeof tenant === 'string' && tenant !== '') return keyOf(tenant)
  throw new MinutebookError('invalid_tenant', 'The tenant is not a name.', 'Pass a name as tenant, or leave it out.')
}
