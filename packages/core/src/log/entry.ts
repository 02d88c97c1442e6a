import { sha256 } from '#sha256'
import { attachedTexts } from './attachment.ts'
import { MinutebookError } from './error.ts'
import { canonicalJson, parseJson } from './json.ts'
import { traits, type Kind, type Origin } from './kind.ts'
import { ownMessage, readMessage, type Call, type Content, type Message } from './message.ts'

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
  /** What the sender passed to the tools of the turn, as JSON. It is in no prompt, and people do not see it. */
  readonly context?: unknown
  /** How the sender wants the model to be asked. It is in no prompt, and people do not see it. */
  readonly options?: ModelOptions
  /** The message as it was sent. */
  readonly raw: M
  readonly version: typeof entryVersion
}

/** How a model is asked for an answer, next to the prompt. Plain JSON, so that it can be recorded with a message. */
export interface ModelOptions {
  /** From 0, always the likeliest word, to 2. */
  readonly temperature?: number | undefined
  /** With the same seed, many servers answer the same prompt with the same text. */
  readonly seed?: number | undefined
  /** The answer ends before the first of these texts. */
  readonly stop?: readonly string[] | undefined
  /** The JSON Schema of the answer, which is then JSON. */
  readonly output?: OutputSchema | undefined
}

/** The JSON Schema of an answer, as a plain object. */
export type OutputSchema = Readonly<Record<string, unknown>>

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
  readonly context?: unknown
  readonly options?: ModelOptions
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
export function clientKeyOf({ kind, key }: Pick<Entry, 'kind' | 'key'>): string | undefined {
  return kind === 'user' || kind === 'pending' ? key : undefined
}

/** True for an entry, false for a plain message. */
export function isEntry<M extends Message>(value: M | Entry<M>): value is Entry<M> {
  return typeof value === 'object' && value !== null && 'raw' in value && 'id' in value && 'seq' in value
}

/**
 * The entries of a conversation. Plain messages become entries as their roles say: a result is a tool's, an answer the
 * model's. So a caller that passes messages of a client vouches for them.
 */
export function asEntries<M extends Message>(conversation: readonly (M | Entry<M>)[]): readonly Entry<M>[] {
  let last: Entry<M> | undefined
  return conversation.map((next) => (last = isEntry(next) ? next : entryOf(ownMessage(next), last)))
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
  { kind, text, calls, key, ...rest }: Content & Pick<EntryFacts, 'key'>,
): string {
  const own = traits[kind].chained || key === undefined ? [] : [key]
  const attached = attachedTexts(rest).map(sha256)
  return sha256(JSON.stringify([parent, kind, text, calls.map(callIdentity), attached, ...own]))
}

/** What a call says, no matter how its arguments are written. */
export function callIdentity(call: Call): [string, string] {
  const value = typeof call.arguments === 'string' ? (parseJson(call.arguments) ?? call.arguments) : call.arguments
  return [call.name, canonicalJson(value)]
}

/** A message that is about to be recorded. */
export interface EntryDraft {
  readonly message: Message
  readonly facts?: EntryFacts
  /** The entry that it hangs off, if that is not the one before it. */
  readonly off?: string
}

/** An entry of Minutebook's own that hangs off the chain. */
export function sideEntry(kind: Kind, content: string, facts: Omit<EntryFacts, 'kind'> = {}): EntryDraft {
  return { message: { role: 'system', content }, facts: { ...facts, kind } }
}

/**
 * The entry that asks for another answer to the entry it will hang off. It names the newest entry, so that each retry
 * is another entry.
 */
export function retryDraft(log: readonly Entry[], facts: Pick<EntryFacts, 'context' | 'options'> = {}): EntryDraft {
  return sideEntry('retry', JSON.stringify({ upto: log.at(-1)?.id ?? null }), facts)
}

/** The key of entries with the thread's own system text. */
const systemKey = 'system'

/** Of the entries with the thread's own system text: the newest one counts. */
export const ownText: Readonly<{ key: string }> = { key: systemKey }

export function systemDraft(text: string): EntryDraft {
  return { message: { role: 'system', content: text }, facts: ownText }
}

/**
 * The key of a system message at the start of a client's history, by its place there. If the client changes that
 * message, the new one replaces it.
 */
export function openingKey(place: number): string {
  return `${systemKey}:${place}`
}

/** True if an entry, or a draft with these facts, is the thread's own system text. */
export function isOwnText(facts: Pick<EntryFacts, 'key'> | undefined): boolean {
  return facts?.key === systemKey
}

/** True if the next entry with the same key replaces this entry. */
export function isSystemText(entry: Entry): boolean {
  return entry.kind === 'system' && (entry.key === systemKey || entry.key?.startsWith(`${systemKey}:`) === true)
}

/** The speaker of a client's system message that is recorded as a user's words. */
export const demotedBy = 'client'

/** True for system messages, and for a client's system message that is recorded as a user's words. */
export function isSystem(said: Content | Entry): boolean {
  return traits[said.kind].role === 'system' || ('id' in said && isDemoted(said))
}

export function isDemoted({ kind, origin, speaker }: Entry): boolean {
  return kind === 'user' && origin === 'import' && speaker === demotedBy
}

/**
 * The branch with only the newest version of each system text, at the place of the first version. An empty system text
 * removes it.
 */
export function withNewestSystemText<E extends Entry>(branch: readonly E[]): readonly E[] {
  const newest = new Map<string | undefined, E>()
  let count = 0
  for (const entry of branch) {
    if (!isSystemText(entry)) continue
    newest.set(entry.key, entry)
    count++
  }
  if (count === newest.size && ![...newest.values()].some(({ text }) => text === '')) return branch
  return branch.flatMap((entry) => {
    if (!isSystemText(entry)) return [entry]
    const text = newest.get(entry.key)
    newest.delete(entry.key)
    return text && text.text !== '' ? [text] : []
  })
}

/**
 * The key for a client's own id. Keys that Minutebook makes begin with `~` and another character. If an id begins with
 * `~`, it gets a second `~`. So no id that a client chooses can equal a key of Minutebook's.
 */
export function senderKey(id: string): string {
  return id.startsWith(mark) ? mark + id : id
}

/**
 * The key of a message that was sent without an id and must wait. `unique`: a number that no other such message has.
 */
export function madeKey(unique: string): string {
  return `${mark}.${unique}`
}

/** The id that the sender of a message chose. Undefined if it chose none. */
export function sentIdOf({ kind, key }: Pick<Entry, 'kind' | 'key'>): string | undefined {
  if (kind !== 'user' || key === undefined || !key.startsWith(mark)) return kind === 'user' ? key : undefined
  return key.startsWith(mark + mark) ? key.slice(mark.length) : undefined
}

/** The beginning of keys that Minutebook makes. */
const mark = '~'
