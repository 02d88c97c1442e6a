import type { Entry } from '../log/entry.ts'
import { startsExchange, type CallMatch } from '../log/exchange.ts'
import { traits, type Kind } from '../log/kind.ts'
import { argumentsText, type Message } from '../log/message.ts'
import { atOnce, itemWork, type Steps } from '../log/steps.ts'
import { at, between, columnOf, endOf, knownAt, lastNotAfter, push, upTo, type Column, type Known } from './column.ts'
import type { Cost, Prices } from './cost.ts'
import { digestStep, gist, type Digest, type Digesting } from './digest.ts'
import type { OutlineLine } from './outline.ts'
import { appendStems, createIndex, forkIndex, scannedCharacters, type StemIndex } from './recall-index.ts'

/** What is known of each entry and exchange, in lists that only grow. */
export interface Lists {
  /** Tokens of each entry: its text, its reasoning, everything else. */
  readonly text: Column<number>
  readonly reasoning: Column<number>
  readonly rest: Column<number>
  /** Running sums over the entries before each index, without system entries: with and without reasoning. */
  readonly full: Column<number>
  readonly withoutReasoning: Column<number>
  /** Where each exchange and each step starts. */
  readonly exchanges: Column<number>
  readonly steps: Column<number>
  /** One for each finished exchange: its digest, and the title of that. */
  readonly digests: Column<{ readonly text: string; readonly tokens: number }>
  readonly titles: Column<string>
  /** Running sums over the digests before each exchange. */
  readonly digestSums: Column<number>
  /** The system entries, with running sums of their tokens: of all, and of each text once. Never forgotten. */
  readonly systems: Column<number>
  readonly systemSums: Column<number>
  readonly systemOnceSums: Column<number>
  /** The notes and journal entries, with running sums of what they cost under one heading. */
  readonly notes: Column<number>
  readonly noteSums: Column<number>
}

/** The lists with the entries themselves, and what can be looked up in them. */
export interface Columns<M extends Message = Message> extends Lists {
  readonly entries: Column<Entry<M>>
  readonly remains: Remains
  /** Where each system text stands first. */
  readonly systemTexts: Map<string, number>
  /** Brought up to date when a recall needs it. */
  readonly index: StemIndex
  /** What was worked out before and will be again: can be forgotten at any time. */
  readonly memory: Memory
}

/** What is still known of entries that are forgotten, by their indexes. */
export interface Remains {
  /** The first words of entries that a span may begin with. */
  readonly openings: Known<string>
  /** The digests of steps that the turn may still be told with. */
  readonly steps: Known<Digest>
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
  /** The index of the first user entry, and of the first entry of the chain after it; or -1. */
  readonly firstUser: number
  readonly afterFirst: number
}

export function emptyView<M extends Message>(): View<M> {
  return {
    columns: createColumns(),
    length: 0,
    exchanges: 0,
    steps: 0,
    systems: 0,
    notes: 0,
    firstUser: -1,
    afterFirst: -1,
  }
}

/** The view with one more entry. Columns that another view has already grown are copied first. */
export function appended<M extends Message>(
  view: View<M>,
  entry: Entry<M>,
  place: CallMatch,
  cost: Cost,
  prices: Prices,
): View<M> {
  const columns = endOf(view.columns.entries) === view.length ? view.columns : copied(view)
  const index = view.length
  const { pinned, chained } = traits[entry.kind]
  const own = cost.text + cost.rest
  // Calls are paid for as interrupted until their results arrive, so that a sum over whole steps is always exact.
  const repairs = (entry.calls.length - (place.answers ? 1 : 0)) * prices.interrupted
  push(columns.entries, entry)
  push(columns.text, cost.text)
  push(columns.reasoning, cost.reasoning)
  push(columns.rest, cost.rest)
  push(columns.withoutReasoning, at(columns.withoutReasoning, index) + (pinned ? 0 : own + repairs))
  push(columns.full, at(columns.full, index) + (pinned ? 0 : own + repairs + cost.reasoning))
  if (startsExchange(entry, view.exchanges)) push(columns.exchanges, index)
  if (pinned) {
    const repeated = columns.systemTexts.has(entry.text)
    push(columns.systems, index)
    push(columns.systemSums, at(columns.systemSums, view.systems) + own)
    push(columns.systemOnceSums, at(columns.systemOnceSums, view.systems) + (repeated ? 0 : own))
    if (!repeated) columns.systemTexts.set(entry.text, index)
  } else if (place.startsStep) push(columns.steps, index)
  if (!chained) {
    push(columns.notes, index)
    push(columns.noteSums, at(columns.noteSums, view.notes) + cost.text + prices.note)
  }
  return grown(view, columns, entry.kind)
}

