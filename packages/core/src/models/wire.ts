import { sha256 } from '#sha256'
import { callIdentity } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { isCount } from '../log/figures.ts'
import { parseJson } from '../log/json.ts'
import { matchCall } from '../log/exchange.ts'
import { readMessage, type Call, type Content, type Message } from '../log/message.ts'
import { noCalls } from '../log/unanswered-calls.ts'
import type { Finish, ModelEvent } from './model.ts'

/** Collects what a server sends into a model's answer: parsed chunks of a stream, or one whole response. */
export interface Reply {
  /**
   * Takes the next chunk and returns the events that it adds. Throws `model_error` if the chunk says that the server
   * failed.
   */
  push(chunk: unknown): ModelEvent[]
  /** Returns the whole answer, after all chunks. Throws `model_cut` if the server never said that it was done. */
  end(): EndEvent
  /** True if the server has said that it was done. */
  readonly done: boolean
}

/** The last event of a model call: the whole message, and why it ended. */
export type EndEvent = Extract<ModelEvent, { type: 'end' }>

/** How the reply of a model server is read. */
export interface ReplyOptions {
  /** Removes secrets from a server's own words. */
  readonly redact?: (text: string) => string
}

/** The fields of a chunk. Throws if the chunk is an error. */
export function chunkFields(chunk: unknown, { redact = (text) => text }: ReplyOptions): Fields {
  if (typeof chunk !== 'object' || chunk === null || Array.isArray(chunk))
    throw serverFailedError('it sent something that is not a part of an answer')
  const { error } = fieldsOf(chunk)
  if (error === undefined || error === null || error === false) return fieldsOf(chunk)
  throw serverFailedError(bounded(redact(errorText(error))))
}

/** Throws `reserved_field` if a caller's extra fields of a request name one that every call sets itself. */
export function refuseReserved(extra: Fields | undefined): void {
  const name = Object.keys(extra ?? {}).find((field) => reserved.has(field))
  if (name === undefined) return
  throw new MinutebookError(
    'reserved_field',
    `extra.${name} cannot be sent: each call sets "${name}" itself.`,
    'Leave it out of extra.',
    { name },
  )
}

const reserved: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'tools'])

