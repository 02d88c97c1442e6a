import { readMessage, type Message } from '../log/message.ts'
import type { Collected } from './collect.ts'
import { hanging } from '../record/hanging.ts'
import type { Draft } from '../record/draft.ts'
import { takeNotes } from '../note/note.ts'

/** The answer and the notes that came with it. Nothing but a note by tool is no answer: the model will be asked on. */
export function answerDrafts({ message, finish }: Extract<Collected, { whole: true }>, withNotes: boolean): Draft[] {
  const { message: rest, notes } = withNotes ? takeNotes(message) : { message, notes: [] }
  const answer = finish === 'length' ? withoutCalls(rest) : rest
  const { calls, text } = readMessage(answer)
  const onlyNotes = calls.length === 0 && text === '' && readMessage(message).calls.length > 0 && finish !== 'length'
  const noteDrafts = notes.map((content) => hanging('note', content))
  return [...(onlyNotes ? [] : [{ message: answer, facts: { status: finish === 'length' ? 'partial' : 'complete' } } as const]), ...noteDrafts]
}

/** As much of an answer as was shown. */
export function partialDrafts(shown: string, status: 'cancelled' | 'failed'): Draft[] {
  return shown === '' ? [] : [{ message: { role: 'assistant', content: shown }, facts: { status } }]
}

/** Whether this ends a turn. */
export function isFinal({ message, facts }: Draft): boolean {
  const { kind, calls } = readMessage(message)
  return facts?.kind === undefined && kind === 'assistant' && calls.length === 0
}

/** A call whose end was cut off is not one that should run. */
function withoutCalls(message: Message): Message {
  const { tool_calls: _, ...rest } = message
  return rest
}
