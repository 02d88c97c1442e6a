import type { Entry } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import { atOnce, itemWork, type Steps } from '../log/steps.ts'
import {
  matchAnywhere,
  fromRoot,
  matchesEntry,
  isSystem,
  pathTo,
  withoutNotes,
  spineOf,
  type Compared,
  type IncomingMessage,
  type ConversationTree,
} from './conversation-tree.ts'

/** What the messages of a client that re-sends its whole history are to a log. */
export interface Reconciliation {
  /** They go on where a branch ends, they leave a branch before its end, or they are another conversation. */
  readonly kind: 'continuation' | 'branch' | 'new'
  /** The entry that `fresh` follows; undefined where it opens the log, or a branch from its very beginning. */
  readonly parent: Entry | undefined
  /** For each of the messages, the entry that it is. */
  readonly known: readonly (Entry | undefined)[]
  /** How many of them the log has. */
  readonly matched: number
  /** What is to be appended after `parent`, without notes. */
  readonly fresh: readonly Message[]
  /** For each of `fresh`, its place among the messages. */
  readonly indexes: readonly number[]
}

export interface ReconcileOptions extends Compared {
  /** The caller named the thread. */
  readonly known?: boolean
}

/**
 * Finds the place of a client's messages in a log of any number of branches. Time grows with the two, not with their
 * product.
 *
 * - Messages are compared by what they say: not by call ids, reasoning, the order of keys or notes. Notes that a
 *   client kept are taken off, and are not in `fresh`.
 * - An edited message, or a history without its last answer, is a `branch`.
 * - System messages never make a branch, since many clients write the date into theirs. One that the branch does
 *   not have is in `fresh`: first, where it stands before a message that the log has. One that the branch had
 *   before is not said again.
 * - Two conversations may begin alike: without an answer in common the messages are `new`.
 * - `known`: the caller named the thread, so they are `new` only to an empty log. Then a client may also have
 *   dropped its oldest messages: what it kept is looked for in the newest branch, and must hold an answer. Where
 *   messages are missing from the middle, all that follows is a branch.
 * - `trimmed`: white space around a text does not count, since many clients take it off answers.
 * - `demoted`: a system message may be on record as a client's words (`demotedBy`).
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

/** The same, step by step. */
export function* reconciling(
  incoming: readonly Message[],
  log: readonly Entry[],
  options: ReconcileOptions = {},
): Steps<Reconciliation> {
  const messages = (yield* withoutNotes(incoming)).map((message) => ({ ...message, compared: options }))
  const spine = spineOf(log)
  yield log.length * (itemWork / 10)
  const spoken = messages.filter(({ content }) => !isSystem(content))
  const line = options.known ? longerLine(spine, spoken) : fromRoot(spine, spoken)
  const isNew = options.known ? spine.newest === undefined : !line.some(isAnswer)
  if (isNew)
    return { kind: 'new', parent: undefined, known: incoming.map(() => undefined), matched: 0, ...freshOf(messages) }

  const last = line.at(-1)
  const before = last?.id ?? null
  const ends = !spine.after.has(before)
  const parent = (ends ? spine.systemsAfter.get(before)?.at(-1) : undefined) ?? last ?? commonOpening(spine, messages)
  const same = new Map(line.map((entry, at) => [spoken[at]!.index, entry]))
  findSystems(pathTo(spine, parent), messages, spoken[line.length - 1]?.index ?? -1, same)
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

/** From the beginning on, unless more is found where the client dropped its oldest messages. */
function longerLine(spine: ConversationTree, spoken: readonly IncomingMessage[]): readonly Entry[] {
  const rooted = fromRoot(spine, spoken)
  const branch = pathTo(spine, spine.newest).filter((entry) => !isSystem(entry))
  // No more can be found in the branch than it has.
  if (rooted.length >= Math.min(spoken.length, branch.length)) return rooted
  const cut = matchAnywhere(branch, spoken)
  return cut.length > rooted.length && cut.some(isAnswer) ? cut : rooted
}

/** The system entries that open both. */
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
 * Adds system messages that the branch has, by their index. After the last message that the log has, only what the log
 * ends with counts.
 */
function findSystems(
  path: readonly Entry[],
  messages: readonly IncomingMessage[],
  lastIndex: number,
  same: Map<number, Entry>,
): void {
  const all = path.filter(isSystem)
  const closing = path.slice(path.findLastIndex((entry) => !isSystem(entry)) + 1)
  const [earlier, later] = [finder(all), finder(closing)]
  let before: string | null = null
  for (const message of messages) {
    if (isSystem(message.content)) {
      const entry = message.index < lastIndex ? earlier(message, before) : later(message, before)
      if (entry) same.set(message.index, entry)
    }
    before = same.get(message.index)?.id ?? before
  }
}

/** Finds by text; those whose text is gone first behind the message before it, then the newest of the others. */
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

/** Of these, each message is compared with as many. */
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
