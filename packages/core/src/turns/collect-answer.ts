import { MinutebookError } from '../log/error.ts'
import { readMessage, recordable, type Message } from '../log/message.ts'
import { createNoteParser } from '../log/note-parser.ts'
import type { Finish, Model, ModelEvent, ModelRequest, Usage } from '../models/model.ts'
import { usageOf, type EndEvent } from '../models/wire.ts'
import type { TurnConfig } from './turn-run.ts'
import type { TurnControl } from './turn.ts'

/** What a model call returned: a whole answer, or the text that was shown before it failed. */
export type ModelAnswer =
  /** `held`: the text that was not shown yet. */
  | {
      readonly whole: true
      readonly message: Message
      readonly finish: Finish
      readonly usage: Usage
      readonly held: string
    }
  | { readonly whole: false; readonly shown: string; readonly error: unknown }

/**
 * What does the model say? Calls the model and emits the text that may be shown, as it comes. Never throws, and does
 * not wait for a model that ignores its signal. `isHeld`: shows no text, because the answer may not count. `heard` is
 * called with each text that comes.
 */
export async function collect(
  model: Model,
  request: ModelRequest,
  control: TurnControl,
  notes: TurnConfig['notes'],
  { isHeld = false, heard = () => undefined }: { readonly isHeld?: boolean; readonly heard?: () => void } = {},
): Promise<ModelAnswer> {
  const parser = notes === 'off' ? plain : createNoteParser(notes)
  let shown = ''
  let streamed = false
  const show = (text: string): void => {
    if (text === '') return
    shown += text
    if (!isHeld) control.emit({ type: 'text', text })
  }
  const whole = (message: Message, { finish, usage = {} }: EndEvent): ModelAnswer => {
    return { whole: true, message, finish, usage: usageOf(usage) ?? {}, held: isHeld ? shown : '' }
  }
  try {
    for await (const event of untilAborted(model(request), request.signal)) {
      if (event.type !== 'end' && event.text !== '') heard()
      if (event.type === 'reasoning') control.emit(event)
      if (event.type === 'text') show(parser.push(event.text))
      if (event.type === 'text' && event.text !== '') streamed = true
      if (event.type !== 'end') continue
      const message = answerOf(event.message)
      if (!streamed) show(parser.push(readMessage(message).text))
      // The cut may be inside a note: the rest is not shown.
      if (event.finish !== 'length' || notes === 'off') show(parser.end())
      return whole(message, event)
    }
    throw new MinutebookError(
      'model_cut',
      'The model stopped without an "end" event, so its answer may be cut off.',
      'Retry the turn.',
    )
  } catch (error) {
    return { whole: false, shown: isHeld ? '' : shown, error }
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

const plain = { push: (text: string): string => text, end: () => '' }

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
      end = () => reject(abortedError())
      source.next().then(resolve, reject)
    })
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (!signal.aborted) {
      const { value, done } = await next()
      if (done) return
      yield value
    }
    throw abortedError()
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

function abortedError(): MinutebookError {
  return new MinutebookError('model_aborted', 'The turn was cancelled.', '')
}
