import { placeOf } from '../log/exchange.ts'
import { readMessage, type Call, type Content, type Message } from '../log/message.ts'

/** A message of a prompt with what it says. */
export interface Paired {
  readonly message: Message
  readonly content: Content
  /** On a result: the call that it answers. */
  readonly answers: Call | undefined
}

/** Finds the call of every result, by the one rule that the whole library has. */
export function paired(messages: readonly Message[]): Paired[] {
  let open: readonly Call[] = []
  return messages.map((message) => {
    const content = readMessage(message)
    const place = placeOf(content, open)
    open = place.open
    return { message, content, answers: place.answers }
  })
}
