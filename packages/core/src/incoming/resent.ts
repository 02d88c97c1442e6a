import { placeOf } from '../log/exchange.ts'
import { readMessage, type Call, type Content, type Message } from '../log/message.ts'
import { noteToolName } from '../log/note-parser.ts'
import { itemWork, type Steps } from '../log/steps.ts'
import { takeNotes } from '../note/note.ts'

/** A message that a client sent, without the notes that it may have kept. */
export interface Resent {
  /** Its place among the messages as they came. */
  readonly index: number
  readonly message: Message
  readonly content: Content
  /** What it says with its notes, where it has any: a log that was written without taking notes has it so. */
  readonly noted: Content | undefined
  readonly compared?: Compared
  /** The ids that it would have, by what they depend on: worked out once, and not for any number of places. */
  readonly ids: Map<string, string>
}

/** What does not count when messages are compared with entries. */
export interface Compared {
  /** White space around a text. */
  readonly trimmed?: boolean | undefined
  /** That a system message of a client is on record as a user's words. */
  readonly demoted?: boolean | undefined
}

/**
 * The messages without what the model told only itself: note blocks at the end of answers, calls that leave a note,
 * the results of such calls, and answers that were nothing else.
 */
export function* resent(messages: readonly Message[]): Steps<Resent[]> {
  const found: Resent[] = []
  let open: readonly Call[] = []
  for (const [index, message] of messages.entries()) {
    yield itemWork
    const came = readMessage(message)
    const place = placeOf(came, open)
    open = place.open
    if (place.answers?.name === noteToolName || (place.orphan && came.answers?.name === noteToolName)) continue
    const { message: rest } = takeNotes(message)
    const content = rest === message ? came : readMessage(rest)
    if (saysNothing(content) && came.calls.length > 0) continue
    found.push({ index, message: rest, content, noted: rest === message ? undefined : came, ids: new Map() })
  }
  return found
}

function saysNothing({ text, calls, images }: Content): boolean {
  return text === '' && calls.length === 0 && images.length === 0
}
