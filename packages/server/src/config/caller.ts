/** Who asks: known from the key, never from the request's text. */
export interface Caller {
  /** The name of the key; '' where there are no keys. Lines of different names never meet. */
  readonly name: string
  readonly tenant: string
  readonly scope: Scope
  /** false: for chats alone, in which it has no words but a user's. */
  readonly system?: false
  /**
   * The operator of the installation: also has what is of all tenants, such as their keys and what the upstreams keep.
   */
  readonly installation?: true
  /**
   * What was shown: a key of ours, the local token, or nothing of ours. Only then Authorization is for the upstream.
   */
  readonly shown: 'key' | 'token' | 'nothing'
}

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

/** Names of tenants: small letters, digits, "_" and "-", so that each can be part of a file's name. */
export const tenantPattern: RegExp = /^[a-z0-9][a-z0-9_-]{0,62}$/

export function isTenant(name: string): boolean {
  return tenantPattern.test(name)
}
