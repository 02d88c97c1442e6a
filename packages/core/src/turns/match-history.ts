import type { Entry } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import { atOnce, itemWork, type Steps } from '../log/time.ts'
import {
  fromRoot,
  isSystem,
  matchAnywhere,
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
 *   earlier is not recorded again.
 * - Two conversations may begin alike: without a common answer the messages are `new`.
 * - `known`: the caller named the thread, so the messages are `new` only if the log is empty. The client may have
 *   dropped its oldest messages: then the rest is searched in the newest branch, and must contain an answer. If
 *   messages are missing from the middle, all that follows is a branch.
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

/**
 * The matched entries: from the beginning of a branch, or, if that matches more, from the middle of the newest branch,
 * because the client dropped its oldest messages.
 */
function longerLine(spine: ConversationTree, spoken: readonly IncomingMessage[]): readonly Entry[] {
  const rooted = fromRoot(spine, spoken)
  const branch = pathTo(spine, spine.newest).filter((entry) => !isSystem(entry))
  // The search below cannot match more than this.
  if (rooted.length >= Math.min(spoken.length, branch.length)) return rooted
  const cut = matchAnywhere(branch, spoken)
  return cut.length > rooted.length && cut.some(isAnswer) ? cut : rooted
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
 * only with the system entries at the end of the branch.
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
