import type { Store } from 'minutebook'
import {
  problemReasons,
  problemsIn,
  receiptsOf,
  settingsFrom,
  type KeptReceipt,
  type ProblemReason,
  type StoredProblem,
} from 'minutebook/inspect'
import { figureName, sha256, recordNames, type StoredEntry } from 'minutebook/store'
import { tokensRead } from 'minutebook/wire'
import { isReserved } from '../matching/directory.ts'

/** A thread that needs a look. */
export interface ThreadProblems {
  readonly thread: string
  readonly title: string | null
  readonly model: string | null
  /** Why, the worst first. */
  readonly reasons: readonly {
    readonly reason: ProblemReason
    /** In how many of `calls`. 0 if that is longer ago. */
    readonly calls: number
    /** The newest such call. Null if no prompt could be made. */
    readonly receipt: string | null
  }[]
  /** The newest calls of the thread, the oldest first. */
  readonly calls: readonly CallBar[]
}

/** A model call as a bar: in tokens. */
export interface CallBar {
  readonly receipt: string
  readonly sent: number
  readonly reused: number
  /** As the server says; null if it does not. */
  readonly read: number | null
  readonly window: number | null
  readonly problems: readonly ProblemReason[]
}

/** Which problems are looked for: of these hours, and of a model and a key if they are named, as figures name them. */
export interface ProblemQuery {
  readonly from: number
  readonly to: number
  readonly model: string | undefined
  readonly key: string | undefined
  readonly limit: number
}

/** Reads what a list says of a thread. */
export type SummaryReader = (thread: string) => Promise<Pick<ThreadProblems, 'title' | 'model'>>

/** The worst threads, how many have problems, and whether all of them were looked at. */
export interface FoundProblems {
  readonly threads: readonly ThreadProblems[]
  readonly count: number
  readonly all: boolean
}

/**
 * Which threads need a look? Those with the worst problems, of the threads that have the newest ones. A store finds
 * these by their records, so the number of threads does not matter. Of each thread that is listed, the newest entries
 * are read.
 */
export async function findProblems(
  store: Store,
  { limit, ...within }: ProblemQuery,
  summary: SummaryReader,
): Promise<FoundProblems> {
  const threads = new Map<string, Map<ProblemReason, StoredProblem>>()
  let [looked, isAll, after] = [0, false, undefined as string | undefined]
  while (looked < mostLooked && !isAll) {
    const records = await store.records.find({ name: recordNames.problem, limit: pageSize, after })
    for (const { thread, key, value } of records) {
      const problem = value as StoredProblem
      if (thread === null || isReserved(thread) || !isWithin(problem, within)) continue
      const known = threads.get(thread) ?? new Map<ProblemReason, StoredProblem>()
      threads.set(thread, known.set(key as ProblemReason, problem))
    }
    looked += records.length
    after = records.at(-1)?.position
    isAll = records.length < pageSize
  }
  const worst = [...threads].toSorted(([, one], [, other]) => rankOf([...one.keys()]) - rankOf([...other.keys()]))
  const rows: ThreadProblems[] = []
  // One after the other, so that the entries of only one thread are in memory.
  for (const [thread, problems] of worst.slice(0, limit))
    rows.push(await describeProblems(store, { thread, problems, summary }))
  return { threads: rows.toSorted(worstFirst), count: threads.size, all: isAll }
}

const pageSize = 250
const mostLooked = 1000

function isWithin({ hour, model, owner }: StoredProblem, within: Omit<ProblemQuery, 'limit'>): boolean {
  if (hour < within.from || hour >= within.to) return false
  const isAsked = (asked: string | undefined, name: string): boolean =>
    asked === undefined || asked === figureName(name)
  return isAsked(within.model, model) && isAsked(within.key, owner)
}

/** The place of the worst of these reasons. */
function rankOf(reasons: readonly ProblemReason[]): number {
  return Math.min(...reasons.map((reason) => problemReasons.indexOf(reason)))
}

/** By the worst reason, then by the share of calls that have it. */
function worstFirst(one: ThreadProblems, other: ThreadProblems): number {
  const reasonsOf = ({ reasons }: ThreadProblems): ProblemReason[] => reasons.map(({ reason }) => reason)
  const shareOf = ({ reasons: [worst], calls }: ThreadProblems): number => (worst?.calls ?? 0) / (calls.length || 1)
  return rankOf(reasonsOf(one)) - rankOf(reasonsOf(other)) || shareOf(other) - shareOf(one)
}

async function describeProblems(
  store: Store,
  {
    thread,
    problems,
    summary,
  }: {
    readonly thread: string
    readonly problems: ReadonlyMap<ProblemReason, StoredProblem>
    readonly summary: SummaryReader
  },
): Promise<ThreadProblems> {
  const [{ title, model }, first, last] = await Promise.all([
    summary(thread),
    store.read(thread, { to: firstEntries }),
    store.read(thread, { last: lastEntries }),
  ])
  const receipts = receiptsOf(last).slice(-mostCalls)
  const windows = windowsIn([...first, ...last])
  const calls = receipts.map((receipt) => barOf(receipt, windows.get(receipt.settings)))
  const reasons = problemReasons.flatMap((reason) => {
    const problem = problems.get(reason)
    if (!problem) return []
    const having = calls.filter((call) => call.problems.includes(reason))
    const receipt = having.at(-1)?.receipt ?? (reason === 'overflow' ? null : problem.entry)
    return [{ reason, calls: having.length, receipt }]
  })
  return { thread, title, model: model ?? [...problems.values()][0]?.model ?? null, reasons, calls }
}

const mostCalls = 24
/** A call with its question, or with the result of a tool, and its answer. */
const lastEntries = 3 * mostCalls
/** The settings are recorded with the first call. */
const firstEntries = 12

/** The windows that calls were made for, by the hash of their settings. */
function windowsIn(entries: readonly StoredEntry[]): ReadonlyMap<string, number> {
  const settings = entries.filter(({ kind, status }) => kind === 'settings' && status !== 'erased')
  return new Map(settings.map((entry) => [sha256(entry.text), settingsFrom(entry).window]))
}

function barOf(receipt: KeptReceipt, window: number | undefined): CallBar {
  const { predicted: sent, reused, reported } = receipt.tokens
  return {
    receipt: receipt.id,
    sent,
    reused: Math.min(reused, sent),
    read: tokensRead(reported) ?? null,
    window: window ?? null,
    problems: problemsIn(receipt),
  }
}
