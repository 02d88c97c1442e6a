import type { Scope } from './scope.ts'

/** Who asks: known from the key, never from the request's text. */
export interface Caller {
  /** The name of the key; '' where there are no keys. Lines of different names never meet. */
  readonly name: string
  readonly tenant: string
  readonly scope: Scope
  /** false: may have no words but a user's, and so asks for nothing but chats. */
  readonly system?: false
  /** What was shown: a key of ours, the local token, or nothing of ours. Only then Authorization is for the upstream. */
  readonly shown: 'key' | 'token' | 'nothing'
}
