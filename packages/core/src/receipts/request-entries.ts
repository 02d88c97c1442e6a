import { changesPrompts } from '../log/log.ts'
import { isSystem, type Entry } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import { kindOf, readMessage, type Message } from '../log/message.ts'
import { entryOfReference, isSame, referredBy, type Finder, type Reference } from './message-reference.ts'

/** A message of a request, and the entry that records it. */
export interface RequestMessage {
  readonly message: Message
  readonly entry: Entry
}

/**
 * The entries from which a prompt is compiled if it may hold only what a request sent: one for each message, as the
 * request says it. The record may say more, such as reasoning. If the request begins with the first message of the
 * branch, the notes, the journal and the pins of the branch are added.
 *
 * `branch`: the branch that the request ends.
 */
export function requestEntries(messages: readonly RequestMessage[], branch: readonly Entry[]): Entry[] {
  const sent = new Map(messages.map(({ entry, message }) => [entry.id, entryAsSent(entry, message)]))
  const first = branch.find(isSpoken)
  if (!first || !sent.has(first.id)) return [...sent.values()]
  /** What hangs off the branch, by the sent entry that it comes after. */
  const hanging = new Map<string | undefined, Entry[]>()
  let last: string | undefined
  for (const entry of branch) {
    if (sent.has(entry.id)) last = entry.id
    if (isChained(entry) || !(traits[entry.kind].prompted || changesPrompts(entry))) continue
    const others = hanging.get(last)
    if (others) others.push(entry)
    else hanging.set(last, [entry])
  }
  const opening = hanging.get(undefined) ?? []
  return [...opening, ...[...sent].flatMap(([id, entry]) => [entry, ...(hanging.get(id) ?? [])])]
}

/**
 * True if it cannot be told from the end of a branch whether a request begins with the first message of all: the first one
 * that the end has is in the request.
 */
export function mayBeginEarlier(messages: readonly RequestMessage[], end: readonly Entry[]): boolean {
  const first = end.find(isSpoken)
  return messages.some(({ entry }) => entry.id === first?.id)
}

function isSpoken(entry: Entry): boolean {
  return isChained(entry) && !isSystem(entry)
}

function isChained({ kind }: Entry): boolean {
  return traits[kind].chained
}

/** An entry with what a request says of it. An erased entry is not said again. */
function entryAsSent(entry: Entry, message: Message): Entry {
  // A system message may be recorded as a user's words.
  const isDemoted = kindOf(message) !== entry.kind
  const raw = isDemoted ? { ...message, role: entry.raw.role } : message
  if (entry.status === 'erased' || isSame(entry.raw, raw)) return entry
  const known = sentAs.get(entry)
  if (known && isSame(known.raw, raw)) return known
  const { answers: _, ...facts } = entry
  const sent: Entry = { ...facts, ...readMessage(raw), raw }
  sentAs.set(entry, sent)
  return sent
}

/** The newest result for each entry. A fold goes on only if its entries are the same objects. */
const sentAs = new WeakMap<Entry, Entry>()

/** The messages that references are about. Undefined if one is missing. A note that a client kept is not an entry. */
export function messagesOf(references: readonly Reference[], find: Finder): RequestMessage[] | undefined {
  const found: RequestMessage[] = []
  for (const reference of references) {
    const id = entryOfReference(reference, find)
    if (typeof reference === 'object' && 'message' in reference) continue
    const entry = find(id ?? '')
    const message = referredBy(reference, find)
    if (!entry || !message) return undefined
    found.push({ message, entry })
  }
  return found
}
