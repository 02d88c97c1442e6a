import { retryDraft, sideEntry, type Entry, type EntryDraft, type EntryFacts } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import { tipOf, wasErased, type AppendOptions, type LiveLog } from '../past/live-log.ts'
import { newestTurn } from '../log/next.ts'
import type { NewRecord, StoredEntry } from '../log/store.ts'
import type { AskedTurn, AwaitedTurn } from './await-turn.ts'
import { placeMessages, type SendInput } from './place-messages.ts'
import { appendOrThrowFenced } from './fence.ts'
import { closingDrafts, erasedBeforeError, interruptedByNext, stop, stopDrafts } from './stop-turn.ts'
import type { LocalSender, ThreadHandle } from './turn-run.ts'
import type { TurnControl, TurnResult } from './turn.ts'

/** The runner of the thread records a request: under its fencing token, nobody else begins or continues a turn. */
export interface RunnerContext {
  readonly handle: ThreadHandle
  readonly control: TurnControl
  readonly term: number
}

/** A sender records a request, and only asks for a turn: the instance that the queue wakes runs it. */
export interface SenderContext {
  readonly handle: ThreadHandle
  readonly control: TurnControl
  readonly term?: undefined
  /** How the sender hears the turn if this process runs it. */
  readonly local?: LocalSender
}

/** Who records a request. */
export type RequestContext = RunnerContext | SenderContext

/**
 * What became of a request. `AwaitedTurn`: it is recorded. `TurnResult`: it is over, or refused. `wait`: it must wait,
 * and cannot be recorded until then. `again`: others wrote meanwhile, so the log must be read again. Only senders get
 * the last two; a runner is fenced instead.
 */
export type RecordResult = AwaitedTurn | TurnResult | 'wait' | 'again'

/** A message to be recorded. */
export interface MessageDraft {
  readonly sent: SendInput
  /** The id of the entry that it follows. Default: the head. */
  readonly after?: string | null | undefined
  /** The key of the message, under which a waiting copy of it may be recorded. */
  readonly key: string | undefined
  readonly facts?: Pick<EntryFacts, 'origin' | 'speaker' | 'context' | 'options'>
  /** Accept the system messages of a history as system messages. Default: false. */
  readonly trusted?: boolean | undefined
  /** Records of the thread to write in the same append. */
  readonly records?: readonly NewRecord[] | undefined
  /** True if its waiting copy is recorded: then there was room for it. Default: false. */
  readonly hasRoom?: boolean
}

/**
 * How does a message get into the log? Appends it, to be answered. If the same message is already in the same place,
 * asks for another answer to it.
 */
export async function recordMessage(context: RequestContext, message: MessageDraft): Promise<AskedTurn | 'again'> {
  const { log, system } = context.handle
  const { sent, key, trusted = false, records = [], hasRoom = false } = message
  const facts = { ...message.facts, ...(key !== undefined && { key }) }
  const { after, drafts } = placeMessages(sent, log, { after: message.after, facts, trusted, system })
  if (await wasErased(log, drafts, { after })) {
    await revokePending(context, key)
    throw erasedBeforeError()
  }
  if (!hasRoom) log.checkRoom(drafts)
  const { length } = log
  const isNothing = drafts.length + records.length === 0
  const said = isNothing ? [] : await append(context, drafts, { after, records: () => records })
  if (!said) return 'again'
  const last = said.at(-1)
  if (last && last.seq >= length) {
    // Another sender recorded the same words in the same place at the same time: then the entry is theirs.
    return context.term === undefined && last.key !== key ? 'again' : { ...turnAt(log, last), since: last.seq }
  }
  // The same message is already here, under another key or none: answer it again, as it is asked for now.
  const place = last?.id ?? after
  const { context: given, options = log.entries.find(({ id }) => id === place)?.options && {} } = facts
  const now = { ...(given !== undefined && { context: given }), ...(options && { options }) }
  return askAgain(context, { place, revoked: pendingUnder(log, key), facts: now })
}

