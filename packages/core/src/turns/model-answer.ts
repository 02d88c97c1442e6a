import { sideEntry, type EntryDraft } from '../log/draft.ts'
import { MinutebookError } from '../log/error.ts'
import { readMessage, recordable, type Message } from '../log/message.ts'
import { createNoteParser } from '../log/note-parser.ts'
import type { Finish, Model, ModelEvent, ModelRequest, Usage } from '../models/model.ts'
import { takeNotes } from './notes.ts'
import type { TurnControl } from './turn.ts'

/** What a model call returned: a whole answer, or the text that was shown before it failed. */
export type ModelAnswer =
  | { readonly whole: true; readonly message: Message; readonly finish: Finish; readonly usage: Usage }
  | { readonly whole: false; readonly shown: string; readonly error: unknown }

/**
 * What does the model say? Calls the model and emits the text that may be shown, as it comes. Never throws, and does
 * not wait for a model that ignores its signal.
 */
export async function collect(
  model: Model,
  request: ModelRequest,
  control: TurnControl,
  withNotes: boolean,
): Promise<ModelAnswer> {
  const parser = withNotes ? createNoteParser() : plain
  let shown = ''
  let streamed = false
  const show = (text: string): void => {
    if (text === '') return
    shown += text
    control.emit({ type: 'text', text })
  }
  try {
    for await (const event of untilAborted(model(request), request.signal)) {
      if (event.type === 'reasoning') control.emit(event)
      if (event.type === 'text') show(parser.push(event.text))
      if (event.type === 'text' && event.text !== '') streamed = true
      if (event.type !== 'end') continue
      const { finish, usage = {} } = event
      const message = answerOf(event.message)
      if (!streamed) show(parser.push(readMessage(message).text))
      const { text } = parser.end()
      // The cut may be inside a note: keep only the text that was shown.
      if (finish === 'length' && withNotes)
        return { whole: true, message: { ...message, content: shown }, finish, usage }
      show(text)
      return { whole: true, message, finish, usage }
    }
    throw new MinutebookError(
      'model_cut',
      'The model stopped without an "end" event, so its answer may be cut off.',
      'Retry the turn.',
    )
  } catch (error) {
    return { whole: false, shown, error }
  }
}

/** Returns the answer as it is recorded. Throws if it is not an assistant's message, or cannot be recorded. */
function answerOf(said: Message): Message {
  const message = recordable(said)
  if (readMessage(message).kind === 'assistant') return message
  throw new MinutebookError(
    'malformed_message',
    'The model ended with a message that is not an assistant’s.',
    'Let it end with { role: "assistant" }.',
  )
}

const plain = { push: (text: string): string => text, end: () => ({ text: '' }) }

/**
 * Yields the model's events until the signal aborts, even if the model ignores the signal. Leaving the loop closes the
 * model without waiting for it.
 */
async function* untilAborted(
  events: AsyncIterable<ModelEvent>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, void> {
  const source = events[Symbol.asyncIterator]()
  let end = (): void => undefined
  const stop = (): void => end()
  // A new promise for each event: one promise for all would keep every event in memory until the model has ended.
  const next = (): Promise<IteratorResult<ModelEvent>> =>
    new Promise((resolve, reject) => {
      end = () => reject(aborted())
      source.next().then(resolve, reject)
    })
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (!signal.aborted) {
      const { value, done } = await next()
      if (done) return
      yield value
    }
    throw aborted()
  } finally {
    signal.removeEventListener('abort', stop)
    leave(source)
  }
}

/** Closes the model's iterator. Errors are ignored: the turn does not use the model any more. */
function leave(source: AsyncIterator<ModelEvent>): void {
  const left = async (): Promise<unknown> => source.return?.()
  left().catch(() => undefined)
}

function aborted(): MinutebookError {
  return new MinutebookError('model_aborted', 'The turn was cancelled.', '')
}

/**
 * The entries of an answer and its notes. If the model only left a note by tool, there is no answer entry: the model is
 * called again.
 */
export function answerDrafts(
  { message, finish }: Extract<ModelAnswer, { whole: true }>,
  withNotes: boolean,
): EntryDraft[] {
  const { message: rest, notes } = withNotes ? takeNotes(message) : { message, notes: [] }
  const answer = finish === 'length' ? withoutCalls(rest) : rest
  const { calls, text } = readMessage(answer)
  const onlyNotes = calls.length === 0 && text === '' && readMessage(message).calls.length > 0 && finish !== 'length'
  const noteDrafts = notes.map((content) => sideEntry('note', content))
  return [
    ...(onlyNotes
      ? []
      : [{ message: answer, facts: { status: finish === 'length' ? 'partial' : 'complete' } } as const]),
    ...noteDrafts,
  ]
}

/** The entry of a partial answer: the text that was shown. Empty if there was none. */
export function partialDrafts(shown: string, status: 'cancelled' | 'failed'): EntryDraft[] {
  return shown === '' ? [] : [{ message: { role: 'assistant', content: shown }, facts: { status } }]
}

/** True if the draft is a final answer, without calls, which ends a turn. */
export function isFinal({ message, facts }: EntryDraft): boolean {
  const { kind, calls } = readMessage(message)
  return facts?.kind === undefined && kind === 'assistant' && calls.length === 0
}

/** The last call may be cut off, so none of them should run. */
function withoutCalls(message: Message): Message {
  const { tool_calls: _, ...rest } = message
  return rest
}
