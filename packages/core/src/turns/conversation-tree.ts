import { callIdentity, identify, type Entry } from '../log/entry.ts'
import { matchCall } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import { readMessage, type Call, type Content, type Message } from '../log/message.ts'
import { noteToolName } from '../log/note-parser.ts'
import { itemWork, type Steps } from '../log/steps.ts'
import { takeNotes } from './notes.ts'

/**
 * A log as a conversation: its chained entries with the system entries taken out from between them, so that what an
 * operator says, and changes, does not come between a question and its answer.
 */
export interface ConversationTree {
  readonly entries: ReadonlyMap<string, Entry>
  /**
   * Entries that are not system entries, by the last such entry before them; null for those that open the conversation.
   */
  readonly after: ReadonlyMap<string | null, readonly Entry[]>
  /** The same for system entries. */
  readonly systemsAfter: ReadonlyMap<string | null, readonly Entry[]>
  readonly newest: Entry | undefined
}

export function spineOf(log: readonly Entry[]): ConversationTree {
  const entries = new Map<string, Entry>()
  const after = new Map<string | null, Entry[]>()
  const systemsAfter = new Map<string | null, Entry[]>()
  /** For each entry, the newest entry of the spine up to it. */
  const spoken = new Map<string, string | null>()
  let newest: Entry | undefined
  for (const entry of log) {
    if (!traits[entry.kind].chained) continue
    const before = entry.parent === null ? null : (spoken.get(entry.parent) ?? null)
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

/** The entries from the root to this one, system entries among them. */
export function pathTo(spine: ConversationTree, entry: Entry | undefined): Entry[] {
  const path: Entry[] = []
  for (let next = entry; next; next = next.parent === null ? undefined : spine.entries.get(next.parent)) path.push(next)
  return path.reverse()
}

/** The longest beginning of the messages that some branch begins with; the newest of several. */
export function fromRoot(spine: ConversationTree, messages: readonly IncomingMessage[]): Entry[] {
  let reached: readonly Entry[] = []
  for (const [index, message] of messages.entries()) {
    // Every entry comes after one other: over all messages, none is looked at twice.
    const before = index === 0 ? [null] : reached.map(({ id }) => id)
    const next = before.flatMap((id) => spine.after.get(id) ?? []).filter((entry) => matchesEntry(entry, message))
    if (next.length === 0) break
    reached = next
  }
  const last = reached.reduce<Entry | undefined>(
    (newest, entry) => (newest && newest.seq > entry.seq ? newest : entry),
    undefined,
  )
  return pathTo(spine, last).filter((entry) => !isSystem(entry))
}

/** The longest beginning of the messages that stands anywhere in the branch; the newest of several. */
export function matchAnywhere(branch: readonly Entry[], messages: readonly IncomingMessage[]): Entry[] {
  const trimmed = messages.some(({ compared }) => compared?.trimmed)
  const alike = ({ kind, text, calls, images }: Content): string =>
    JSON.stringify([kind, trimmed ? text.trim() : text, callsOf(calls), images])
  const wanted = messages.map(({ content }) => alike(content))
  const lengths = overlaps([
    ...wanted,
    '',
    ...branch.map((entry) => (entry.status === 'erased' ? entry.id : alike(entry))),
  ])
  let best = { at: 0, length: 0 }
  for (const at of branch.keys()) {
    const length = lengths[wanted.length + 1 + at] ?? 0
    if (length >= best.length) best = { at, length }
  }
  return branch.slice(best.at, best.at + best.length)
}

/**
 * True if the message is this entry, said again. An entry that was erased is known by its id; ask first where it is
 * likeliest.
 */
export function matchesEntry(entry: Entry, message: IncomingMessage): boolean {
  const { content, noted } = message
  return isSame(entry, content, message) || (noted !== undefined && isSame(entry, noted, message))
}

function isSame(
  entry: Entry,
  said: Content,
  { compared: { trimmed, demoted } = {}, ids, noted }: IncomingMessage,
): boolean {
  const content = demoted && isDemoted(entry) && said.kind === 'system' ? { ...said, kind: entry.kind } : said
  if (entry.kind !== content.kind) return false
  if (entry.status === 'erased') return idAfter(entry.parent, content, said === noted ? 'noted' : '', ids) === entry.id
  if (entry.text !== content.text && !(trimmed && entry.text.trim() === content.text.trim())) return false
  return isSameList(callsOf(entry.calls), callsOf(content.calls)) && isSameList(entry.images, content.images)
}

/** The id that a message would have behind an entry; undefined if it was worked out for too many others before. */
function idAfter(parent: string | null, content: Content, form: string, ids: Map<string, string>): string | undefined {
  const place = `${parent} ${content.kind} ${form}`
  const known = ids.get(place)
  if (known !== undefined || ids.size >= Math.max(2, Math.min(mostPlaces, mostHashed / content.text.length)))
    return known
  const id = identify(parent, content)
  ids.set(place, id)
  return id
}

/** A log may have any number of erased entries, and each place takes a hash of the whole message. */
const mostPlaces = 32
const mostHashed = 1 << 18

/** What calls say. Worked out once for each list of them: a message is compared with many entries. */
function callsOf(calls: readonly Call[]): readonly string[] {
  const known = knownCalls.get(calls)
  if (known) return known
  const found = calls.flatMap(callIdentity)
  knownCalls.set(calls, found)
  return found
}

const knownCalls = new WeakMap<readonly Call[], readonly string[]>()

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index])
}

/** Who speaks where a client's system message counts as a user's words. */
export const demotedBy = 'client'

/** An operator's words, or those of a client that would be one: they come between nothing. */
export function isSystem(said: Content | Entry): boolean {
  return traits[said.kind].role === 'system' || ('id' in said && isDemoted(said))
}

function isDemoted({ kind, origin, speaker }: Entry): boolean {
  return kind === 'user' && origin === 'import' && speaker === demotedBy
}

/**
 * For each place, how many items from there on are those from the start on. Looks at each item a constant number of
 * times.
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

/** A message that a client sent, without the notes that it may have kept. */
export interface IncomingMessage {
  /** Its place among the messages as they came. */
  readonly index: number
  readonly message: Message
  readonly content: Content
  /** What it says with its notes, where it has any: a log that was written without taking notes has it so. */
  readonly noted: Content | undefined
  readonly compared?: Compared
  /** The ids that it would have, by what they depend on: worked out once, and not for any number of places. */
  readonly ids: Map<string, string>
}

/** What does not count when messages are compared with entries. */
export interface Compared {
  /** White space around a text. */
  readonly trimmed?: boolean | undefined
  /** That a system message of a client is on record as a user's words. */
  readonly demoted?: boolean | undefined
}

/**
 * The messages without what the model told only itself: note blocks at the end of answers, calls that leave a note, the
 * results of such calls, and answers that were nothing else.
 */
export function* withoutNotes(messages: readonly Message[]): Steps<IncomingMessage[]> {
  const found: IncomingMessage[] = []
  let open: readonly Call[] = []
  for (const [index, message] of messages.entries()) {
    yield itemWork
    const came = readMessage(message)
    const place = matchCall(came, open)
    open = place.open
    if (place.answers?.name === noteToolName || (place.orphan && came.answers?.name === noteToolName)) continue
    const { message: rest } = takeNotes(message)
    const content = rest === message ? came : readMessage(rest)
    if (saysNothing(content) && came.calls.length > 0) continue
    found.push({ index, message: rest, content, noted: rest === message ? undefined : came, ids: new Map() })
  }
  return found
}

function saysNothing({ text, calls, images }: Content): boolean {
  return text === '' && calls.length === 0 && images.length === 0
}
