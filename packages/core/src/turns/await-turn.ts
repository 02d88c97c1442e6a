import { wasErased } from '../past/live-log.ts'
import { turnEndKinds } from '../log/log.ts'
import { sideEntry, type Entry } from '../log/entry.ts'
import { isTransient, MinutebookError } from '../log/error.ts'
import { matchCall } from '../log/exchange.ts'
import { outputOf, parsedCall, type Call } from '../log/message.ts'
import { isUnfinished, revokes } from '../log/next.ts'
import { gatesIn, standingsIn, startedIn } from '../log/open-call.ts'
import type { StoredEntry } from '../log/store.ts'
import { createLimit } from '../log/time.ts'
import { noCalls } from '../log/unanswered-calls.ts'
import { isReceipt, receiptFrom } from '../receipts/receipt.ts'
import { turnText } from './feed.ts'
import { isAtWork, isOpen, isThere, observe, pollLog, type ObserverOptions } from './follow.ts'
import { fencedError } from './fence.ts'
import { erasedBeforeError, stop } from './stop-turn.ts'
import type { ThreadHandle } from './turn-run.ts'
import { resultOf } from './turn-result.ts'
import {
  cancelled,
  createTurn,
  failureOf,
  takenBack,
  type TurnControl,
  type TurnEvent,
  type TurnResult,
} from './turn.ts'

/** What a sender waits for: a turn, or a waiting message whose turn has not begun. */
export type AwaitedTurn = AskedTurn | { readonly pending: StoredEntry }

export interface AskedTurn extends Pick<ObserverOptions, 'asked' | 'since'> {
  /** True if the sender waits for another answer to a question that may have one. */
  readonly again?: boolean
  /** The entry that was recorded, if it is not the question. */
  readonly recorded?: StoredEntry
}

/**
 * How does a sender follow a turn that another instance runs? Emits the turn's events as if it ran here, by log and
 * feed, and cancels it if the sender does.
 */
export async function awaitTurn(handle: ThreadHandle, control: TurnControl, awaited: AwaitedTurn): Promise<TurnResult> {
  const turn = 'pending' in awaited ? await admission(handle, control.signal, awaited.pending) : awaited
  if ('status' in turn) return turn
  const { asked, since, again = false } = turn
  const cancel = (): void => void cancelTurn(handle, asked).catch(() => undefined)
  control.signal.addEventListener('abort', cancel, { once: true })
  if (control.signal.aborted) cancel()
  const entries = await observe(
    handle,
    { asked, since },
    {
      show: (shown) => control.emit(shown.type === 'text' ? { type: 'text', text: shown.text } : { type: 'reset' }),
      entry: (entry, all) => eventsOf(entry, contextOf(all)).forEach((event) => control.emit(event)),
    },
    new AbortController().signal,
  )
  control.signal.removeEventListener('abort', cancel)
  const isOvertaken =
    !entries ||
    isUnfinished(entries) ||
    (again && !entries.some(({ kind, seq }) => turnEndKinds.has(kind) && seq > since))
  return isOvertaken ? failureOf(fencedError('overtaken')) : resultOf(entries)
}

/**
 * Waits until a runner records the waiting message as a question, or until it is revoked: by its sender, or because the
 * same message was erased in its place before. If the thread is removed, its waiting messages are revoked with it.
 */
async function admission(
  handle: ThreadHandle,
  signal: AbortSignal,
  pending: StoredEntry,
): Promise<AskedTurn | TurnResult> {
  for await (const _ of pollLog(handle, signal)) {
    if (!handle.log.past.has(pending.id)) await handle.log.past.whole()
    const settled = await settledIn(handle, pending)
    if (settled) return settled
  }
  await handle.log.past.reach(pending.parent)
  await handle.log.append([sideEntry('revocation', pending.id)], { after: pending.parent })
  const settled = (await settledIn(handle, pending)) ?? takenBack
  if (settled === takenBack) void cancelLate(handle, pending).catch(() => undefined)
  return settled
}

/**
 * A runner that read the log before the revocation may still answer the message: cancels that turn, for up to one
 * second.
 */
async function cancelLate(handle: ThreadHandle, pending: StoredEntry): Promise<void> {
  const limit = createLimit(new AbortController().signal, handle.clock, 1000)
  try {
    for await (const _ of pollLog(handle, limit.signal)) {
      const settled = await settledIn(handle, pending)
      if (settled && 'asked' in settled) return await cancelTurn(handle, settled.asked)
    }
  } finally {
    limit.release()
  }
}

/** What became of a waiting message. Undefined if it still waits. */
async function settledIn({ log }: ThreadHandle, pending: StoredEntry): Promise<AskedTurn | TurnResult | undefined> {
  const since = log.since(pending.seq)
  if (since[0]?.status === 'erased') return takenBack
  // Entries before `pending` count too: of two messages sent at once under one id, either may be recorded first.
  const asked = log.entries.findLast(({ kind, key }) => kind === 'user' && key === pending.key)
  if (asked) return { asked, since: asked.seq }
  const revocation = since.find((entry) => revokes(entry, pending))
  if (!revocation) return isThere(log, pending) ? undefined : takenBack
  // If another entry answers for the waiting message, the revocation hangs off that entry.
  const standIn =
    revocation.parent === pending.parent
      ? undefined
      : log.entries.find(({ id, kind }) => id === revocation.parent && kind === 'user')
  if (standIn) return { asked: standIn, since: revocation.seq, again: true }
  const { raw, key } = pending
  return (await wasErased(log, [{ message: raw, facts: { ...(key !== undefined && { key }) } }]))
    ? failureOf(erasedBeforeError())
    : takenBack
}