/** The view one entry further into columns that have it. */
export function grown<M extends Message>(view: View<M>, columns: Columns<M>, kind: Kind): View<M> {
  const { length, firstUser, afterFirst } = view
  const counted = (starts: Column<number>, count: number): number =>
    count < endOf(starts) && at(starts, count) === length ? count + 1 : count
  return {
    columns,
    length: length + 1,
    exchanges: counted(columns.exchanges, view.exchanges),
    steps: counted(columns.steps, view.steps),
    systems: counted(columns.systems, view.systems),
    notes: counted(columns.notes, view.notes),
    firstUser: firstUser < 0 && kind === 'user' ? length : firstUser,
    afterFirst: firstUser >= 0 && afterFirst < 0 && traits[kind].chained ? length : afterFirst,
  }
}

/** The number of the exchange that holds the entry at `index`; -1 before the first. */
export function exchangeOf(view: View, index: number): number {
  return lastNotAfter(view.columns.exchanges, view.exchanges, index)
}

/** The first index of an exchange; the end of the log for the one after the last. */
export function exchangeStart(view: View, exchange: number): number {
  if (exchange < 0) return 0
  return exchange < view.exchanges ? at(view.columns.exchanges, exchange) : view.length
}

/** The system entries between two indexes. */
export function systemsBetween({ columns, systems }: View, from: number, to: number): readonly number[] {
  return indexesBetween(columns.systems, systems, from, to)
}

/** The notes between two indexes. */
export function notesBetween({ columns, notes }: View, from: number, to: number): readonly number[] {
  return indexesBetween(columns.notes, notes, from, to)
}

function indexesBetween(indexes: Column<number>, count: number, from: number, to: number): readonly number[] {
  return between(indexes, lastNotAfter(indexes, count, from - 1) + 1, lastNotAfter(indexes, count, to - 1) + 1)
}

/** How many notes there are between two indexes. */
export function countNotes({ columns, notes }: View, from: number, to: number): number {
  return countBetween(columns.notes, notes, from, to)
}

/** How many entries between two indexes were said in the conversation: neither system entries nor notes. */
export function spokenBetween({ columns, systems, notes }: View, from: number, to: number): number {
  return from >= to
    ? 0
    : to - from - countBetween(columns.systems, systems, from, to) - countBetween(columns.notes, notes, from, to)
}

function countBetween(indexes: Column<number>, count: number, from: number, to: number): number {
  return lastNotAfter(indexes, count, to - 1) - lastNotAfter(indexes, count, from - 1)
}

/**
 * The calls or the result at `index` with all that was said in its step: late system entries and notes are not part of
 * it.
 */
export function spokenStep({ columns, length, steps }: View, index: number): number[] {
  const step = lastNotAfter(columns.steps, steps, index)
  const end = step + 1 < steps ? at(columns.steps, step + 1) : length
  const spoken: number[] = []
  for (let next = at(columns.steps, step); next < end; next++) {
    const { pinned, chained } = traits[at(columns.entries, next).kind]
    if (chained && !pinned) spoken.push(next)
  }
  return spoken
}

/** True for a result that no call asked for: it is a step of its own. */
export function isStray({ columns, steps }: View, index: number): boolean {
  return (
    at(columns.entries, index).kind === 'tool' && at(columns.steps, lastNotAfter(columns.steps, steps, index)) === index
  )
}

