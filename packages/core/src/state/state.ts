import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { placeOf } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import type { Call } from '../log/message.ts'

/** What a log's tool results amount to, as a value of type T. Holds no state itself: it can be shared by all threads. */
export interface StateReader<T> {
  readonly name: string
  readonly version: number
  /** The state before any result. */
  readonly initial: T
  /** The state after a result of `call`; the same state where the result is of no tool of it or does not fit the schema. */
  apply(state: T, entry: Entry, call: Call): T
}

/** How far a state has been folded. Plain data where the state is: it can be kept and gone on from. */
export interface StateFold<T> {
  readonly value: T
  /** The newest chained entry that went into it; null before the first. */
  readonly head: string | null
  /** Calls of this log's model that wait for their results. */
  readonly open: readonly Call[]
}

/**
 * The state of a branch, oldest entry first. Only results count that a tool gave to a call that this log's model made,
 * each call's first one: what a client claims, repeats or brings late is passed over.
 *
 * @example
 * stateOf(hypothesis, history(log)) // now
 * stateOf(hypothesis, history(log, { head: entry.id })) // as of an entry
 */
export function stateOf<T>(reader: StateReader<T>, entries: readonly Entry[]): T {
  return foldState(reader, entries).value
}

/**
 * Goes on from a fold with the entries that follow it on its branch; from the start where none is given.
 *
 * @example
 * const before = foldState(hypothesis, entries)
 * const after = foldState(hypothesis, newEntries, before)
 */
export function foldState<T>(reader: StateReader<T>, entries: readonly Entry[], from: StateFold<T> = startOf(reader)): StateFold<T> {
  let { value, head, open } = from
  for (const entry of entries) {
    if (!traits[entry.kind].chained) continue
    if (entry.parent !== head) throw notABranch(entry)
    const settled = settle(entry, open)
    if (settled.answered && entry.origin === 'tool' && entry.status === 'complete') value = reader.apply(value, entry, settled.answered)
    head = entry.id
    open = settled.open
  }
  return { value, head, open }
}

/** How many of the entries come before the calls that are open at their end: up to there a fold depends on nothing that follows. */
export function settledLength(entries: readonly Entry[]): number {
  let open: readonly Call[] = []
  let length = 0
  for (const [index, entry] of entries.entries()) {
    if (traits[entry.kind].chained) open = settle(entry, open).open
    if (open.length === 0) length = index + 1
  }
  return length
}

function startOf<T>(reader: StateReader<T>): StateFold<T> {
  return { value: reader.initial, head: null, open: [] }
}

/** The call that an entry answers, and those that are open after it. */
function settle(entry: Entry, open: readonly Call[]): { readonly answered?: Call | undefined; readonly open: readonly Call[] } {
  if (entry.kind !== 'tool') return { open: entry.origin === 'model' && entry.status === 'complete' ? entry.calls : [] }
  // Nobody but the engine and its tools can answer a call: a result from elsewhere does not take the place of the real one.
  if (entry.origin !== 'tool' && entry.origin !== 'engine') return { open }
  // A tombstone no longer says which call it answered; the other results still do.
  if (entry.status === 'erased' && entry.answers?.id === undefined && haveOwnIds(open)) return { open }
  const place = placeOf(entry, open)
  return place.orphan ? { open } : { answered: place.answers, open: place.open }
}

function haveOwnIds(calls: readonly Call[]): boolean {
  return new Set(calls.flatMap(({ id }) => id ?? [])).size === calls.length
}

function notABranch({ seq }: Entry): MinutebookError {
  return new MinutebookError('not_a_branch', `Entry ${seq} does not follow the entry before it; pass the entries of one branch from its start, such as history(log, { head }).`, { seq })
}