/** The events of a finished turn, as its runner emitted them, except for reasoning. The text of each answer is one. */
export function recordedEvents(turn: readonly StoredEntry[]): TurnEvent[] {
  const context = contextOf(turn)
  return turn
    .toSorted((left, right) => left.seq - right.seq)
    .flatMap((entry) => {
      const text = turnText([entry])
      return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...eventsOf(entry, context)]
    })
}

/**
 * The events of one entry of a turn, as its runner emitted them: a tool call begins once the answer that makes it is
 * recorded.
 */
function eventsOf(entry: Entry, turn: TurnContext): TurnEvent[] {
  const issuer = entry.parent === null ? undefined : turn.byId.get(entry.parent)
  if (isReceipt(entry)) {
    // It was written right after the receipt, in the same append.
    const wait = turn.waits.get(entry.seq + 1)
    const calls = issuer ? standingsIn(issuer, wait ? [wait] : []).filter(({ isHeld }) => !isHeld) : []
    return [{ type: 'receipt', receipt: receiptFrom(entry) }, ...calls.map(({ call }) => callEvent(call))]
  }
  if (entry.kind === 'wait' && issuer) return [{ type: 'wait', calls: gatesIn(entry, issuer) }]
  if (entry.kind === 'start') {
    const started = new Set(issuer && startedIn(entry, issuer))
    return issuer?.calls.filter((_, index) => started.has(index)).map(callEvent) ?? []
  }
  const call = turn.answered.get(entry.id)
  if (!call) return []
  const { text, status } = entry
  return [{ type: 'result', call: parsedCall(call), text, output: outputOf(text), status }]
}

function callEvent(call: Call): TurnEvent {
  return { type: 'call', call: parsedCall(call) }
}

/** What the events of a turn's entries are made of. */
interface TurnContext {
  readonly byId: ReadonlyMap<string, Entry>
  /** The entries that keep calls open, by their seq. */
  readonly waits: ReadonlyMap<number, Entry>
  /** The call that each result answers, by the id of the result. */
  readonly answered: ReadonlyMap<string, Call>
}

function contextOf(turn: readonly Entry[]): TurnContext {
  const answered = new Map<string, Call>()
  let open = noCalls
  for (const entry of turn) {
    const place = matchCall(entry, open)
    if (place.answers) answered.set(entry.id, place.answers)
    open = place.open
  }
  return {
    byId: new Map(turn.map((entry) => [entry.id, entry])),
    waits: new Map(turn.flatMap((entry) => (entry.kind === 'wait' ? [[entry.seq, entry]] : []))),
    answered,
  }
}

/** Milliseconds that a runner has to stop on its own and to record the text that it has shown so far. */
const patience = 3000

/**
 * Ends a turn as cancelled, on any instance: asks its runner to stop, and if it does not, claims its thread and stops
 * the turn.
 */
export async function cancelTurn(handle: ThreadHandle, asked: StoredEntry): Promise<void> {
  for (;;) {
    try {
      await handle.queue.cancel(handle.thread, asked.id)
      // A turn that waits for a decision has no runner that could stop it.
      if (!(await isSoonOver(handle, asked)) || isOpen(handle.log, asked)) await takeOver(handle, asked)
      return
    } catch (error) {
      const isOvertaken = MinutebookError.isInstance(error) && error.code === 'fenced'
      if (!isOvertaken && !isTransient(error)) throw error
    }
    await isSoonOver(handle, asked).catch(() => undefined)
  }
}

/**
 * Cancels the turn that runs on a thread, or waits for a decision, on any instance, and waits until it has ended. Returns
 * false if there is none.
 */
export async function cancelRunning(handle: ThreadHandle): Promise<boolean> {
  const { locks, thread, log, runsHere } = handle
  if (runsHere && (await locks.cancel(thread))) return true
  await handle.refresh()
  const { turn, step } = log.position
  // Without a queue, what else is unfinished was cut short by a crash: `resume` goes on with it.
  if (!turn[0] || !step || (runsHere && step.do !== 'wait')) return false
  const leave = runsHere ? await locks.enter(thread, createTurn().turn, { ifBusy: 'reject' }) : () => undefined
  // A decision came at the same moment, and the turn runs again.
  if (!leave) return locks.cancel(thread)
  try {
    await cancelTurn(handle, turn[0])
  } finally {
    leave()
  }
  return true
}

async function isSoonOver(handle: ThreadHandle, asked: StoredEntry): Promise<boolean> {
  const limit = createLimit(new AbortController().signal, handle.clock, patience)
  try {
    for await (const _ of pollLog(handle, limit.signal)) if (!isAtWork(handle.log, asked)) return true
    return false
  } finally {
    limit.release()
  }
}

async function takeOver(
  { store, queue, thread, log, journal, refresh, runsHere }: ThreadHandle,
  asked: StoredEntry,
): Promise<void> {
  const { term } = await store.claim(thread)
  await refresh()
  if (isOpen(log, asked)) await stop({ log, term, config: { journal } }, cancelled, true)
  // Messages may wait behind the turn, or the fenced runner may have left work.
  if (!runsHere) await queue.wake(thread, [])
}
