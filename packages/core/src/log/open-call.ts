import { sideEntry, type Entry, type EntryDraft } from './entry.ts'
import { callsOf, matchCall } from './exchange.ts'
import { parseJson } from './json.ts'
import { traits } from './kind.ts'
import { parsedCall, type Call, type ParsedCall } from './message.ts'
import type { NewRecord, Page, Store, StoredRecord } from './store.ts'
import { noCalls, type UnansweredCalls } from './unanswered-calls.ts'
import { recordNames } from './record-names.ts'

/** A tool call that is not run before a person or a program decides about it. */
export interface OpenCall {
  /** Names the call in `thread.decide`. */
  readonly id: string
  readonly call: ParsedCall
  /** `approval`: may it run? `answer`: a person or a client says what its result is, because its tool has no `run`. */
  readonly needs: 'approval' | 'answer'
  /** When it began to wait, if the thread has a clock. */
  readonly since?: string | undefined
  /** Milliseconds after `since` when it is refused, if no decision was made until then. */
  readonly within?: number | undefined
}

/**
 * What a person or a program decides about an open call. `run`: run it, with another `input` if there is one. `refuse`: do not, and
 * tell the model why. `answer`: this is its result.
 */
export type Decision =
  | { readonly do: 'run'; readonly input?: unknown }
  | { readonly do: 'refuse'; readonly reason?: string | undefined }
  | { readonly do: 'answer'; readonly output: unknown }

/** Through which login a decision came. A program knows it from its login, never from what the caller says. */
export interface DecisionChannel {
  /** How the caller logged in, such as `key`, `console` or `local`. */
  readonly channel: string
  /** The name of the caller's key. */
  readonly key?: string | undefined
}

/** A recorded decision. */
export interface KeptDecision {
  readonly decision: Decision
  /** The name of the person who decided, as the caller gave it. Nobody has checked it: `via` is what is known. */
  readonly by?: string | undefined
  /** Through which login the decision came. Undefined if the program that decided did not say. */
  readonly via?: DecisionChannel | undefined
  readonly time?: string | undefined
}

/** A call of an answer, and whether it may run. */
export interface CallStanding {
  readonly call: Call
  /** Its place among the calls of that answer, from 0. */
  readonly index: number
  /** Set if it must wait for a decision. */
  readonly gate?: OpenCall | undefined
  readonly taken?: KeptDecision | undefined
  /** True if it must wait for a decision: about it, or about a call before it. It runs only after a `start` entry. */
  readonly isHeld: boolean
  /** True if a `start` entry says that a runner was about to run it. */
  readonly isStarted: boolean
}

/**
 * The calls at the end of a turn that still wait for their results. An erased result counts as a result: of its call if
 * it says whose it was, or else of the first one that no other result answers.
 */
export function openCalls(turn: readonly Entry[]): readonly Call[] {
  let open = noCalls
  let unclear = 0
  for (const entry of turn) {
    if (!traits[entry.kind].chained) continue
    if (entry.kind !== 'tool') unclear = 0
    if (isUnclearTombstone(entry, open)) unclear++
    else open = matchCall(entry, open).open
  }
  return open.calls.slice(unclear)
}

/** True for an erased result that does not say which of these calls it answered, although each has an id of its own. */
export function isUnclearTombstone({ kind, status, answers }: Entry, open: UnansweredCalls): boolean {
  return kind === 'tool' && status === 'erased' && answers?.id === undefined && open.haveOwnIds
}

/**
 * Which calls of a turn are open, and what is decided about them? The answer is in the log alone, so any instance can
 * go on after a decision. If what says that a call must wait was erased, the call waits.
 *
 * If a model makes the same call again after a retry, that is the same entry. So only what was written after its newest
 * receipt counts: an approval is for one call, not for its words.
 */
export function callStandings(turn: readonly Entry[]): readonly CallStanding[] {
  const open = new Set(openCalls(turn))
  const issuer = open.size === 0 ? undefined : turn.findLast(({ kind }) => kind === 'assistant')
  return issuer ? standingsIn(issuer, turn).filter(({ call }) => open.has(call)) : []
}

/**
 * The same for all calls of one answer, also those that have their results. `turn`: the entries of its turn.
 *
 * @example
 * standingsIn(answer, entries).filter(({ taken }) => taken?.decision.do === 'refuse')
 */
