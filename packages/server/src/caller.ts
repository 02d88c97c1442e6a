import type { Scope } from './scope.ts'

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
