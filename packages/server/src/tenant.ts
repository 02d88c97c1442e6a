/** Names of tenants: small letters, digits, "_" and "-", so that each can be part of a file's name. */
export const tenantPattern: RegExp = /^[a-z0-9][a-z0-9_-]{0,62}$/

export function isTenant(name: string): boolean {
  return tenantPattern.test(name)
}
