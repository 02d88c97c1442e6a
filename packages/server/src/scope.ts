/**
 * What a key may do: `admin` everything of its tenant, `app` speak and use threads, `viewer` see what people may
 * see.
 */
export type Scope = 'admin' | 'app' | 'viewer'

export const scopes: readonly Scope[] = ['admin', 'app', 'viewer']

/**
 * Whether a key with one scope may do what needs another: each may all that those after it may.
 *
 * @example
 * isWithin('app', 'viewer') // true: an app sees what a viewer sees
 */
export function isWithin(held: Scope, needed: Scope): boolean {
  return scopes.includes(held) && scopes.indexOf(held) <= scopes.indexOf(needed)
}
