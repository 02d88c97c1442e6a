import { history, MinutebookError, openBook, type Entry, type Store, type TokenCounter } from 'minutebook'
import {
  cacheUsage,
  callCost,
  costsAsSent,
  sharesAsSent,
  turnsOf,
  type CacheUsage,
  type ModelPrice,
  type Share,
  type TurnPosition,
} from '@minutebook/inspect'
import { callNames, type CallChoice, type KeptReceipt, type ThreadDump } from 'minutebook/inspect'
import { systemClock } from 'minutebook/clock'
import type { Plan, Span } from 'minutebook/compile'
import { entryOf, traits, type StoredEntry } from 'minutebook/store'
import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { isReserved } from '../matching/directory.ts'
import { unknownThreadError, type CallPlace, type UnderivedCall } from './archive.ts'
import { countersAtHand, type CountersAtHand } from './counters.ts'
import { countsOf, inspectionOf, withoutWords, type Counts, type Inspection, type SentUnder } from './inspection.ts'

/** The model calls of a thread, for clients that look at them one by one. */
export interface CallArchive {
  /** The calls of the newest branch, or of the one that ends with `head`, oldest first. */
  calls(thread: string, head?: string): Promise<readonly CallBrief[]>
  /** One of them. `all`: including what people do not see. */
  inspect(thread: string, receipt: string, all: boolean): Promise<Inspection>
  /** What the recorded counter counted, for clients that do not have it. */
  counts(thread: string): Promise<Counts>
}

/** A model call in brief. */
export interface CallBrief extends TurnPosition {
  readonly receipt: KeptReceipt
  /** Null if the settings of the call were erased. */
  readonly model: string | null
  readonly window: number | null
  readonly reserve: number | null
  readonly policy: string | null
}

/**
 * @example
 * const [first] = await callArchive(store).calls('garden')
 */
export function callArchive(store: Store, options: CountersAtHand & Partial<Pick<Config, 'prices'>> = {}): CallArchive {
  const book = openBook({ store, heldThreads: 0 })
  const logOf = async (thread: string): Promise<readonly StoredEntry[]> => {
    const log = isReserved(thread) ? [] : await store.read(thread)
    if (log.length === 0) throw unknownThreadError()
    return log
  }
  return {
    calls: async (thread, head) => callsOn(await logOf(thread), head),
    inspect: async (thread, receipt, all) => {
      const log = await logOf(thread)
      const counter = countersAtHand(log, options, receipt)
      const dump = await book.thread(thread, { counter }).dump({ receipt })
      const cache = await cacheOf(log, receipt, counter)
      const { policy, profile, wire } = settingsBy(log).get(dump.receipt!.settings) ?? {}
      const under: SentUnder = { policy: policy ?? null, profile: profile ?? {}, wire: wire ?? null }
      const place = callPlace(thread, log, dump)
      return inspectionOf(place, {
        dump,
        counter,
        under,
        all,
        cost: callCost(place.receipt.tokens.reported, priceOf(options.prices, place)) ?? null,
        cache,
        branch: history(log, { head: place.receipt.head }),
      })
    },
    counts: async (thread) => countsOf(book, thread, countersAtHand(await logOf(thread), options)),
  }
}

/** The price of the model of a call. Models can have any name, also that of a method of all objects. */
export function priceOf(prices: Config['prices'] = {}, { model }: Pick<CallPlace, 'model'>): ModelPrice | undefined {
  return model !== null && Object.hasOwn(prices, model) ? prices[model] : undefined
}

/** The cache use of one call; null if its prompt, or the one before, cannot be derived here. */
export async function cacheOf(
  log: readonly StoredEntry[],
  receipt: string,
  counter: TokenCounter | undefined,
): Promise<CacheUsage | null> {
  const [found] = await cacheUsage(log, { receipt, counter, clock: systemClock })
  if (!found) return null
  const { receipt: _receipt, call: _call, model: _model, ...usage } = found
  return usage
}

function callsOn(log: readonly StoredEntry[], head: string | undefined): CallBrief[] {
  const branch = history(log, { ...(head !== undefined && { head }) })
  const settings = settingsBy(log)
  const turns = turnsOf(branch)
  return branch
    .filter(({ kind, status }) => kind === 'receipt' && status !== 'erased')
    .toSorted((left, right) => left.seq - right.seq)
    .map((entry) => {
      const receipt: KeptReceipt = { ...(JSON.parse(entry.text) as KeptReceipt), id: entry.id, seq: entry.seq }
      const { model = null, window = null, reserve = null, policy } = settings.get(receipt.settings) ?? {}
      return {
        receipt: withoutWords(receipt),
        ...(turns.get(receipt.head) ?? { turn: 0, question: null }),
        model,
        window,
        reserve,
        policy: policy?.name ?? null,
      }
    })
}

interface Settings extends Partial<SentUnder> {
  readonly model?: string | null
  readonly window?: number
  readonly reserve?: number | null
  readonly counter?: string
}

