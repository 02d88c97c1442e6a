import { attachedTexts } from '../log/attachment.ts'
import { callIdentity, identify, isDemoted, isSystem, type Entry } from '../log/entry.ts'
import { matchCall } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import { readMessage, type Call, type Content, type Message } from '../log/message.ts'
import { isNoteCall } from '../log/note-parser.ts'
import { itemWork, type Steps } from '../log/time.ts'
import { noCalls } from '../log/unanswered-calls.ts'
import { takeNotes } from './notes.ts'

/**
 * A log as a tree of what was said, without system entries between: a system text that is added or changed must not
 * separate a question from its answer. `reconcile` uses it to find where a client's messages belong.
 */
export interface ConversationTree {
  readonly entries: ReadonlyMap<string, Entry>
  /**
   * The entries that are not system entries, by the last such entry before them. Null: those that open a conversation.
   */
  readonly after: ReadonlyMap<string | null, readonly Entry[]>
  /** The same for system entries. */
  readonly systemsAfter: ReadonlyMap<string | null, readonly Entry[]>
  /** The newest chained entry of the log. */
  readonly newest: Entry | undefined
}

/** Builds the tree of a log. */
export function spineOf(log: readonly Entry[]): ConversationTree {
  const entries = new Map<string, Entry>()
  const after = new Map<string | null, Entry[]>()
  const systemsAfter = new Map<string | null, Entry[]>()
  /** For each entry, the last entry up to it that is not a system entry. */
  const spoken = new Map<string, string | null>()
  let newest: Entry | undefined
  for (const entry of log) {
    if (!traits[entry.kind].chained) continue
    const { parent } = entry
    // In the end of a log, the parent of the first entry is not there.
    const before = parent === null || !spoken.has(parent) ? parent : (spoken.get(parent) ?? null)
    const places = isSystem(entry) ? systemsAfter : after
    const beside = places.get(before)
    if (beside) beside.push(entry)
    else places.set(before, [entry])
    entries.set(entry.id, entry)
    spoken.set(entry.id, isSystem(entry) ? before : entry.id)
    newest = entry
  }
  return { entries, after, systemsAfter, newest }
}

/** The entries from the root to this one, including system entries. */
export function pathTo(spine: ConversationTree, entry: Entry | undefined): Entry[] {
  const path: Entry[] = []
  for (let next = entry; next; next = next.parent === null ? undefined : spine.entries.get(next.parent)) path.push(next)
  return path.reverse()
}

/**
 * Finds the longest prefix of the messages with which a branch begins. If there are several such branches, the newest
 * one.
 */
export function fromRoot(spine: ConversationTree, messages: readonly IncomingMessage[]): Entry[] {
  let reached: readonly Entry[] = []
  let next = spine.after.get(null) ?? []
  for (const message of messages) {
    const same = next.filter((entry) => matchesEntry(entry, message))
    if (same.length === 0) break
    reached = same
    // Each entry follows exactly one other, so over all messages no entry is looked at twice.
    next = same.flatMap(({ id }) => spine.after.get(id) ?? [])
  }
  const last = reached.reduce<Entry | undefined>(
    (newest, entry) => (newest && newest.seq > entry.seq ? newest : entry),
    undefined,
  )
  return pathTo(spine, last).filter((entry) => !isSystem(entry))
}

/**
 * Finds the longest prefix of the messages that occurs anywhere in the branch. If it occurs several times, the newest
 * one.
 */
export function matchAnywhere(branch: readonly Entry[], messages: readonly IncomingMessage[]): Entry[] {
  const lengths = matchLengths(branch, messages)
  let best = { at: 0, length: 0 }
  for (const [at, length] of lengths.entries()) {
    if (length >= best.length) best = { at, length }
  }
  return branch.slice(best.at, best.at + best.length)
}

/**
 * Finds the longest prefix of the messages with which the branch ends: a client that dropped its oldest messages, and
 * goes on.
 */
export function matchEnd(branch: readonly Entry[], messages: readonly IncomingMessage[]): Entry[] {
  const end = branch.slice(-messages.length)
  const lengths = matchLengths(end, messages)
  const at = end.findIndex((_, index) => index + lengths[index]! === end.length)
  return at < 0 ? [] : end.slice(at)
}

/** For each entry, the number of entries from there on that equal the messages from the first on. */
function matchLengths(branch: readonly Entry[], messages: readonly IncomingMessage[]): readonly number[] {
  const trimmed = messages.some(({ compared }) => compared.trimmed)
  const alike = (said: Content): string =>
    JSON.stringify([said.kind, trimmed ? said.text.trim() : said.text, callsOf(said.calls), attachedTexts(said)])
  const wanted = messages.map(({ content }) => alike(content))
  const had = branch.map((entry) => (entry.status === 'erased' ? entry.id : alike(entry)))
  return overlaps([...wanted, '', ...had]).slice(wanted.length + 1)
}

