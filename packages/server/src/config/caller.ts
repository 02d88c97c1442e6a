import type { DecisionChannel } from 'minutebook/inspect'

/** The sender of a request: known from the key, never from the request's text. */
export interface Caller {
  /** The name of the key; '' without keys. Lines of conversation under different names are never matched. */
  readonly name: string
  readonly tenant: string
  readonly scope: Scope
  /** false: the key is for chats alone, in which it may only speak as a user. */
  readonly system?: false
  /**
   * The operator of the installation: also has what belongs to all tenants, such as their keys and what the upstreams
   * keep.
   */
  readonly installation?: true
  /** The key is one of those that decide about calls that need approval. Admins may without it. */
  readonly decide?: true
  /** A person in the console, with a session of it. */
  readonly inConsole?: true
  /**
   * What the client showed: a key of ours, the local token, or neither. Only in the last case Authorization is for the
   * upstream.
   */
  readonly shown: 'key' | 'token' | 'nothing'
}

/**
 * Returns whether a caller may decide about calls that need approval. The key of an app may not, unless it was made for
 * that: an app that runs an agent must not approve what its agent does. Without keys, everybody on this machine may.
 */
export function mayApprove({ decide, scope, shown }: Caller): boolean {
  return scope === 'admin' || decide === true || shown === 'nothing'
}

/** Through which login a request came: what is recorded of who decides. */
export function channelOf({ name, shown, inConsole }: Caller): DecisionChannel {
  const channel = inConsole === true ? 'console' : channels[shown]
  return { channel, ...(name !== '' && channel !== 'local' && { key: name }) }
}

/** `local`: the token of this machine's operator. `open`: the server needs no key. */
const channels: Readonly<Record<Caller['shown'], string>> = { key: 'key', token: 'local', nothing: 'open' }

/** What a key may do: `admin` everything of its tenant, `app` use threads, `viewer` read what people may see. */
export type Scope = 'admin' | 'app' | 'viewer'

/** All scopes. Each one includes those after it. */
export const scopes: readonly Scope[] = ['admin', 'app', 'viewer']

/**
 * Returns whether a key with one scope may do what needs another: each scope includes those after it.
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
