import { canonicalJson, parseJson } from './json.ts'
import { MinutebookError } from './error.ts'
import { sha256 } from './hash.ts'
import { traits, type Kind, type Origin } from './kind.ts'
import { readMessage, type Call, type Content, type Message } from './message.ts'

/** What is in a log? Entries, one per line. They never change: a correction is another entry. */
export interface Entry<M extends Message = Message> extends Content {
  /** SHA-256 over parent and content. A retried append has the same id, and every changed byte makes another id. */
  readonly id: string
  readonly parent: string | null
  /** Its place in the log, from 0, without gaps. */
  readonly seq: number
  readonly kind: Kind
  readonly origin: Origin
  /** `erased`: its content is gone, its place in the chain remains. */
  readonly status: 'complete' | 'partial' | 'cancelled' | 'failed' | 'erased'
  readonly speaker?: string
  /** When it was written, according to the caller. */
  readonly time?: string
  /** The caller's own id for what was sent. Sending it again under the same id does not record it again. */
  readonly key?: string
  /** The message as it was sent. */
  readonly raw: M
  readonly version: typeof entryVersion
}

/** The number of the stored format. Entries of another number are refused, never read as if they had this one. */
export const entryVersion = 2

/** What a caller may know about an entry, apart from its message. */
export interface EntryFacts {
  /** For kinds that have no role of their own, such as `note`. */
  readonly kind?: Kind
  readonly origin?: Origin
  readonly status?: Entry['status']
  readonly speaker?: string
  readonly time?: string
  readonly key?: string
}

/** An entry to which no store has given a seq yet. */
export type NewEntry<M extends Message = Message> = Omit<Entry<M>, 'seq'>

/**
 * Makes the entry for a message that follows `after`.
 *
 * @example
 * const first = entryOf({ role: 'user', content: 'Hello' })
 * const second = entryOf({ role: 'assistant', content: 'Hi!' }, first)
 */
export function entryOf<M extends Message>(
  message: M,
  after?: Pick<Entry, 'id' | 'parent' | 'seq' | 'kind'>,
  facts: EntryFacts = {},
): Entry<M> {
  const seq = after ? after.seq + 1 : 0
  const content = readAt(message, seq)
  const kind = facts.kind ?? content.kind
  const parent = after ? (traits[after.kind].chained ? after.id : after.parent) : null
  return {
    ...content,
    ...facts,
    kind,
    id: identify(parent, { ...content, ...facts, kind }),
    parent,
    seq,
    origin: facts.origin ?? traits[kind].origin,
    status: facts.status ?? 'complete',
    raw: message,
    version: entryVersion,
  }
}

/**
 * The id under which a client sent a message, recorded or still waiting. Undefined for other entries: their keys have
 * another meaning.
 */
export function sentAs({ kind, key }: Pick<Entry, 'kind' | 'key'>): string | undefined {
  return kind === 'user' || kind === 'pending' ? key : undefined
}

/** True for an entry, false for a plain message. */
export function isEntry<M extends Message>(value: M | Entry<M>): value is Entry<M> {
  return typeof value === 'object' && value !== null && 'raw' in value && 'id' in value && 'seq' in value
}

/** Reads a message. If that fails, the error says which message it is. */
function readAt(message: Message, index: number): Content {
  try {
    return readMessage(message)
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    const problem = `Cannot read message ${index}: ${String(error.details['what'])}.`
    throw new MinutebookError(error.code, problem, error.fix, { ...error.details, index })
  }
}

/**
 * Origin, call ids, reasoning and time are not part of the id, because a client that re-sends its history loses or
 * changes them. Entries off the chain are never re-sent, so their key is part of the id: it tells two waiting messages
 * with the same text apart.
 */
export function identify(
  parent: string | null,
  { kind, text, calls, images, key }: Content & Pick<EntryFacts, 'key'>,
): string {
  const own = traits[kind].chained || key === undefined ? [] : [key]
  return sha256(JSON.stringify([parent, kind, text, calls.map(callIdentity), images.map(sha256), ...own]))
}

/** What a call says, no matter how its arguments are written. */
export function callIdentity(call: Call): [string, string] {
  const value = typeof call.arguments === 'string' ? (parseJson(call.arguments) ?? call.arguments) : call.arguments
  return [call.name, canonicalJson(value)]
}
