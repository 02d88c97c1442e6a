import type { EntryFacts } from '../log/entry.ts'
import type { Message } from '../log/message.ts'

/** A message on its way into a log. */
export interface Draft {
  readonly message: Message
  readonly facts?: EntryFacts
}
