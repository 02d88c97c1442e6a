import { MinutebookError } from 'minutebook'
import { hash } from 'node:crypto'

/**
 * A name as a key. Postgres accepts neither NUL nor lone surrogates, and no key that fills half a page. So names are
 * escaped, and a long one becomes its digest after an escape that no name produces.
 */
export function keyOf(name: string): string {
  const key = JSON.stringify(name).slice(1, -1)
  return key.length <= longest ? key : `\\#${hash('sha256', key)}`
}

/** What is stored next to the key, so that the name can be restored: null if the key is enough. */
export function nameBeside(name: string): string | null {
  const key = JSON.stringify(name).slice(1, -1)
  return key.length <= longest ? null : key
}

/** The name of a key. */
export function nameFrom(key: string, beside: string | null): string {
  return JSON.parse(`"${beside ?? key}"`) as string
}

/** Four bytes a character at most, three of them in an index entry of 2,704 bytes. */
const longest = 200

/** The key of a tenant. Default: `default`. Not the empty name, which a connection has that set no tenant. */
export function tenantKey(tenant: string | undefined): string {
  if (tenant === undefined) return 'default'
  if (typeof tenant === 'string' && tenant !== '') return keyOf(tenant)
  throw new MinutebookError('invalid_tenant', 'The tenant is not a name.', 'Pass a name as tenant, or leave it out.')
}
