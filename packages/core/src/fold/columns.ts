import type { Digest } from '../digest/digest.ts'
import type { OutlineLine } from '../digest/outline.ts'
import type { Entry } from '../log/entry.ts'
import { startsExchange, type Place } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import type { Message } from '../log/message.ts'
import type { Cost, Prices } from '../policy/cost.ts'
import { createIndex, forkIndex, type StemIndex } from '../recall/stem-index.ts'

/** What is known of each entry and exchange, in lists that only grow. */
export interface Lists {
  /** Tokens of each entry: its text, its reasoning, everything else. */
  readonly text: number[]
  readonly reasoning: number[]
  readonly rest: number[]
  /** Running sums over the entries before each index, without system entries: with and without reasoning. */
  readonly full: number[]
  readonly lean: number[]
  /** Where each exchange and each step starts. */
  readonly exchanges: number[]
  readonly steps: number[]
  /** One for each finished exchange. */
  readonly digests: Digest[]
  /** The system entries, with running sums of their tokens: of all, and of each text once. */
  readonly systems: number[]
  readonly systemSums: number[]
  readonly systemOnceSums: number[]
  /** The notes and journal entries, with running sums of what they cost under one heading. */
  readonly notes: number[]
  readonly noteSums: number[]
}

/** The lists with the entries themselves, and what can be looked up in them. */
export interface Columns<M extends Message = Message> extends Lists {
  readonly entries: Entry<M>[]
  /** Where each system text stands first. */
  readonly systemTexts: Map<string, number>
  /** Brought up to date when a recall needs it. */
  readonly index: StemIndex
  /** What was worked out before and will be again: can be forgotten at any time. */
  readonly memory: Memory
}

/** Lines of outlines by what they stand for, and what an entry costs when it is recalled. */
export interface Memory {
  readonly outline: Map<string, OutlineLine>
  readonly recalled: Map<number, number>
}

/** A beginning of the columns. Older views of grown columns stay true: they read only what they had. */
export interface View<M extends Message = Message> extends Counts {
  readonly columns: Columns<M>
}

/** How far a view goes. */
export interface Counts {
  readonly length: number
  readonly exchanges: number
  readonly steps: number
  readonly systems: number
  readonly notes: number
  /** The index of the first user entry, or -1. */
  readonly firstUser: number
}

export function emptyView<M extends Message>(): View<M> {
  return { columns: createColumns(), length: 0, exchanges: 0, steps: 0, systems: 0, notes: 0, firstUser: -1 }
}

/** The view with one more entry. Columns that another view has already grown are copied first. */
export function appended<M extends Message>(view: View<M>, entry: Entry<M>, place: Place, cost: Cost, prices: Prices): View<M> {
  const columns = view.columns.entries.length === view.length ? view.columns : copied(view)
  const index = view.length
  const { pinned } = traits[entry.kind]
  const own = cost.text + cost.rest
  // Calls are paid for as interrupted until their results arrive, so that a sum over whole steps is always exact.
  const repairs = (entry.calls.length - (place.answers ? 1 : 0)) * prices.interrupted
  columns.entries.push(entry)
  columns.text.push(cost.text)
  columns.reasoning.push(cost.reasoning)
  columns.rest.push(cost.rest)
  columns.lean.push(at(columns.lean, index) + (pinned ? 0 : own + repairs))
  columns.full.push(at(columns.full, index) + (pinned ? 0 : own + repairs + cost.reasoning))
  if (startsExchange(entry, view.exchanges)) columns.exchanges.push(index)
  if (pinned) {
    const repeated = columns.systemTexts.has(entry.text)
    columns.systems.push(index)
    columns.systemSums.push(at(columns.systemSums, view.systems) + own)
    columns.systemOnceSums.push(at(columns.systemOnceSums, view.systems) + (repeated ? 0 : own))
    if (!repeated) columns.systemTexts.set(entry.text, index)
  } else if (place.startsStep) columns.steps.push(index)
  if (!traits[entry.kind].chained) {
    columns.notes.push(index)
    columns.noteSums.push(at(columns.noteSums, view.notes) + cost.text + prices.note)
  }
  return {
    columns,
    length: index + 1,
    exchanges: columns.exchanges.length,
    steps: columns.steps.length,
    systems: columns.systems.length,
    notes: columns.notes.length,
    firstUser: view.firstUser < 0 && entry.kind === 'user' ? index : view.firstUser,
  }
}

