import { branchOf, headOf, turnEndKinds } from './log.ts'
import { identify, type Entry, type NewEntry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { callsOf, matchCall } from './exchange.ts'
import { parseJson } from './json.ts'
import { traits } from './kind.ts'
import { readMessage, type Call } from './message.ts'
import { callStandings, openCalls, overdueCalls, readyCalls, type CallStanding, type OpenCall } from './open-call.ts'
import type { Store } from './store.ts'

/**
 * What a thread needs next: a model call, tools to be run, a decision about calls, a waiting message to be
 * admitted, or nothing.
 */
export type NextStep<E extends Entry = Entry> =
  | { readonly do: 'call' }
  | { readonly do: 'run'; readonly calls: readonly CallStanding[] }
  | { readonly do: 'wait' }
  | { readonly do: 'admit'; readonly pending: E }
  | { readonly do: 'rest' }

/** What a turn needs that is not over. */
export type TurnStep = Extract<NextStep, { do: 'call' | 'run' | 'wait' }>

/**
 * What comes next on a branch? Decided from the entries alone, so a turn is its own journal: after a crash, any reader
 * of the log knows how to continue. Waiting messages may be on any branch of the `log`.
 *
 * @example
 * next(history(log), log).do // 'call' after a user entry
 */
export function next<E extends Entry>(branch: readonly E[], log: readonly E[] = branch): NextStep<E> {
  return nextStep(branch) ?? admitOrRest(log)
}

function admitOrRest<E extends Entry>(log: readonly E[]): NextStep<E> {
  const [pending] = waitingIn(log)
  return pending ? { do: 'admit', pending } : { do: 'rest' }
}

/** Where a log stands, for one who goes on with it. Each part is computed once. */
export interface LogPosition<E extends Entry = Entry> {
  /** The entries of the newest turn, its user entry first. */
  readonly turn: readonly E[]
  /** The calls of that turn that still wait for their results. */
  readonly openCalls: readonly Call[]
  /** What that turn needs; undefined if it is over. */
  readonly step: TurnStep | undefined
  /** What the thread needs. */
  readonly next: NextStep<E>
}

export function positionOf<E extends Entry>(branch: readonly E[], log: readonly E[] = branch): LogPosition<E> {
  let calls: readonly Call[] | undefined
  let coming: NextStep<E> | undefined
  const step = nextStep(branch)
  const turn = newestTurn(branch)
  return {
    turn,
    step,
    get openCalls() {
      return (calls ??= openCalls(turn))
    },
    get next() {
      return (coming ??= step ?? admitOrRest(log))
    },
  }
}

/** What the last turn of a branch needs next. Undefined if that turn is over. Reads only that turn. */
export function nextStep(branch: readonly Entry[]): TurnStep | undefined {
  if (isStopped(branch)) return undefined
  const open = callStandings(newestTurn(branch))
  if (open.length > 0 && isIssued(branch)) {
    const calls = readyCalls(open)
    return calls.length > 0 ? { do: 'run', calls } : { do: 'wait' }
  }
  return wantsAnswer(branch) ? { do: 'call' } : undefined
}

/**
 * Throws `needs_decision` if entries from elsewhere may not be appended to a log: a call behind which they come, or for
 * which the thread waits, needs approval and has no result yet. A result must not answer that call, and nothing may end
 * its wait, also not on another branch: only a decision does. For programs that append to a store directly.
 *
 * @example
 * checkUnapproved(await store.read('garden'), entries)
 */
export function checkUnapproved(log: readonly Entry[], added: readonly NewEntry[]): void {
  const known = new Set(log.map(({ id }) => id))
  const from = added.findIndex(({ id, kind }) => traits[kind].chained && !known.has(id))
  if (from < 0) return
  const [fresh, head] = [added.slice(from), headOf(log)]
  const { parent } = fresh[0]!
  if (parent !== null) checkBehind(branchOf(log, parent, null), fresh)
  if (head !== null && head !== parent) checkBeside(branchOf(log, head, null))
}

/** The same for anything on another branch than the one on which the thread is. That would end the wait. */
export function checkBeside(branch: readonly Entry[]): void {
  const [first] = nextStep(branch) ? unapproved(newestTurn(branch)).values() : []
  if (first) throw needsDecisionError(first)
}

/** The same for entries that follow a branch. */
export function checkBehind(branch: readonly Entry[], added: readonly NewEntry[]): void {
  const turn = newestTurn(branch)
  const gated = unapproved(turn)
  const [first] = gated.values()
  if (!first) return
  let open = callsOf({ calls: openCalls(turn) })
  for (const entry of added) {
    if (!traits[entry.kind].chained) continue
    const { answers, open: left } = matchCall(entry, open)
    const refused = answers ? gated.get(answers) : first
    if (refused) throw needsDecisionError(refused)
    open = left
  }
}

/** The calls of a turn that need approval and have no result. */
function unapproved(turn: readonly Entry[]): ReadonlyMap<Call, OpenCall> {
  return new Map(
    callStandings(turn).flatMap(({ gate, call }) => (gate?.needs === 'approval' ? [[call, gate] as const] : [])),
  )
}

function needsDecisionError({ id, call: { name } }: OpenCall): MinutebookError {
  return new MinutebookError(
    'needs_decision',
    `The call of ${name} needs approval, so only a decision about it can come next, not a result or a message.`,
    'Decide about the call with thread.decide or POST …/threads/{thread}/decisions, or cancel the turn.',
    { call: id },
  )
}

/** True if a runner has something to do. A thread that waits for a decision needs none. */
export function needsRunner({ do: needed }: NextStep): boolean {
  return needed !== 'rest' && needed !== 'wait'
}

/** The entries of the newest turn of a branch, its user entry first. */
export function newestTurn<E extends Entry>(branch: readonly E[]): readonly E[] {
  return branch.slice(Math.max(0, lastQuestion(branch)))
}

/** True if a runner must go on with the newest turn. It need not while the turn waits for a decision. */
export function isUnfinished(branch: readonly Entry[]): boolean {
  return needsRunner(nextStep(branch) ?? { do: 'rest' })
}

/** True if the newest turn ended with a stop. */
function isStopped(branch: readonly Entry[]): boolean {
  return branch.slice(lastSpoken(branch) + 1).findLast(({ kind }) => turnEndKinds.has(kind))?.kind === 'stop'
}

/**
 * Only calls of a model that ran here are run. A client could write any call into a history that it sends, and the
 * client itself runs the calls of a proxied request (relay).
 */
function isIssued(branch: readonly Entry[]): boolean {
  const last = branch.findLastIndex(({ kind }) => kind === 'assistant')
  return branch[last]?.origin === 'model' && !branch.slice(last).some(isRelayReceipt)
}

/** True for the receipt of a relay: only these have a mode. Also for one that cannot be read: nothing is run after it. */
export function isRelayReceipt({ kind, status, text }: Entry): boolean {
  if (kind !== 'receipt' || status === 'erased') return false
  const receipt = parseJson(text)
  return typeof receipt !== 'object' || receipt === null || ('mode' in receipt && receipt.mode !== undefined)
}

/** True after a user entry or results of calls, unless the question was erased. */
function wantsAnswer(branch: readonly Entry[]): boolean {
  const spoken = branch[lastSpoken(branch)]
  return (spoken?.kind === 'user' || spoken?.kind === 'tool') && branch[lastQuestion(branch)]?.status !== 'erased'
}

/** Skips system entries: they ask nothing, and they do not answer what was asked before. */
function lastSpoken(branch: readonly Entry[]): number {
  return branch.findLastIndex(({ kind }) => traits[kind].chained && kind !== 'system')
}

function lastQuestion(branch: readonly Entry[]): number {
  return branch.findLastIndex(({ kind }) => traits[kind].opensExchange)
}

/** The messages that wait to be admitted, oldest first. */
export function waitingIn<E extends Entry>(log: readonly E[]): readonly E[] {
  const waiting = log.filter(({ kind, status }) => kind === 'pending' && status === 'complete')
  if (waiting.length === 0) return []
  const keys = new Set(log.flatMap(({ kind, key }) => (kind === 'user' ? [key] : [])))
  // The last place in the log at which each message was revoked, and the places of revocations that were erased.
  const [revoked, erased] = [new Map<string, number>(), new Map<string, number>()]
  const places = new Map<E, number>()
  for (const [place, entry] of log.entries())
    if (entry.kind === 'pending') places.set(entry, place)
    else if (entry.kind === 'revocation' && entry.status === 'erased') erased.set(entry.id, place)
    else if (entry.kind === 'revocation') revoked.set(entry.text, place)
  // Only what comes after a message revokes it: so the end of a log says the same as the whole log.
  const isRevoked = (entry: E): boolean => {
    const place = places.get(entry)!
    const isAfter = (other = -1): boolean => other > place
    return isAfter(revoked.get(entry.id)) || (erased.size > 0 && isAfter(erased.get(revocationOf(entry))))
  }
  return waiting
    .filter((entry) => !keys.has(entry.key) && !isRevoked(entry))
    .toSorted((left, right) => left.seq - right.seq)
}

/** True if an entry revokes this message. An erased revocation still does: its id says what it revoked. */
export function revokes({ id, kind, status, text }: Entry, message: Entry): boolean {
  return kind === 'revocation' && (status === 'erased' ? id === revocationOf(message) : text === message.id)
}

/** The id of the entry that revokes a message where the message waits. */
function revocationOf({ id, parent }: Entry): string {
  return identify(parent, { ...readMessage({ role: 'system', content: id }), kind: 'revocation' })
}

/** What a stop entry says. */
export function stopOf({ text, status }: Entry): {
  readonly code: string
  readonly reason: string
  readonly fix?: string
} {
  return status === 'erased' ? { code: 'erased', reason: '' } : (JSON.parse(text) as ReturnType<typeof stopOf>)
}

/** The turn that a user entry began, on the branch of its last answer, stop or retry. */
export function turnOf<E extends Entry>(log: readonly E[], asked: Entry): readonly E[] {
  const following = new Set([asked.id])
  let head = asked.id
  for (const { id, parent, kind } of log) {
    if (parent === null || !following.has(parent)) continue
    if (traits[kind].chained) following.add(id)
    if (traits[kind].chained || turnEndKinds.has(kind)) head = traits[kind].chained ? id : parent
  }
  const branch = branchOf(log, head, asked.parent)
  const turn = branch.slice(branch.findIndex(({ id }) => id === asked.id))
  const end = turn.findIndex(({ kind }, index) => index > 0 && traits[kind].opensExchange)
  return end < 0 ? turn : turn.slice(0, end)
}

/**
 * The number of entries at the end of a log that are read to see whether its newest turn is over and no message waits.
 */
export const tailLength = 256

/**
 * True if a turn of this thread was cut short, if a recent message waits, or if a call waits for a decision that is
 * overdue `now`. Reads only the end of the log.
 */
export async function needsWork(store: Pick<Store, 'read'>, thread: string, now?: string): Promise<boolean> {
  const { branch, recent } = await readEnd(store, thread)
  const isOverdue = now !== undefined && overdueCalls(newestTurn(branch), now).length > 0
  return isOverdue || needsRunner(next(branch, recent))
}

/** What a thread needs next. Reads only the end of its log. */
export async function nextIn(store: Pick<Store, 'read'>, thread: string): Promise<NextStep> {
  const { branch, recent } = await readEnd(store, thread)
  return next(branch, recent)
}

async function readEnd(
  store: Pick<Store, 'read'>,
  thread: string,
): Promise<{ readonly branch: readonly Entry[]; readonly recent: readonly Entry[] }> {
  const recent = await store.read(thread, { last: tailLength })
  const head = headOf(recent)
  return { recent, branch: head === null ? [] : await store.read(thread, { head, last: tailLength }) }
}