export function standingsIn(issuer: Entry, turn: readonly Entry[]): readonly CallStanding[] {
  const hanging = turn.filter(({ parent }) => parent === issuer.id).toSorted((one, other) => one.seq - other.seq)
  const own = hanging.slice(hanging.findLastIndex(({ kind }) => kind === 'receipt') + 1)
  const wait = own.find(({ kind }) => kind === 'wait')
  if (!wait) return issuer.calls.map((call, index) => ({ call, index, isHeld: false, isStarted: false }))
  const decisions = new Map<number, KeptDecision>()
  const started = new Set<number>()
  for (const entry of own) {
    const made = decisionIn(entry)
    if (made && !decisions.has(made.index)) decisions.set(made.index, made.taken)
    for (const index of startedIn(entry, issuer)) started.add(index)
  }
  const gates = new Map(gatesIn(wait, issuer).map((gate) => [gate.id, gate]))
  const calls = issuer.calls.map((call, index) => ({ call, index, gate: gates.get(openCallId(wait.id, index)) }))
  const free = new Set(readyCalls(calls))
  return calls.map((call) => ({
    ...call,
    taken: decisions.get(call.index),
    isHeld: !free.has(call),
    isStarted: started.has(call.index),
  }))
}

/** The calls that wait for a decision. */
export function waitingCalls(turn: readonly Entry[]): readonly OpenCall[] {
  return callStandings(turn).flatMap((standing) => (isWaiting(standing) ? [standing.gate!] : []))
}

/** True if no decision about the call is recorded. */
function isWaiting({ gate, taken }: Pick<CallStanding, 'gate' | 'taken'>): boolean {
  return gate !== undefined && taken === undefined
}

/** The calls of a turn that have waited too long. `now`: the time of a clock. */
export function overdueCalls(turn: readonly Entry[], now: string): readonly OpenCall[] {
  return waitingCalls(turn).filter((call) => Date.parse(now) >= (deadlineOf(call) ?? Infinity))
}

/**
 * When the next call of a turn is refused because there is no decision, in milliseconds since 1970. Undefined if none is.
 */
export function nextDeadline(turn: readonly Entry[]): number | undefined {
  const deadlines = waitingCalls(turn).flatMap((call) => deadlineOf(call) ?? [])
  return deadlines.length === 0 ? undefined : Math.min(...deadlines)
}

function deadlineOf({ since, within }: OpenCall): number | undefined {
  return since === undefined || within === undefined ? undefined : Date.parse(since) + within
}

/**
 * The calls that can get their results now. If calls have no ids of their own, their results are matched in order: then
 * a call waits for those before it that have the same name.
 */
export function readyCalls<S extends Pick<CallStanding, 'call' | 'gate' | 'taken'>>(
  standings: readonly S[],
): readonly S[] {
  if (callsOf({ calls: standings.map(({ call }) => call) }).haveOwnIds)
    return standings.filter((standing) => !isWaiting(standing))
  // The names and the ids of the calls that wait so far.
  const [names, ids] = [new Set<string>(), new Set<string>()]
  return standings.filter((standing) => {
    const { id, name } = standing.call
    if (!isWaiting(standing)) return !names.has(name) && !(id !== undefined && ids.has(id))
    names.add(name)
    if (id !== undefined) ids.add(id)
    return false
  })
}

/** What makes a call wait. */
export interface Gate extends Pick<OpenCall, 'needs' | 'within'> {
  readonly index: number
}

/**
 * The entry that keeps calls open. It hangs off the answer that makes them. It names the newest entry of the log, so that
 * each wait is another entry.
 */
export function waitDraft(gates: readonly Gate[], log: readonly Entry[]): EntryDraft {
  return sideEntry('wait', JSON.stringify({ calls: gates, upto: log.at(-1)?.id ?? null }))
}

/**
 * The entry of a decision. It hangs off the answer that makes the call. It names the newest entry of the log: if a
 * decision was erased, the same one again is another entry.
 */
export function decisionDraft(
  { wait, index }: CallPosition,
  { decision, by, via }: Pick<KeptDecision, 'decision' | 'by' | 'via'>,
  log: readonly Entry[],
): EntryDraft {
  const content = JSON.stringify({ wait, call: index, ...decision, via, upto: log.at(-1)?.id ?? null })
  return sideEntry('decision', content, by === undefined ? {} : { speaker: by })
}

/**
 * The entry that says which calls run now. Each of them runs once: after a crash it is not clear whether it did. It names
 * the newest entry of the log, so that each start is another entry.
 */
export function startDraft(calls: readonly number[], log: readonly Entry[]): EntryDraft {
  return sideEntry('start', JSON.stringify({ calls, upto: log.at(-1)?.id ?? null }))
}

