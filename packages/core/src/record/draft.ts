import type { EntryFacts } from '../log/entry.ts'
import type { Message } from '../log/message.ts'

/** A message on its way into a log. */
export interface Draft {
  readonly message: Message
  readonly facts?: EntryFacts
  /** The entry that it hangs off, where that is not the one before it. */
  readonly off?: string
}
