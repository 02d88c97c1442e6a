import { entryOf, isEntry, type Entry } from '../log/entry.ts'
import { matchCall, type CallMatch } from '../log/exchange.ts'
import { traits, type Origin } from '../log/kind.ts'
import { ownMessage, type Message } from '../log/message.ts'
import { atOnce, type Steps } from '../log/time.ts'
import { noCalls, type UnansweredCalls } from '../log/unanswered-calls.ts'
import { pinCost } from './clip.ts'
import { appended, at, between, emptyView, push, type View } from './columns.ts'
import { costOf } from './cost.ts'
import { emptyDigest, finishedDigest, withEntry, type DigestDraft } from './digest.ts'
import { firstEpoch, nextEpoch, repairs, replayEpochs, type Epoch } from './cut.ts'
import type { FoldedEntry } from './framing.ts'
import { countsKey, layoutKey, settingsOf, unlimited, type CompileOptions } from './settings.ts'

/**
 * What does compiling need to know about a log? A fold is a log with its token counts, digests, stem index and epoch,
 * updated entry by entry. It is a value: `advance` does not change the fold it is given. Folds of one thread share
 * their data.
 */
export interface Fold<M extends Message = Message> extends View<M> {
  readonly epoch: Epoch
  /** The calls that still wait for their results. */
  readonly open: UnansweredCalls
  /** The digest of the exchange that is not finished yet. */
  readonly digest: DigestDraft
}

/**
 * Creates an empty fold, to be advanced entry by entry and compiled under the same options. Without options it only
 * counts; then pass the window to `compile`.
 *
 * @example
 * let fold = createFold({ window: 8192 })
 * for (const message of messages) fold = advance(fold, message)
 * const prompt = compile(fold).messages
 */
export function createFold<M extends Message = Message>(options: CompileOptions = unlimited): Fold<M> {
  return { ...emptyView<M>(settingsOf(options)), epoch: firstEpoch, open: noCalls, digest: emptyDigest }
}

/**
 * Returns the fold with one more entry. A plain message becomes the next entry. Without a fold, it starts a new one. An
 * entry that no prompt can contain does not change the fold.
 */
export function advance<M extends Message>(before: Fold<M> | undefined, next: M | Entry<M>): Fold<M> {
  return atOnce(advanceInSteps(before, next))
}

/** What the text of an entry is known to cost, if it becomes the entry at `index` of a fold. */
export type KnownTokens = (index: number, seq: number) => number | undefined

/** The same in steps, so that others can work in between. */
export function* advanceInSteps<M extends Message>(
  before: Fold<M> | undefined,
  next: M | FoldedEntry<M>,
  known?: KnownTokens,
): Steps<Fold<M>> {
  const fold = before ?? createFold<M>()
  const { settings, open } = fold
  const last = fold.length === 0 ? undefined : at(fold.columns.entries, fold.length - 1)
  const entry = withinRights(isEntry(next) ? next : entryOf(ownMessage(next), last))
  if (!entry || !traits[entry.kind].prompted || entry.status === 'erased') return fold
  const place = matchCall(entry, open)
  const cost = yield* costOf(entry, place, followsCalls(fold), settings.prices, known?.(fold.length, entry.seq))
  const pinned = isPinned(fold, entry, place) ? pinCost(fold.length, entry, cost, settings.prices) : undefined
  const view = appended(fold, entry, place, { ...cost, pinned })
  const digest = digested(fold, view, entry, place)
  return {
    ...view,
    open: place.open,
    digest,
    epoch: nextEpoch(fold.epoch, view, repairs(fold, place, open)),
  }
}

/**
 * Keeps an entry from having a role that its writer has no right to. A system entry that neither the operator nor
 * Minutebook wrote becomes a user entry. A note that neither the model, the operator nor Minutebook wrote is dropped.
 */
export function withinRights<M extends Message>(entry: FoldedEntry<M>): FoldedEntry<M> | undefined {
  const { role, chained } = traits[entry.kind]
  if (role !== 'system' || (chained ? operators : noteWriters).has(entry.origin)) return entry
  return chained ? { ...entry, kind: 'user', raw: { ...entry.raw, role: 'user' } } : undefined
}

const operators: ReadonlySet<Origin> = new Set(['operator', 'minutebook'])
const noteWriters: ReadonlySet<Origin> = new Set(['model', ...operators])

/** True if every prompt must have the entry. A result is pinned with its call. */
function isPinned({ columns, pins, steps }: View, { kind, pinned }: FoldedEntry, { answers }: CallMatch): boolean {
  if (!traits[kind].chained || traits[kind].pinned) return false
  return (
    pinned === true || (answers !== undefined && pins > 0 && at(columns.pins, pins - 1) >= at(columns.steps, steps - 1))
  )
}

/** The digest in progress. An entry that starts an exchange finishes the digest of the exchange before. */
function digested(
  { open, digest, exchanges, settings: { digesting } }: Fold,
  view: View,
  entry: Entry,
  place: CallMatch,
): DigestDraft {
  if (view.exchanges === exchanges) return exchanges === 0 ? digest : withEntry(digest, entry, place, open, digesting)
  if (exchanges > 0) {
    const { title, ...line } = finishedDigest(digest, open, digesting)
    push(view.columns.digests, line)
    push(view.columns.titles, title)
    push(view.columns.digestSums, at(view.columns.digestSums, exchanges - 1) + line.tokens)
  }
  return withEntry(emptyDigest, entry, place, noCalls, digesting)
}

/** The entries of a fold, for example to store them as the log. */
export function entriesOf<M extends Message>(fold: Fold<M>): Entry<M>[] {
  return between(fold.columns.entries, 0, fold.length)
}

/** The fold under other options. Entries are counted again only if the counter, profile or digesters differ. */
export function refold<M extends Message>(fold: Fold<M>, options: CompileOptions): Fold<M> {
  const settings = settingsOf(options)
  const sameCounter = fold.settings.prices.counter === settings.prices.counter
  if (!sameCounter || countsKey(fold.settings) !== countsKey(settings)) {
    return entriesOf(fold).reduce(advance<M>, { ...createFold<M>(options), settings })
  }
  const changed = { ...fold, settings }
  return layoutKey(fold.settings) === layoutKey(settings) ? changed : { ...changed, epoch: replayEpochs(changed) }
}

/**
 * True if the newest step is a call or a result. System entries and notes after it do not count, because a prompt may
 * move them.
 */
function followsCalls({ columns, steps }: View): boolean {
  if (steps === 0) return false
  const { kind, calls } = at(columns.entries, at(columns.steps, steps - 1))
  return kind === 'tool' || calls.length > 0
}
