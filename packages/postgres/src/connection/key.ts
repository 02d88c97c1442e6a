import { MinutebookError } from 'minutebook'
import { hash } from 'node:crypto'

/**
 * A name as a key: Postgres takes neither NUL nor halves of characters, and no key that fills half a page. So it is
 * escaped, and a long one stands as its digest behind an escape that no name gives.
 */
export function keyOf(name: string): string {
  const key = JSON.stringify(name).slice(1, -1)
  return key.length <= longest ? key : `\\#${hash('sha256', key)}`
}

/** What is kept beside the key, so that the name can be told: nothing where the key tells it. */
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

/**
 * The key of a tenant: `default` unless told. Not the empty name, which is what a connection says that has said no
 * tenant.
 */
export function tenantKey(tenant: string | undefined): string {
  if (tenant === undefined) return 'default'
  if (typeof tenant === 'string' && tenant !== '') return keyOf(tenant)
  throw new MinutebookError('invalid_tenant', 'The tenant is not a name.', 'Pass a name as tenant, or leave it out.')
}
