import { MinutebookError } from '../log/error.ts'
import { readMessage, type Message } from '../log/message.ts'
import { fieldsOf, type Fields } from './fields.ts'
import type { Finish, ModelEvent } from './model.ts'

/** Gathers what a server sends into a model's answer: parsed chunks of a stream, or one whole response. */
export interface Reply {
  /** Takes the next chunk and says what it adds. Throws `model_error` where the chunk says that the server failed. */
  push(chunk: unknown): ModelEvent[]
  /** The whole answer, once all chunks are there. Throws `model_cut` where the server never said that it was done. */
  end(): EndEvent
  /** Whether the server has said that it was done. */
  readonly done: boolean
}

export type EndEvent = Extract<ModelEvent, { type: 'end' }>

export interface ReplyOptions {
  /** Takes out of a server's own words what must not be repeated. */
  readonly redact?: (text: string) => string
}

/** The fields of a chunk that is no error. */
export function chunkFields(chunk: unknown, { redact = (text) => text }: ReplyOptions): Fields {
  if (typeof chunk !== 'object' || chunk === null || Array.isArray(chunk)) throw failed('it sent something that is not a part of an answer')
  const { error } = fieldsOf(chunk)
  if (error === undefined || error === null || error === false) return fieldsOf(chunk)
  throw failed(bounded(redact(errorText(error))))
}

/** What the server says went wrong, whatever the shape in which it says it. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error
  const { message, detail, error: inner } = fieldsOf(error)
  for (const text of [message, detail]) if (typeof text === 'string') return text
  return inner === undefined ? 'it did not say why' : errorText(inner)
}

/** At most so much of a server's words goes into an error of ours, on one line. */
export function bounded(text: string): string {
  const line = text.slice(0, longest * 4).split(/\s+/).join(' ').trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

const longest = 300

/** The events of what one chunk says. */
export function spoken(reasoning: string, text: string): ModelEvent[] {
  const events: ModelEvent[] = []
  if (reasoning !== '') events.push({ type: 'reasoning', text: reasoning })
  if (text !== '') events.push({ type: 'text', text })
  return events
}

/** The end of an answer that a log can keep. An answer with calls calls, whatever the server says; one that ran out of room may have cut its calls. */
export function ended(message: Message, finish: Finish | undefined, usage: EndEvent['usage']): EndEvent {
  if (finish === undefined) throw cut()
  const calls = readable(message)
  return { type: 'end', message, finish: calls && finish !== 'length' && finish !== 'filter' ? 'calls' : finish, ...(usage && { usage }) }
}

function readable(message: Message): boolean {
  try {
    return readMessage(message).calls.length > 0
  } catch {
    throw failed('its answer has a tool call without a name, or one that cannot be read')
  }
}

/** The usage that a server reports, without what it leaves out; undefined where it reports nothing. */
export function usageOf(counts: { readonly [K in keyof NonNullable<EndEvent['usage']>]: unknown }): EndEvent['usage'] {
  const told = Object.entries(counts).filter(([, count]) => typeof count === 'number' && Number.isFinite(count))
  return told.length > 0 ? (Object.fromEntries(told) as EndEvent['usage']) : undefined
}

function failed(why: string): MinutebookError {
  return new MinutebookError('model_error', `The model's server failed in the middle of its answer: ${why}. Retry the turn (thread.retry()) or call the model again; if it fails again, look into the server's log.`)
}

export function cut(): MinutebookError {
  return new MinutebookError('model_cut', `The answer broke off: the model's server closed the connection before it said that it was done. Retry the turn (thread.retry()) or call the model again; if it breaks off again, look into the log of the server and of any proxy before it.`)
}
