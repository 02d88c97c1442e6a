/** Who asks: known from the key, never from the request's text. */
export interface Caller {
  /** The name of the key; '' where no keys are configured. Lines of different names never meet. */
  readonly name: string
  readonly tenant: string
  /** May read the record of the tenant: the local operator token, or a key that says so. */
  readonly operator: boolean
  /** false: may have no words but a user's, and so asks for nothing but chats. */
  readonly system?: false
  /** What was shown: a key of ours, the local token, or nothing of ours. Only then Authorization is for the upstream. */
  readonly shown: 'key' | 'token' | 'nothing'
}
