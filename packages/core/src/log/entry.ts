import { canonicalJson, parseJson } from './json.ts'
import { MinutebookError } from './error.ts'
import { sha256 } from './hash.ts'
import { traits, type Kind, type Origin } from './kind.ts'
import { readMessage, type Call, type Content, type Message } from './message.ts'

/** One line of a log. Immutable: a correction is another entry. */
export interface Entry<M extends Message = Message> extends Content {
  /** SHA-256 over parent and content: a retried append is the same entry, a changed byte is another. */
  readonly id: string
  readonly parent: string | null
  /** Its place in the log, from 0, without gaps. */
  readonly seq: number
  readonly kind: Kind
  readonly origin: Origin
  /** `erased`: what it said is gone, its place in the chain remains. */
  readonly status: 'complete' | 'partial' | 'cancelled' | 'failed' | 'erased'
  readonly speaker?: string
  /** When it was written, as the caller says. */
  readonly time?: string
  /** The caller's own id for what was sent, so that sending it again is not saying it again. */
  readonly key?: string
  /** The message as it came. */
  readonly raw: M
  readonly version: 1
}

/** What a caller may know about an entry beside its message. */
export interface EntryFacts {
  /** A kind that no role stands for, such as `note`. */
  readonly kind?: Kind
  readonly origin?: Origin
  readonly status?: Entry['status']
  readonly speaker?: string
  readonly time?: string
  readonly key?: string
}

/** An entry that no store has given its place yet. */
export type NewEntry<M extends Message = Message> = Omit<Entry<M>, 'seq'>

/**
 * The entry for a message that follows `after`.
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
    version: 1,
  }
}

/** The id that a sender gave what was sent, said or still waiting; entries of our own have keys that are none. */
export function sentAs({ kind, key }: Pick<Entry, 'kind' | 'key'>): string | undefined {
  return kind === 'user' || kind === 'pending' ? key : undefined
}

/** True for an entry, false for a plain message. */
export function isEntry<M extends Message>(value: M | Entry<M>): value is Entry<M> {
  return typeof value === 'object' && value !== null && 'raw' in value && 'id' in value && 'seq' in value
}

/** Reads a message and, where it cannot be read, says which one it is. */
function readAt(message: Message, index: number): Content {
  try {
    return readMessage(message)
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    const { what, fix } = error.details
    throw new MinutebookError(error.code, `Cannot read message ${index}: ${String(what)}; ${String(fix)}.`, {
      ...error.details,
      index,
    })
  }
}

/**
 * Origin, call ids, reasoning and time are not part of it: a client that re-sends its history loses or changes them.
 * Off the chain nothing is ever re-sent, and the key tells two messages apart that wait with the same words.
 */
export function identify(
  parent: string | null,
  { kind, text, calls, images, key }: Content & Pick<EntryFacts, 'key'>,
): string {
  const own = traits[kind].chained || key === undefined ? [] : [key]
  return sha256(JSON.stringify([parent, kind, text, calls.map(callIdentity), images.map(sha256), ...own]))
}

/** What a call says, however its arguments are written. */
export function callIdentity(call: Call): [string, string] {
  const value = typeof call.arguments === 'string' ? (parseJson(call.arguments) ?? call.arguments) : call.arguments
  return [call.name, canonicalJson(value)]
}