/** Where an open call is: the entry that keeps it open, and its place among the calls of the answer. */
export interface CallPosition {
  readonly wait: string
  readonly index: number
}

function openCallId(wait: string, index: number): string {
  return `${wait}.${index}`
}

/** The place that the id of an open call names. Undefined if the text is not such an id. */
export function callPosition(id: string): CallPosition | undefined {
  const [, wait, index] = /^([0-9a-f]{64})\.(\d{1,6})$/.exec(id) ?? []
  return wait === undefined ? undefined : { wait, index: Number(index) }
}

/** The records of calls that begin to wait. Long arguments are only in the log. */
export function waitingRecords(calls: readonly OpenCall[]): NewRecord[] {
  return calls.map(({ id: key, call: parsed, ...open }) => {
    const { input: _, ...call } = parsed
    const { arguments: given, ...short } = call
    const isLong = (JSON.stringify(given) ?? '').length > longestListed
    return { name: recordNames.waiting, key, value: { ...open, call: isLong ? short : call } }
  })
}

/** A call that waits for a decision, and its thread. */
export interface ThreadCall extends OpenCall {
  readonly thread: string
}

/** One page of the calls that wait for a decision, the newest first. */
export interface CallList {
  readonly calls: readonly ThreadCall[]
  /** Set if there are more. Pass it as `after`. */
  readonly next?: string
}

/** Lists the calls that wait in all threads of a store. */
export async function listWaiting(
  { records }: Pick<Store, 'records'>,
  { limit = 100, after }: Pick<Page, 'limit' | 'after'>,
): Promise<CallList> {
  const found = await records.find({ name: recordNames.waiting, limit: limit + 1, after })
  const page = found.slice(0, Math.max(0, limit))
  const last = page.at(-1)
  const calls = page.map((record) => ({ ...listedCall(record), thread: record.thread! }))
  return { calls, ...(last && found.length > page.length && { next: last.position }) }
}

/**
 * The call that a record of the list says to wait.
 *
 * @example
 * const [record] = await store.records.find({ name: recordNames.waiting, thread: 'garden', limit: 1 })
 * const { call, needs } = listedCall(record)
 */
export function listedCall({ key, value }: Pick<StoredRecord, 'key' | 'value'>): OpenCall {
  const { call, ...open } = value as Omit<OpenCall, 'id'>
  return { ...open, id: key, call: 'arguments' in call ? parsedCall(call) : call }
}

const longestListed = 4096

/** The same, to be removed. `expected`: only if they are still there. */
export function waitingRemovals(ids: readonly string[], expected?: 1): NewRecord[] {
  return ids.map((key) => ({
    name: recordNames.waiting,
    key,
    value: null,
    remove: true,
    ...(expected && { expected }),
  }))
}

/** The calls that a `wait` entry keeps open. */
export function gatesIn(wait: Entry, issuer: Entry): readonly OpenCall[] {
  const { calls } = Object(parseJson(wait.text)) as { readonly calls?: readonly Gate[] }
  const gates: readonly Gate[] =
    wait.status === 'erased' || !calls ? issuer.calls.map((_, index) => ({ index, needs: 'approval' })) : calls
  return gates.flatMap(({ index, needs, within }) => {
    const call = issuer.calls[index]
    const { time: since } = wait
    return call ? [{ id: openCallId(wait.id, index), call: parsedCall(call), needs, since, within }] : []
  })
}

/** What an entry decides, and about which call of its answer. Undefined if it is no decision. */
export function decisionIn({
  kind,
  status,
  text,
  speaker,
  time,
}: Entry): { readonly index: number; readonly taken: KeptDecision } | undefined {
  if (kind !== 'decision' || status === 'erased') return undefined
  const { wait: _, upto: __, call, via, ...decision } = parseJson(text) as WrittenDecision
  return { index: call, taken: { decision: decision as Decision, by: speaker, via, time } }
}

type WrittenDecision = Decision &
  Pick<KeptDecision, 'via'> & { readonly wait: string; readonly upto: string | null; readonly call: number }

/** The calls of an answer that a `start` entry says to run. An erased one may have been about any of them. */
export function startedIn({ kind, status, text }: Entry, issuer: Entry): readonly number[] {
  if (kind !== 'start') return []
  if (status === 'erased') return [...issuer.calls.keys()]
  return (parseJson(text) as { readonly calls: readonly number[] }).calls
}
