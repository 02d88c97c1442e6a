import type { Entry } from '../log/entry.ts'
import type { Place } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import type { Message } from '../log/message.ts'
import { createIndex, forkIndex, type TermIndex } from '../recall/term-index.ts'
import type { Cost, Prices } from './cost.ts'
import type { Digest } from './digest.ts'
import type { OutlineLine } from './outline.ts'

/** What is known of each entry, exchange and term, in lists that only grow. */
export interface Columns<M extends Message = Message> {
  readonly entries: Entry<M>[]
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
  /** Where each system text stands first. */
  readonly systemTexts: Map<string, number>
  readonly notes: number[]
  /** Brought up to date when a recall needs it. */
  readonly index: TermIndex
  /** Lines of outlines made before; can be forgotten at any time. */
  readonly outlineMemory: Map<string, OutlineLine>
}

/** A beginning of the columns. Older views of grown columns stay true: they read only what they had. */
export interface View<M extends Message = Message> {
  readonly columns: Columns<M>
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
  if (startsExchange(view, entry)) columns.exchanges.push(index)
  if (pinned) {
    const repeated = columns.systemTexts.has(entry.text)
    columns.systems.push(index)
    columns.systemSums.push(at(columns.systemSums, view.systems) + own)
    columns.systemOnceSums.push(at(columns.systemOnceSums, view.systems) + (repeated ? 0 : own))
    if (!repeated) columns.systemTexts.set(entry.text, index)
  } else if (place.startsStep) columns.steps.push(index)
  if (!traits[entry.kind].chained) columns.notes.push(index)
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

/** Whether an entry opens an exchange here: a user's does, and so does the first that is not a system entry. */
export function startsExchange(view: View, entry: Entry): boolean {
  return traits[entry.kind].opensExchange || (view.exchanges === 0 && !traits[entry.kind].pinned)
}

/** The number of the exchange that holds the entry at `index`; -1 before the first. */
export function exchangeOf(view: View, index: number): number {
  let low = 0
  let high = view.exchanges
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(view.columns.exchanges, middle) <= index) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The first index of an exchange; the end of the log for the one after the last. */
export function exchangeStart(view: View, exchange: number): number {
  return exchange < view.exchanges ? at(view.columns.exchanges, exchange) : view.length
}

/** A number that is known to be there. */
export function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? 0
}

function createColumns<M extends Message>(): Columns<M> {
  return {
    entries: [], text: [], reasoning: [], rest: [], full: [0], lean: [0], exchanges: [], steps: [], digests: [],
    systems: [], systemSums: [0], systemOnceSums: [0], systemTexts: new Map(), notes: [], index: createIndex(), outlineMemory: new Map(),
  }
}

function copied<M extends Message>({ columns, length, exchanges, steps, systems, notes }: View<M>): Columns<M> {
  return {
    entries: columns.entries.slice(0, length),
    text: columns.text.slice(0, length),
    reasoning: columns.reasoning.slice(0, length),
    rest: columns.rest.slice(0, length),
    full: columns.full.slice(0, length + 1),
    lean: columns.lean.slice(0, length + 1),
    exchanges: columns.exchanges.slice(0, exchanges),
    steps: columns.steps.slice(0, steps),
    digests: columns.digests.slice(0, Math.max(0, exchanges - 1)),
    systems: columns.systems.slice(0, systems),
    systemSums: columns.systemSums.slice(0, systems + 1),
    systemOnceSums: columns.systemOnceSums.slice(0, systems + 1),
    systemTexts: new Map([...columns.systemTexts].filter(([, index]) => index < length)),
    notes: columns.notes.slice(0, notes),
    index: forkIndex(columns.index, length),
    outlineMemory: new Map(),
  }
}