/** How many calls of the entry never got a result. */
export function danglingCalls(view: View, index: number): number {
  const { calls } = at(view.columns.entries, index)
  return calls.length === 0 ? 0 : calls.length - (spokenStep(view, index).length - 1)
}

/** The lists as far as the counts go, copied. */
export function listsUpTo(lists: Lists, { length, exchanges, steps, systems, notes }: Counts): Lists {
  const finished = Math.max(0, exchanges - 1)
  return {
    text: upTo(lists.text, length),
    reasoning: upTo(lists.reasoning, length),
    rest: upTo(lists.rest, length),
    full: upTo(lists.full, length + 1),
    withoutReasoning: upTo(lists.withoutReasoning, length + 1),
    exchanges: upTo(lists.exchanges, exchanges),
    steps: upTo(lists.steps, steps),
    digests: upTo(lists.digests, finished),
    titles: upTo(lists.titles, finished),
    digestSums: upTo(lists.digestSums, finished + 1),
    systems: upTo(lists.systems, systems),
    systemSums: upTo(lists.systemSums, systems + 1),
    systemOnceSums: upTo(lists.systemOnceSums, systems + 1),
    notes: upTo(lists.notes, notes),
    noteSums: upTo(lists.noteSums, notes + 1),
  }
}

/** Columns over lists that were copied, condensed or loaded. */
export function columnsOver<M extends Message>(
  entries: Column<Entry<M>>,
  lists: Lists,
  remains: Remains,
  index: StemIndex,
): Columns<M> {
  const systemTexts = new Map<string, number>()
  for (const system of lists.systems.values.toReversed()) systemTexts.set(at(entries, system).text, system)
  return { ...lists, entries, remains, systemTexts, index, memory: { outline: new Map(), recalled: new Map() } }
}

function copied<M extends Message>(view: View<M>): Columns<M> {
  const { columns, length } = view
  return columnsOver(
    upTo(columns.entries, length),
    listsUpTo(columns, view),
    columns.remains,
    forkIndex(columns.index, length),
  )
}

function createColumns<M extends Message>(): Columns<M> {
  const lists: Lists = {
    text: columnOf(),
    reasoning: columnOf(),
    rest: columnOf(),
    full: columnOf(0),
    withoutReasoning: columnOf(0),
    exchanges: columnOf(),
    steps: columnOf(),
    digests: columnOf(),
    titles: columnOf(),
    digestSums: columnOf(0),
    systems: columnOf(),
    systemSums: columnOf(0),
    systemOnceSums: columnOf(0),
    notes: columnOf(),
    noteSums: columnOf(0),
  }
  return columnsOver(columnOf(), lists, { openings: [], steps: [] }, createIndex())
}

/** The first words of an entry; none of a note. */
export function openingOf({ columns: { entries, remains } }: View, index: number): string {
  const known = knownAt(remains.openings, index)
  if (known !== undefined) return known
  const { kind, text } = at(entries, index)
  return traits[kind].chained ? gist(text, 40) : ''
}

/** The digest of the step between two indexes. */
export function stepDigest(
  { columns: { entries, remains } }: View,
  from: number,
  to: number,
  digesting: Digesting,
): Digest {
  return knownAt(remains.steps, from) ?? digestStep(between(entries, from, to), digesting)
}

/** Indexes the entries before `count` that are not indexed yet. */
export function bringUpToDate(view: View, count: number): void {
  atOnce(indexing(view, count))
}

/** The same, step by step. */
export function* indexing({ columns }: View, count: number): Steps<void> {
  const { index, entries } = columns
  // Others may go on with it in between.
  while (index.tokens.length < count) {
    const next = index.tokens.length
    const entry = at(entries, next)
    const { pinned, chained } = traits[entry.kind]
    const called = entry.calls.map((call) => `${call.name} ${argumentsText(call)}`)
    appendStems(index, pinned || !chained ? '' : [entry.text, ...called].join(' '), at(columns.text, next))
    yield itemWork + Math.min(entry.text.length, scannedCharacters)
  }
}