/** The number of the exchange that holds the entry at `index`; -1 before the first. */
export function exchangeOf(view: View, index: number): number {
  return lastNotAfter(view.columns.exchanges, view.exchanges, index)
}

/** The place of the last of the first `count` starts that is not after `index`; -1 before the first. */
export function lastNotAfter(starts: readonly number[], count: number, index: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(starts, middle) <= index) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The first index of an exchange; the end of the log for the one after the last. */
export function exchangeStart(view: View, exchange: number): number {
  return exchange < view.exchanges ? at(view.columns.exchanges, exchange) : view.length
}

/** The system entries between two indexes. */
export function systemsBetween({ columns, systems }: View, from: number, to: number): readonly number[] {
  return between(columns.systems, systems, from, to)
}

/** The notes between two indexes. */
export function notesBetween({ columns, notes }: View, from: number, to: number): readonly number[] {
  return between(columns.notes, notes, from, to)
}

function between(indexes: readonly number[], count: number, from: number, to: number): readonly number[] {
  return indexes.slice(lastNotAfter(indexes, count, from - 1) + 1, lastNotAfter(indexes, count, to - 1) + 1)
}

/** How many entries between two indexes were said in the conversation: neither system entries nor notes. */
export function spokenBetween({ columns, systems, notes }: View, from: number, to: number): number {
  const among = (indexes: readonly number[], count: number): number => lastNotAfter(indexes, count, to - 1) - lastNotAfter(indexes, count, from - 1)
  return from >= to ? 0 : to - from - among(columns.systems, systems) - among(columns.notes, notes)
}

/** The calls or the result at `index` with all that was said in its step: late system entries and notes are not part of it. */
export function spokenStep({ columns, length, steps }: View, index: number): number[] {
  const step = lastNotAfter(columns.steps, steps, index)
  const end = step + 1 < steps ? at(columns.steps, step + 1) : length
  const spoken: number[] = []
  for (let next = at(columns.steps, step); next < end; next++) {
    const { pinned, chained } = traits[columns.entries[next]!.kind]
    if (chained && !pinned) spoken.push(next)
  }
  return spoken
}

/** How many calls of the entry never got a result. */
export function danglingCalls(view: View, index: number): number {
  const { calls } = view.columns.entries[index]!
  return calls.length === 0 ? 0 : calls.length - (spokenStep(view, index).length - 1)
}

/** A number that is known to be there. */
export function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? 0
}

/** The lists as far as the counts go, copied. */
export function listsUpTo(lists: Lists, { length, exchanges, steps, systems, notes }: Counts): Lists {
  return {
    text: lists.text.slice(0, length),
    reasoning: lists.reasoning.slice(0, length),
    rest: lists.rest.slice(0, length),
    full: lists.full.slice(0, length + 1),
    lean: lists.lean.slice(0, length + 1),
    exchanges: lists.exchanges.slice(0, exchanges),
    steps: lists.steps.slice(0, steps),
    digests: lists.digests.slice(0, Math.max(0, exchanges - 1)),
    systems: lists.systems.slice(0, systems),
    systemSums: lists.systemSums.slice(0, systems + 1),
    systemOnceSums: lists.systemOnceSums.slice(0, systems + 1),
    notes: lists.notes.slice(0, notes),
    noteSums: lists.noteSums.slice(0, notes + 1),
  }
}

/** Columns over lists that were copied or loaded. */
export function columnsOf<M extends Message>(entries: Entry<M>[], lists: Lists, index: StemIndex): Columns<M> {
  const systemTexts = new Map<string, number>()
  for (const system of lists.systems.toReversed()) systemTexts.set(entries[system]?.text ?? '', system)
  return { ...lists, entries, systemTexts, index, memory: { outline: new Map(), recalled: new Map() } }
}

function copied<M extends Message>(view: View<M>): Columns<M> {
  const { columns, length } = view
  return columnsOf(columns.entries.slice(0, length), listsUpTo(columns, view), forkIndex(columns.index, length))
}

function createColumns<M extends Message>(): Columns<M> {
  const lists: Lists = {
    text: [], reasoning: [], rest: [], full: [0], lean: [0], exchanges: [], steps: [], digests: [],
    systems: [], systemSums: [0], systemOnceSums: [0], notes: [], noteSums: [0],
  }
  return columnsOf([], lists, createIndex())
}