/** By the hash under which receipts name them. */
function settingsBy(log: readonly StoredEntry[]): Map<string, Settings> {
  return new Map(
    log
      .filter(({ kind, status }) => kind === 'settings' && status !== 'erased')
      .map(({ text }) => [createHash('sha256').update(text).digest('hex'), JSON.parse(text) as Settings]),
  )
}

/** The newest model call of a log. Without any: the newest turn that was stopped before its call, for the reason. */
export function lastCall(log: readonly StoredEntry[]): CallChoice {
  const receipt = log.findLast(({ kind, status }) => kind === 'receipt' && status !== 'erased')
  const stopped = log.some(({ kind }) => kind === 'stop') && log.findLast(({ kind }) => kind === 'user')
  if (!receipt && stopped) return { turn: stopped.id }
  if (!receipt)
    throw new MinutebookError(
      'no_calls',
      'This thread has no recorded model calls.',
      'Send a message through the gateway first.',
    )
  return { receipt: receipt.id }
}

/** The place of a dump's call. */
export function callPlace(
  thread: string,
  log: readonly StoredEntry[],
  { receipt }: Pick<ThreadDump, 'receipt'>,
): CallPlace {
  if (!receipt)
    throw new MinutebookError('no_calls', 'This prompt was never sent to a model.', 'Name a turn or a receipt.')
  const newest = history(log)
  const branch = newest.filter(({ kind }) => traits[kind].chained)
  const call = callNames(log, newest).get(receipt.id) ?? receipt.id
  const end = branch.findIndex(({ id }) => id === receipt.head)
  const turn = branch.slice(0, end + 1).filter(({ kind }) => kind === 'user').length
  return { thread, turn: end < 0 ? null : turn, call, model: modelOf(log, receipt.settings), receipt }
}

/** What a thread's record says of a call without its prompt. */
export function underivedPlace(thread: string, log: readonly StoredEntry[], receipt: KeptReceipt): UnderivedCall {
  const { window = null, policy, counter = null } = settingsBy(log).get(receipt.settings) ?? {}
  return { ...callPlace(thread, log, { receipt }), window, policy: policy?.name ?? null, counter }
}

/** The model of the settings that a receipt names; null if they were erased. */
function modelOf(log: readonly StoredEntry[], hash: string): string | null {
  const entry = log.findLast(
    ({ kind, text }) => kind === 'settings' && createHash('sha256').update(text).digest('hex') === hash,
  )
  const { model } = entry ? (JSON.parse(entry.text) as { readonly model?: unknown }) : {}
  return typeof model === 'string' ? model : null
}

/** A model call that was sent unchanged, and the log that it is in. */
export interface SentCall {
  readonly dump: ThreadDump
  readonly log: readonly StoredEntry[]
  /** Default: the estimator. */
  readonly counter?: TokenCounter | undefined
}

/**
 * Why the model saw what it saw. The prompt was sent unchanged, so there is no plan: only the approximate cost of each
 * range is known.
 */
export function explainAsSent({ dump, log, counter }: SentCall): {
  readonly shares: readonly Share[]
  readonly plan: Plan
} {
  const { costs, tools } = costsAsSent(dump, counter)
  const entries = dump.messages.map((message) => entryOf(message))
  return {
    shares: sharesAsSent(dump, counter),
    plan: { ...dump.plan, tools, spans: spansOf(dump, log, entries, costs) },
  }
}

/** Each range with what its messages cost; unchanged if it is not known which messages these are. */
function spansOf(
  { plan: { spans, entries: length }, receipt }: ThreadDump,
  log: readonly StoredEntry[],
  entries: readonly Entry[],
  costs: readonly number[],
): readonly Span[] {
  const upto = log.findIndex(({ id }) => id === receipt?.upto) + 1
  const branch = history(log.slice(0, upto), { ...(receipt && { head: receipt.head }) }).filter(
    ({ kind }) => traits[kind].prompted,
  )
  const costOf = costsByEntry(branch, spans, entries, costs)
  if (branch.length !== length || !costOf) return spans
  return spans.map((span) => ({
    ...span,
    tokens: branch.slice(span.from, span.to).reduce((sum, { id }) => sum + (costOf.get(id) ?? 0), 0),
  }))
}

/** A client sends system messages first, whenever they came; all others are in the order of the log. */
function costsByEntry(
  branch: readonly StoredEntry[],
  spans: readonly Span[],
  entries: readonly Entry[],
  costs: readonly number[],
): Map<string, number> | undefined {
  const sent = spans.filter(({ verdict }) => verdict === 'verbatim').flatMap(({ from, to }) => branch.slice(from, to))
  const isSystem = ({ kind }: { readonly kind: string }): boolean => kind === 'system'
  const found = [...sent.filter(isSystem), ...sent.filter((entry) => !isSystem(entry))]
  const weighed = entries.map((entry, index) => ({ kind: entry.kind, cost: costs[index]! }))
  const ordered = [...weighed.filter(isSystem), ...weighed.filter((one) => !isSystem(one))]
  if (found.length !== ordered.length || found.some(({ kind }, index) => kind !== ordered[index]!.kind))
    return undefined
  return new Map(found.map(({ id }, index) => [id, ordered[index]!.cost]))
}