/**
 * True if the message says the same as this entry. An erased entry has no text, so it is recognised by its id. That
 * takes a hash for each place: try the likeliest place first.
 */
export function matchesEntry(entry: Entry, message: IncomingMessage): boolean {
  const { content, noted } = message
  return isSame(entry, content, message) || (noted !== undefined && isSame(entry, noted, message))
}

function isSame(entry: Entry, said: Content, { compared: { trimmed, demoted }, ids, noted }: IncomingMessage): boolean {
  const content = demoted && isDemoted(entry) && said.kind === 'system' ? { ...said, kind: entry.kind } : said
  if (entry.kind !== content.kind) return false
  if (entry.status === 'erased') return idAfter(entry.parent, content, said === noted ? 'noted' : '', ids) === entry.id
  if (entry.text !== content.text && !(trimmed && entry.text.trim() === content.text.trim())) return false
  return (
    isSameList(callsOf(entry.calls), callsOf(content.calls)) && isSameList(attachedTexts(entry), attachedTexts(content))
  )
}

/** The id that the message would have after this parent. Undefined if ids were computed for too many places already. */
function idAfter(parent: string | null, content: Content, form: string, ids: Map<string, string>): string | undefined {
  const place = `${parent} ${content.kind} ${form}`
  const known = ids.get(place)
  if (known !== undefined || ids.size >= Math.max(2, Math.min(mostPlaces, mostHashed / content.text.length)))
    return known
  const id = identify(parent, content)
  ids.set(place, id)
  return id
}

/**
 * Bounds for `idAfter`: a log may have any number of erased entries, and each place takes a hash of the whole message.
 */
const mostPlaces = 32
const mostHashed = 1 << 18

/** The identities of calls. Cached for each list, because a message is compared with many entries. */
function callsOf(calls: readonly Call[]): readonly string[] {
  if (calls.length === 0) return []
  const known = knownCalls.get(calls)
  if (known) return known
  const found = calls.flatMap(callIdentity)
  knownCalls.set(calls, found)
  return found
}

/** The cache of `callsOf`. */
const knownCalls = new WeakMap<readonly Call[], readonly string[]>()

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index])
}

/**
 * For each index, the number of items from there on that equal the items from the start on (the Z function). Linear
 * time.
 */
function overlaps(items: readonly string[]): number[] {
  const lengths = items.map(() => 0)
  let [from, to] = [0, 0]
  for (let at = 1; at < items.length; at++) {
    let length = at < to ? Math.min(to - at, lengths[at - from] ?? 0) : 0
    while (at + length < items.length && items[length] === items[at + length]) length++
    lengths[at] = length
    if (at + length > to) [from, to] = [at, at + length]
  }
  return lengths
}

/** A message of a client, without the notes that the client may have kept in it. */
export interface IncomingMessage {
  /** Its index in the client's list. */
  readonly index: number
  readonly message: Message
  readonly content: Content
  /** The content including its notes, if it has any: a log that was written with notes off contains it like this. */
  readonly noted: Content | undefined
  /** How it is compared with entries. */
  readonly compared: MatchOptions
  /** The cache of `idAfter`. */
  readonly ids: Map<string, string>
}

/** Differences that are ignored when messages are compared with entries. */
export interface MatchOptions {
  /** Ignore white space around a text. */
  readonly trimmed?: boolean | undefined
  /** Let a system message match an entry that records it as a user's words. */
  readonly demoted?: boolean | undefined
}

/**
 * Removes what the model told only itself: note blocks at the end of answers, calls of the note tool and their results,
 * and answers that contained nothing else. `compared`: how what is left is compared with entries.
 */
export function* withoutNotes(messages: readonly Message[], compared: MatchOptions): Steps<IncomingMessage[]> {
  const found: IncomingMessage[] = []
  let open = noCalls
  for (const [index, message] of messages.entries()) {
    yield itemWork
    const came = readMessage(message)
    const place = matchCall(came, open)
    open = place.open
    if (isNoteCall(place.answers) || (place.orphan && isNoteCall(came.answers))) continue
    const { message: rest } = takeNotes(message, 'exact')
    const content = rest === message ? came : readMessage(rest)
    if (saysNothing(content) && came.calls.length > 0) continue
    const noted = rest === message ? undefined : came
    found.push({ index, message: rest, content, noted, compared, ids: new Map() })
  }
  return found
}

function saysNothing(said: Content): boolean {
  return said.text === '' && said.calls.length === 0 && attachedTexts(said).length === 0
}