/** What the server says went wrong, in whatever shape it says it. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error
  const { message, detail, error: inner } = fieldsOf(error)
  for (const text of [message, detail]) if (typeof text === 'string') return text
  return inner === undefined ? 'it did not say why' : errorText(inner)
}

/** Puts a server's words on one line of at most `longest` characters, for use in an error. */
export function bounded(text: string): string {
  const line = text
    .slice(0, longest * 4)
    .split(/\s+/)
    .join(' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

const longest = 300

/** The events of one chunk. */
export function spoken(reasoning: string, text: string): ModelEvent[] {
  const events: ModelEvent[] = []
  if (reasoning !== '') events.push({ type: 'reasoning', text: reasoning })
  if (text !== '') events.push({ type: 'text', text })
  return events
}

/**
 * The `end` event of an answer that a log can store. If the answer has calls, `finish` is `calls`, whatever the server
 * says, unless it ran out of room or was filtered: then its calls may be incomplete.
 */
export function ended(message: Message, finish: Finish | undefined, usage: EndEvent['usage']): EndEvent {
  if (finish === undefined) throw cutOffError()
  const calls = readable(message)
  return {
    type: 'end',
    message,
    finish: calls && finish !== 'length' && finish !== 'filter' ? 'calls' : finish,
    ...(usage && { usage }),
  }
}

function readable(message: Message): boolean {
  try {
    return readMessage(message).calls.length > 0
  } catch {
    throw serverFailedError('its answer has a tool call without a name, or one that cannot be read')
  }
}

/** The usage that a server reports, without what it leaves out and what cannot be. Undefined if it reports nothing. */
export function usageOf(counts: { readonly [K in keyof NonNullable<EndEvent['usage']>]: unknown }): EndEvent['usage'] {
  // A time says nothing without a count.
  const { seconds, ...others } = counts
  const told = Object.entries(counts.prompt === undefined ? others : { ...others, seconds }).filter(([, count]) =>
    isCount(count),
  )
  return told.length > 0 ? (Object.fromEntries(told) as EndEvent['usage']) : undefined
}

/** A duration in seconds. Undefined if the server does not say, or says 0. `units`: how many of its units are a second. */
export function secondsOf(duration: unknown, units: number): number | undefined {
  return typeof duration === 'number' && duration > 0 ? duration / units : undefined
}

/** Adds a delta: text is appended, a list grows, null changes nothing, and any other value replaces the old one. */
export function joined(before: unknown, value: unknown): unknown {
  if (value === null || value === undefined) return before
  if (typeof value === 'string' && typeof before === 'string') return before + value
  if (Array.isArray(value) || Array.isArray(before)) return [...parts(before), ...parts(value)]
  return value
}

function parts(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'string'
    ? value === ''
      ? []
      : [{ type: 'text', text: value }]
    : value === undefined
      ? []
      : [value]
}

function serverFailedError(why: string): MinutebookError {
  return new MinutebookError(
    'model_error',
    `The model's server failed in the middle of its answer: ${why}.`,
    "Retry the turn (thread.retry()) or call the model again; if it fails again, look into the server's log.",
  )
}

/** The error for an answer that ended without saying that it is complete. */
export function cutOffError(): MinutebookError {
  return new MinutebookError(
    'model_cut',
    "The answer broke off: the model's server closed the connection before it said that it was done.",
    'Retry the turn (thread.retry()) or call the model again; if it breaks off again, look into the log of the server and of any proxy before it.',
  )
}

/** The fields of a JSON object whose shape is not checked yet. */
export type Fields = Readonly<Record<string, unknown>>

/** Fields that other protocols do not know: what only our own converters read. They are removed before sending. */
export const unsent: Fields = {
  sdk: undefined,
  items: undefined,
  thinking_blocks: undefined,
  block_order: undefined,
  is_error: undefined,
}

/** The fields of an object. Empty for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/**
 * Returns the object with these fields replaced; undefined removes a field. Returns the same object if nothing changes,
 * because prompts are hashed.
 */
export function withFields<T extends object>(value: T, fields: Fields): T {
  const own = value as Fields
  const names = Object.keys(fields)
  if (names.every((name) => own[name] === fields[name])) return value
  const changed: Record<string, unknown> = { ...own, ...fields }
  for (const name of names) if (fields[name] === undefined) delete changed[name]
  return changed as T
}

/** Maps a list. Returns the same list if nothing in it changes. */
export function mapSame(list: readonly unknown[], map: (item: unknown, index: number) => unknown): readonly unknown[] {
  const mapped = list.map(map)
  return mapped.every((item, index) => item === list[index]) ? list : mapped
}

/** A message of a prompt, and what it says. */
export interface MessageContent {
  readonly message: Message
  readonly content: Content
  /** Of a result: the call that it answers. */
  readonly answers: Call | undefined
}

/** Finds the call of every result, by the same rule as the whole library (`matchCall`). */
export function paired(messages: readonly Message[]): MessageContent[] {
  let open = noCalls
  return messages.map((message) => {
    const content = readMessage(message)
    const place = matchCall(content, open)
    open = place.open
    return { message, content, answers: place.answers }
  })
}

/**
 * The id of every call of a prompt: its own, or one made of its content, so that it stays the same while the prompt
 * around it changes. It has nine letters and digits, because the strictest templates accept no other.
 */
export function callIds(calls: readonly Call[]): ReadonlyMap<Call, string> {
  const taken = new Set(calls.map(({ id }) => id))
  const ids = new Map<Call, string>()
  for (const call of calls) {
    const id = call.id || freshId(call, taken)
    taken.add(id)
    ids.set(call, id)
  }
  return ids
}

function freshId(call: Call, taken: ReadonlySet<string | undefined>): string {
  const said = callIdentity(call)
  for (let time = 0; ; time++) {
    const id = sha256(JSON.stringify([...said, time])).slice(0, 9)
    if (!taken.has(id)) return id
  }
}

/** The arguments of a call for a server that accepts only an object. Any other value is wrapped in one. */
export function argumentsObject({ arguments: given }: Call): object {
  const value = typeof given === 'string' ? (given === '' ? {} : parseJson(given)) : given
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? value : { value: value ?? given }
}
