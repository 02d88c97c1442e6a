import { isSystem, type Entry } from '../log/entry.ts'
import { mostSystems, sayingHash, type Landmarks } from '../past/landmarks.ts'
import type { Message } from '../log/message.ts'
import { atOnce, itemWork, type Steps } from '../log/time.ts'
import {
  fromRoot,
  matchAnywhere,
  matchEnd,
  matchesEntry,
  pathTo,
  spineOf,
  withoutNotes,
  type ConversationTree,
  type IncomingMessage,
  type MatchOptions,
} from './conversation-tree.ts'

/** How a client's messages relate to a log. The client sends its whole history each time. */
export interface Reconciliation {
  /**
   * `continuation`: they continue the end of a branch. `branch`: they leave a branch before its end. `new`: they are
   * another conversation.
   */
  readonly kind: 'continuation' | 'branch' | 'new'
  /** The entry that `fresh` follows. Undefined if `fresh` opens the log, or a branch at its very beginning. */
  readonly parent: Entry | undefined
  /** For each message, the entry that records it, if there is one. */
  readonly known: readonly (Entry | undefined)[]
  /** The number of messages that the log has. */
  readonly matched: number
  /** The new messages, to be appended after `parent`. Their notes are removed. */
  readonly fresh: readonly Message[]
  /** For each message of `fresh`, its index in the client's list. */
  readonly indexes: readonly number[]
}

export interface ReconcileOptions extends MatchOptions {
  /** True if the caller named the thread. */
  readonly known?: boolean
}

/**
 * Which of a client's messages are new, and where in the log do they belong? The log may have any number of branches.
 * Time grows with the sum of both lengths, not with their product.
 *
 * - Messages are compared by what they say. Call ids, reasoning, the order of keys and notes do not count. Notes that
 *   the client kept are removed, and are not in `fresh`.
 * - An edited message, or a history without its last answer, is a `branch`.
 * - System messages never make a branch, because many clients write the date into theirs. One that the branch does
 *   not have is in `fresh`. It comes first if it is before a message that the log has. One that the branch had
 *   earlier is not recorded again; one that opens the history is only searched among the newest of the branch.
 * - Two conversations may begin alike: without a common answer the messages are `new`.
 * - `known`: the caller named the thread, so the messages are `new` only if the log is empty. The client may have
 *   dropped its oldest messages: then the rest is searched in the newest branch, and must contain an answer. It is
 *   searched at the end of that branch first, because people say the same again. If messages are missing from the
 *   middle, all that follows is a branch.
 * - `trimmed`: white space around a text does not count, because many clients remove it from answers.
 * - `demoted`: a system message may be recorded as a client's words (`demotedBy`).
 *
 * @example
 * const { kind, parent, fresh } = reconcile(request.messages, await store.read(thread))
 */
export function reconcile(
  incoming: readonly Message[],
  log: readonly Entry[],
  options: ReconcileOptions = {},
): Reconciliation {
  return atOnce(reconciling(incoming, log, options))
}

/** The same in steps, so that a long history does not block the process. */
export function* reconciling(
  incoming: readonly Message[],
  log: readonly Entry[],
  options: ReconcileOptions = {},
): Steps<Reconciliation> {
  const found = yield* matching(incoming, log, options, undefined)
  // Of a whole log, nothing can be missing.
  return found as Reconciliation
}

/** What is known of the entries before the end of a log. */
export interface LogPart {
  /** The seq from which on every entry is there. */
  readonly from: number
  /** The entry that the landmarks are of: it was the newest of its branch. */
  readonly head: string
  readonly landmarks: Landmarks
  /** The system entries among the landmarks. */
  readonly systems: readonly Entry[]
}

/** What must be read to match a history: some entries before those that are loaded, or all of them. */
export type Missing = 'earlier' | 'whole'

/** The same for the end of a log. The result is that of the whole log, or says what is missing to know it. */
export function* matching(
  incoming: readonly Message[],
  log: readonly Entry[],
  options: ReconcileOptions,
  end: LogPart | undefined,
): Steps<Reconciliation | Missing> {
  const messages = yield* withoutNotes(incoming, options)
  const spine = spineOf(log)
  yield log.length * (itemWork / 10)
  const spoken = messages.filter(({ content }) => !isSystem(content))
  const missing = end && missingOpening(end, spoken)
  if (missing) return missing
  const line = options.known ? longerLine(spine, spoken) : fromRoot(spine, spoken)
  if (typeof line === 'string') return line
  if (end && line.length === 0) return 'whole'
  const isNew = options.known ? spine.newest === undefined : !line.some(isAnswer)
  if (isNew)
    return { kind: 'new', parent: undefined, known: incoming.map(() => undefined), matched: 0, ...freshOf(messages) }

  const last = line.at(-1)
  const before = last?.id ?? null
  const ends = !spine.after.has(before)
  const parent = (ends ? spine.systemsAfter.get(before)?.at(-1) : undefined) ?? last ?? commonOpening(spine, messages)
  const same = new Map(line.map((entry, at) => [spoken[at]!.index, entry]))
  const path = pathTo(spine, parent)
  const older = end ? systemsBefore(path, end) : { systems: [], all: true }
  const places = { first: spoken[0]?.index ?? -1, last: spoken[line.length - 1]?.index ?? -1 }
  if (!older || !findSystems(path, older, messages, places, same)) return 'whole'
  return {
    kind: ends ? 'continuation' : 'branch',
    parent,
    known: incoming.map((_, index) => same.get(index)),
    matched: same.size,
    ...freshOf(messages.filter(({ index }) => !same.has(index))),
  }
}