/** Records a waiting message as a question, as if it were sent now. */
export async function admit(
  context: RequestContext,
  { raw, origin, key, speaker, context: given, options }: StoredEntry,
): Promise<AskedTurn | 'again'> {
  await closeLeftovers(context)
  const facts = {
    origin,
    ...(speaker !== undefined && { speaker }),
    ...(given !== undefined && { context: given }),
    ...(options && { options }),
  }
  return recordMessage(context, { sent: raw, key, facts, hasRoom: true })
}

/** Which entry to answer again. */
interface Again {
  /** The id of the entry to answer. Default: the head. */
  readonly place?: string | null
  /** Results for its open calls. */
  readonly results?: readonly EntryDraft[]
  /** The waiting messages that this answer is for. They are revoked. */
  readonly revoked?: readonly Entry[]
  /** What is recorded with the request. */
  readonly facts?: Pick<EntryFacts, 'context' | 'options'>
}

/** Asks for another answer with a `retry` entry, so that the request survives a crash. */
export async function askAgain(
  context: RequestContext,
  { place, results = [], revoked = [], facts = {} }: Again,
): Promise<AskedTurn | 'again'> {
  const { log } = context.handle
  // Each revocation hangs off the entry that is answered instead of the waiting message: there its sender finds the
  // answer.
  const drafts = [...results, retryDraft(log.entries, facts), ...revoked.map(({ id }) => sideEntry('revocation', id))]
  const answered = place === undefined ? undefined : log.entries.find(({ id }) => id === place)
  const { asked } = answered ? turnAt(log, answered) : { asked: log.position.turn[0] }
  const entries = await append(context, drafts, place === undefined ? {} : { after: place }, asked?.id)
  const retry = entries?.find(({ kind }) => kind === 'retry')
  return retry && asked ? { asked, since: retry.seq, again: true, ...(answered && { recorded: answered }) } : 'again'
}

/** The question of the turn that an entry belongs to, and the entry itself if it is not the question. */
function turnAt(log: LiveLog, entry: StoredEntry): Pick<AskedTurn, 'asked' | 'recorded'> {
  if (traits[entry.kind].opensExchange) return { asked: entry }
  return { asked: newestTurn(log.branch(entry.id))[0] ?? entry, recorded: entry }
}

/**
 * Ends an unfinished newest turn that has no runner: a message must not come between calls and their results. Returns
 * false if there was nothing to end.
 */
export async function closeLeftovers({
  handle: { log, journal },
  term,
}: Omit<RequestContext, 'control'>): Promise<boolean> {
  if (!log.position.step && log.position.openCalls.length === 0) return false
  if (term !== undefined) await stop({ log, term, config: { journal } }, interruptedByNext, true)
  // A sender finds only calls that came from elsewhere, on a thread at rest. One append: after a part of it, a runner
  // that is woken would continue the turn.
  else
    await log.append([...closingDrafts(log.position.turn, true), ...stopDrafts(log, { journal }, interruptedByNext)], {
      expected: tipOf(log),
    })
  return true
}

/** Revokes the waiting messages with this key. Does nothing for a sender without a term. */
export async function revokePending(
  { handle: { log }, term }: Pick<RequestContext, 'handle' | 'term'>,
  key: string | undefined,
): Promise<void> {
  if (term === undefined) return
  for (const { id, parent } of pendingUnder(log, key)) {
    await log.past.reach(parent)
    await appendOrThrowFenced(log.append([sideEntry('revocation', id)], { term, after: parent }))
  }
}

function pendingUnder({ entries }: Pick<LiveLog, 'entries'>, key: string | undefined): readonly Entry[] {
  return entries.filter((entry) => entry.kind === 'pending' && entry.key === key)
}

/**
 * Appends and, for a sender, wakes the thread. Returns undefined if others wrote first; a runner is fenced then.
 * `turn`: the id of the question to answer. Default: the last draft.
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
  const appended = await log.append(drafts, { ...options, expected: tipOf(log), write: waking(context, turn) })
  return appended.ok ? appended.entries : undefined
}

/** Appends through the queue, which wakes the thread. Before that it tells the local sender which turn to wait for. */
export function waking(context: RequestContext, turn?: string): NonNullable<AppendOptions['write']> {
  return (thread, entries, terms) => {
    if (context.term === undefined && context.local) context.local.turn = turn ?? entries.at(-1)?.id
    return context.handle.queue.wake(thread, entries, terms)
  }
}
