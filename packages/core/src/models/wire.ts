import { MinutebookError } from '../log/error.ts'
import { matchCall } from '../log/exchange.ts'
import { readMessage, type Call, type Content, type Message } from '../log/message.ts'
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

/** The last event of a model call: the whole message, and why it ended. */
export type EndEvent = Extract<ModelEvent, { type: 'end' }>

/** How the reply of a model server is read. */
export interface ReplyOptions {
  /** Takes out of a server's own words what must not be repeated. */
  readonly redact?: (text: string) => string
}

/** The fields of a chunk that is no error. */
export function chunkFields(chunk: unknown, { redact = (text) => text }: ReplyOptions): Fields {
  if (typeof chunk !== 'object' || chunk === null || Array.isArray(chunk))
    throw failed('it sent something that is not a part of an answer')
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
  const line = text
    .slice(0, longest * 4)
    .split(/\s+/)
    .join(' ')
    .trim()
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

/**
 * The end of an answer that a log can keep. An answer with calls calls, whatever the server says; one that ran out of
 * room may have cut its calls.
 */
export function ended(message: Message, finish: Finish | undefined, usage: EndEvent['usage']): EndEvent {
  if (finish === undefined) throw cut()
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
    throw failed('its answer has a tool call without a name, or one that cannot be read')
  }
}

/** The usage that a server reports, without what it leaves out; undefined where it reports nothing. */
export function usageOf(counts: { readonly [K in keyof NonNullable<EndEvent['usage']>]: unknown }): EndEvent['usage'] {
  const told = Object.entries(counts).filter(([, count]) => typeof count === 'number' && Number.isFinite(count))
  return told.length > 0 ? (Object.fromEntries(told) as EndEvent['usage']) : undefined
}

function failed(why: string): MinutebookError {
  return new MinutebookError(
    'model_error',
    `The model's server failed in the middle of its answer: ${why}. Retry the turn (thread.retry()) or call the model again; if it fails again, look into the server's log.`,
  )
}

export function cut(): MinutebookError {
  return new MinutebookError(
    'model_cut',
    `The answer broke off: the model's server closed the connection before it said that it was done. Retry the turn (thread.retry()) or call the model again; if it breaks off again, look into the log of the server and of any proxy before it.`,
  )
}

/** The fields of a JSON object whose shape is not checked yet. */
export type Fields = Readonly<Record<string, unknown>>

/** What only our own converters read: no server knows it. */
export const unsent: Fields = { sdk: undefined }

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/**
 * The object with these fields in place of its own, undefined for none. The very same object where it has them already:
 * prompts are hashed.
 */
export function withFields<T extends object>(value: T, fields: Fields): T {
  const own = value as Fields
  const names = Object.keys(fields)
  if (names.every((name) => own[name] === fields[name])) return value
  const changed: Record<string, unknown> = { ...own, ...fields }
  for (const name of names) if (fields[name] === undefined) delete changed[name]
  return changed as T
}

/** The very same list where nothing in it changes. */
export function mapSame(list: readonly unknown[], map: (item: unknown, index: number) => unknown): readonly unknown[] {
  const mapped = list.map(map)
  return mapped.every((item, index) => item === list[index]) ? list : mapped
}

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
    const place = matchCall(content, open)
    open = place.open
    return { message, content, answers: place.answers }
  })
}

/** The address in an image part of OpenAI's protocol; undefined for any other part. */
export function partAddress(part: unknown): string | undefined {
  const { image_url: image } = fieldsOf(part)
  const address = typeof image === 'string' ? image : fieldsOf(image)['url']
  return typeof address === 'string' ? address : undefined
}

/** An image as OpenAI's protocol takes it: an address stays, data becomes a data URL. */
export function imageAddress(image: unknown): string {
  const data = image instanceof Uint8Array ? base64Of(image) : String(image)
  return hasScheme(data) ? data : `data:${mediaType(data)};base64,${data}`
}

/** An image as Ollama takes it: base64. Undefined for an address that would have to be fetched. */
export function imageData(image: unknown): string | undefined {
  if (image instanceof Uint8Array) return base64Of(image)
  const data = String(image)
  if (!hasScheme(data)) return data
  const comma = data.indexOf(',')
  return data.startsWith('data:') && data.slice(0, comma).endsWith(';base64') ? data.slice(comma + 1) : undefined
}

/** Base64 has no colon, and a scheme is short. */
function hasScheme(text: string): boolean {
  return text.slice(0, 32).includes(':')
}

/** By the first bytes; servers look at the data themselves, but want some type. */
function mediaType(data: string): string {
  return signatures.find(([start]) => data.startsWith(start))?.[1] ?? 'image/png'
}

const signatures: readonly (readonly [start: string, type: string])[] = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['Qk', 'image/bmp'],
]

/** Written out because core has no platform to ask. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    text += alphabet.charAt(first >> 2) + alphabet.charAt(((first & 3) << 4) | ((second ?? 0) >> 4))
    text += second === undefined ? '=' : alphabet.charAt(((second & 15) << 2) | ((third ?? 0) >> 6))
    text += third === undefined ? '=' : alphabet.charAt(third & 63)
  }
  return text
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
