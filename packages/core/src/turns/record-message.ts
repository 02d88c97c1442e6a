import { retryDraft, sideEntry, type EntryDraft } from '../log/draft.ts'
import type { Entry, EntryFacts } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import type { AppendOptions, LiveLog } from '../log/log.ts'
import { newestTurn } from '../log/next.ts'
import type { NewRecord } from '../log/records.ts'
import type { StoredEntry } from '../log/store.ts'
import type { AskedTurn, AwaitedTurn } from './await-turn.ts'
import { placeMessages, type Sent } from './place-messages.ts'
import {
  appendOrThrowFenced,
  closingDrafts,
  erasedBeforeError,
  interruptedByNext,
  stop,
  stopDrafts,
} from './stop-turn.ts'
import type { LocalSender, ThreadHandle } from './turn-run.ts'
import type { TurnControl, TurnResult } from './turn.ts'

/** Who puts something on record that is to be answered. */
export interface RequestContext {
  readonly handle: ThreadHandle
  readonly control: TurnControl
  /** Set for the runner of the thread. Without a term somebody only asks, and whoever is woken runs. */
  readonly term?: number
  /** How it hears the turn if this process runs it. */
  readonly local?: LocalSender
}

/**
 * What became of a request: it is on record; it is over, or refused; it must wait and cannot be recorded until then; or
 * others wrote meanwhile, and all must be read again. The last two are told only to those who do not run the thread.
 */
export type Put = AwaitedTurn | TurnResult | 'wait' | 'again'

/** A message on its way to the record. */
export interface Spoken {
  readonly sent: Sent
  /** The entry that it follows. Default: the head. */
  readonly after?: string | null | undefined
  /** By which it is known, and under which it may have waited. */
  readonly key: string | undefined
  readonly facts?: Pick<EntryFacts, 'origin' | 'speaker'>
  /** Vouches for the system messages of a history. Default: false. */
  readonly trusted?: boolean | undefined
  /** Records of the thread that are written with it. */
  readonly records?: readonly NewRecord[] | undefined
}

/** Puts a message on the chain, to be answered. If it stands there already, another answer is asked for. */
export async function recordMessage(context: RequestContext, message: Spoken): Promise<AskedTurn | 'again'> {
  const { log, system } = context.handle
  const { sent, key, trusted = false, records = [] } = message
  const facts = { ...message.facts, ...(key !== undefined && { key }) }
  const { after, drafts } = placeMessages(sent, log, { after: message.after, facts, trusted, system })
  if (log.isErased(drafts, { after })) {
    await revokePending(context, key)
    throw erasedBeforeError()
  }
  log.checkRoom(drafts)
  const { length } = log
  const isNothing = drafts.length + records.length === 0
  const said = isNothing ? [] : await append(context, drafts, { after, records: () => records })
  if (!said) return 'again'
  const last = said.at(-1)
  if (last && last.seq >= length) {
    // Somebody else said the same words in the same place at the same time: then they are theirs.
    return context.term === undefined && last.key !== key ? 'again' : { ...turnAt(log, last), since: last.seq }
  }
  // It was there already, under another key or none: what is wanted is another answer.
  return askAgain(context, { place: last?.id ?? after, revoked: pendingUnder(log, key) })
}

/** Says what was waiting, as it would have been said. */
export async function admit(
  context: RequestContext,
  { raw, origin, key, speaker }: StoredEntry,
): Promise<AskedTurn | 'again'> {
  await closeLeftovers(context)
  return recordMessage(context, { sent: raw, key, facts: { origin, ...(speaker !== undefined && { speaker }) } })
}

/** What another answer is asked for. */
interface Again {
  /** The entry to be answered. Default: the head. */
  readonly place?: string | null
  /** Results of the calls that it ends with. */
  readonly results?: readonly EntryDraft[]
  /** Messages that waited, and that it stands for. */
  readonly revoked?: readonly Entry[]
}

/** Asks for another answer, on record: whoever takes over after a crash gives it. */
export async function askAgain(
  context: RequestContext,
  { place, results = [], revoked = [] }: Again,
): Promise<AskedTurn | 'again'> {
  const { log } = context.handle
  // Revocations hang off the entry that stands for what waited: so whoever waits for an answer finds it.
  const drafts = [...results, retryDraft(log.entries), ...revoked.map(({ id }) => sideEntry('revocation', id))]
  const answered = place === undefined ? undefined : log.entries.find(({ id }) => id === place)
  const { asked } = answered ? turnAt(log, answered) : { asked: log.position.turn[0] }
  const entries = await append(context, drafts, place === undefined ? {} : { after: place }, asked?.id)
  const retry = entries?.find(({ kind }) => kind === 'retry')
  return retry && asked ? { asked, since: retry.seq, again: true, ...(answered && { recorded: answered }) } : 'again'
}

/** The turn that an entry belongs to: its question, and the entry itself if that is not the question. */
function turnAt(log: LiveLog, entry: StoredEntry): Pick<AskedTurn, 'asked' | 'recorded'> {
  if (traits[entry.kind].opensExchange) return { asked: entry }
  return { asked: newestTurn(log.branch(entry.id))[0] ?? entry, recorded: entry }
}

/**
 * Ends the turn that the log stands in if nobody goes on with it: no message may come between calls and their results.
 * False if there was nothing to end.
 */
export async function closeLeftovers({
  handle: { log, journal },
  term,
}: Omit<RequestContext, 'control'>): Promise<boolean> {
  if (!log.position.step && log.position.openCalls.length === 0) return false
  if (term !== undefined) await stop({ log, term, config: { journal } }, interruptedByNext, true)
  // All at once: in between, whoever is woken would go on with the turn.
  else
    await log.append([...closingDrafts(log, true), ...stopDrafts(log, { journal }, interruptedByNext)], {
      expected: log.tip,
    })
  return true
}

/** What waits under a key waits no longer. */
export async function revokePending(
  { handle: { log }, term }: Pick<RequestContext, 'handle' | 'term'>,
  key: string | undefined,
): Promise<void> {
  if (term === undefined) return
  for (const { id, parent } of pendingUnder(log, key)) {
    await log.reach(parent)
    await appendOrThrowFenced(log.append([sideEntry('revocation', id)], { term, after: parent }))
  }
}

function pendingUnder({ entries }: Pick<LiveLog, 'entries'>, key: string | undefined): readonly Entry[] {
  return entries.filter((entry) => entry.kind === 'pending' && entry.key === key)
}

/**
 * Undefined if somebody who only asks finds that others were faster. A runner is fenced then. `turn`: the question that
 * is to be answered, if that is not the last of the drafts.
 */
async function append(
  context: RequestContext,
  drafts: readonly EntryDraft[],
  options: Pick<AppendOptions, 'after' | 'records'>,
  turn?: string,
): Promise<readonly StoredEntry[] | undefined> {
  const { log } = context.handle
  const { term } = context
  if (term !== undefined) return appendOrThrowFenced(log.append(drafts, { ...options, term }))
  const appended = await log.append(drafts, { ...options, expected: log.tip, write: waking(context, turn) })
  return appended.ok ? appended.entries : undefined
}

/** Writes what is asked for and wakes who can run it. Before that, it is known what is waited for. */
export function waking(
  { handle: { queue }, local }: RequestContext,
  turn?: string,
): NonNullable<AppendOptions['write']> {
  return (thread, entries, terms) => {
    if (local) local.turn = turn ?? entries.at(-1)?.id
    return queue.wake(thread, entries, terms)
  }
}