function freshOf(messages: readonly IncomingMessage[]): Pick<Reconciliation, 'fresh' | 'indexes'> {
  return { fresh: messages.map(({ message }) => message), indexes: messages.map(({ index }) => index) }
}

/**
 * The matched entries: from the beginning of a branch, or, if that matches more, from the middle of the newest branch,
 * because the client dropped its oldest messages.
 */
function longerLine(spine: ConversationTree, spoken: readonly IncomingMessage[]): readonly Entry[] | Missing {
  const rooted = fromRoot(spine, spoken)
  const path = pathTo(spine, spine.newest)
  const branch = path.filter((entry) => !isSystem(entry))
  const isWhole = (path[0]?.parent ?? null) === null
  if (!isWhole && branch.length < spoken.length) return 'earlier'
  // The search below cannot match more than this.
  if (rooted.length >= Math.min(spoken.length, branch.length)) return rooted
  const ended = matchEnd(branch, spoken)
  const cut = ended.some(isAnswer) ? ended : matchAnywhere(branch, spoken)
  // An older part of the branch may match more. It cannot match more than all.
  if (!isWhole && cut !== ended && cut.length < spoken.length) return 'whole'
  return cut.length > rooted.length && cut.some(isAnswer) ? cut : rooted
}

/** What is missing if the messages may begin like a conversation whose first message is not there. */
function missingOpening(
  { from, landmarks: { openings } }: LogPart,
  spoken: readonly IncomingMessage[],
): Missing | undefined {
  const [first] = spoken
  if (!first) return 'whole'
  const hashes = [first.content, ...(first.noted ? [first.noted] : [])].map(sayingHash)
  const opening = openings.find(([seq, hash]) => seq < from && hashes.includes(hash))
  // A client that sends so much of the log has more of it read.
  if (!opening) return undefined
  return from - opening[0] <= mostEntries * spoken.length ? 'earlier' : 'whole'
}

/** How many entries of a log there may be for each message of a client: the answer has its receipt, notes and more. */
const mostEntries = 8

/**
 * The system entries of a branch that are not in its loaded part, and whether these are all. Undefined if the branch does
 * not follow the landmarks.
 */
function systemsBefore(path: readonly Entry[], { head, landmarks, systems }: LogPart): OlderSystems | undefined {
  const first = path[0]!
  if (first.parent === null) return { systems: [], all: true }
  if (first.parent !== head && !path.some(({ id }) => id === head)) return undefined
  return { systems: systems.filter(({ seq }) => seq < first.seq), all: landmarks.allSystems }
}

interface OlderSystems {
  readonly systems: readonly Entry[]
  readonly all: boolean
}

/** The last of the system entries with which both the log and the messages begin. */
function commonOpening(spine: ConversationTree, messages: readonly IncomingMessage[]): Entry | undefined {
  const openings = byParent(spine.systemsAfter.get(null) ?? [])
  let last: Entry | undefined
  for (const message of messages) {
    const next = openings.get(last?.id ?? null)?.find((entry) => matchesEntry(entry, message))
    if (!next) break
    last = next
  }
  return last
}

/**
 * Adds to `same` the system messages that the branch has, by index. A message after the last matched one is compared
 * only with the system entries at the end of the branch. One before all others is compared with the newest: many clients
 * write the time into theirs. `spoken`: the indexes of the first message that is not a system message, and of the last
 * matched one. Returns false if the branch may have one of them among system entries that are not known.
 */
function findSystems(
  path: readonly Entry[],
  older: OlderSystems,
  messages: readonly IncomingMessage[],
  spoken: { readonly first: number; readonly last: number },
  same: Map<number, Entry>,
): boolean {
  const all = [...older.systems, ...path.filter(isSystem)]
  const closing = path.slice(path.findLastIndex((entry) => !isSystem(entry)) + 1)
  const [opening, earlier, later] = [finder(all.slice(-mostSystems)), finder(all), finder(closing)]
  let before: string | null = null
  for (const message of messages) {
    if (isSystem(message.content)) {
      const isOpening = message.index < spoken.first
      const find = message.index >= spoken.last ? later : isOpening ? opening : earlier
      const entry = find(message, before)
      if (!entry && find === earlier && !older.all) return false
      if (entry) same.set(message.index, entry)
    }
    before = same.get(message.index)?.id ?? before
  }
  return true
}

/**
 * Finds the entry of a system message by its text. An erased entry has no text: first those right after the message
 * before it are tried, then the newest others.
 */
function finder(entries: readonly Entry[]): (message: IncomingMessage, before: string | null) => Entry | undefined {
  const byText = new Map(entries.map((entry) => [entry.text, entry]))
  const erased = entries.filter(({ status }) => status === 'erased')
  const behind = byParent(erased)
  const newest = erased.slice(-mostErased).reverse()
  return (message, before) =>
    [byText.get(message.content.text), ...(behind.get(before) ?? []), ...newest].find(
      (entry) => entry && matchesEntry(entry, message),
    )
}

/** The highest number of erased entries that a message is compared with. */
const mostErased = 32

function byParent(entries: readonly Entry[]): ReadonlyMap<string | null, readonly Entry[]> {
  const found = new Map<string | null, Entry[]>()
  for (const entry of entries) {
    const beside = found.get(entry.parent)
    if (beside) beside.push(entry)
    else found.set(entry.parent, [entry])
  }
  return found
}

function isAnswer({ kind }: Entry): boolean {
  return kind === 'assistant'
}
