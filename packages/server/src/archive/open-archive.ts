import { history, MinutebookError, openBook, type Book, type Store, type TokenCounter } from 'minutebook'
import { cacheUsage, callCost, sharesOf } from '@minutebook/inspect'
import { systemClock } from 'minutebook/clock'
import { withNumbers, type CallChoice, type KeptReceipt, type ThreadDump } from 'minutebook/inspect'
import { checkFeedback, recordNames, type StoredEntry } from 'minutebook/store'
import type { Config } from '../config/config.ts'
import { checkNotOfRun } from '../experiments/list.ts'
import { isReserved } from '../matching/directory.ts'
import { checkThreadName } from '../matching/thread-name.ts'
import { conversationName, endedName, itemName, responseName, termsName } from '../responses/recorded.ts'
import { policiesOf } from '../stores/policies.ts'
import { unknownThreadError, type CallPlace, type Archive } from './archive.ts'
import { listCallRows } from './call-list.ts'
import { cacheOf, callPlace, explainAsSent, lastCall, priceOf, underivedPlace } from './calls.ts'
import { configuredState, unknownStateError } from '../tools/configured-state.ts'
import { countersAtHand, newestCounter, type CountersAtHand } from './counters.ts'
import { eraseThread, pruneArchive } from './erase.ts'
import { entryLane } from './lane.ts'
import { listThreads, threadSummary } from './list.ts'
import { isRatedPage, listRatedThreads } from './rated-threads.ts'
import { readOverview } from './overview.ts'
import { ratedLines } from './rated-turns.ts'
import { replayCall } from './replay.ts'
import { searchThreads } from './search.ts'
import { showThread } from './show.ts'

/** What an archive knows next to the log. */
export interface ArchiveOptions extends CountersAtHand, Partial<Pick<Config, 'states' | 'policies' | 'prices'>> {
  /** The book that runs the turns of these threads in this process. Default: none runs. */
  readonly runner?: Pick<Book, 'remove'> | undefined
}

/**
 * The archive of a store in this process. A past prompt can be derived if its counter is available: the estimator
 * always is, calibrated or not, and others are passed in.
 *
 * @example
 * const archive = openArchive(sqliteStore('record.db'))
 * console.log((await archive.dump('garden')).text)
 */
export function openArchive(store: Store, options: ArchiveOptions = {}): Archive {
  const { states = [], policies = {}, prices = {} } = options
  const book = openBook({ store, heldThreads: 0 })

  const known = async (id: string): Promise<void> => {
    if (isReserved(id) || (await store.standing(id)).length === 0) throw unknownThreadError()
  }

  const recorded = async (id: string, choice: CallChoice = {}): Promise<Recorded> => {
    await known(id)
    const log = await store.read(id)
    const call = choice.turn === undefined && choice.receipt === undefined ? lastCall(log) : choice
    const counter = countersAtHand(log, options, call.receipt)
    const dump = await book
      .thread(id, { counter })
      .dump(call)
      .catch((error: unknown) => fail(withCall(error, id, log)))
    return { dump, place: callPlace(id, log, dump), log, counter }
  }

  return {
    threads: (page = {}) => (isRatedPage(page) ? listRatedThreads(store, page) : listThreads(store, page)),
    show: async (id, showing) => {
      await known(id)
      return showThread(id, await store.read(id), showing)
    },
    overview: (query = {}) =>
      readOverview(store, query, { now: Date.now(), summary: (thread) => threadSummary(store, thread) }),
    calls: (page = {}) => listCallRows(store, page),
    receipts: async (id) => {
      await known(id)
      return book.thread(id).receipts()
    },
    dump: async (id, choice) => {
      const {
        dump: { messages, tools, text, hash, same, erased },
        place,
      } = await recorded(id, choice)
      return { ...place, messages, tools, text, hash, same, erased }
    },
    explain: async (id, choice) => {
      const { dump, place, log, counter } = await recorded(id, choice)
      const { plan, same, erased } = dump
      const why = place.receipt.sent ? explainAsSent({ dump, log, counter }) : { shares: sharesOf(plan), plan }
      const cache = await cacheOf(log, place.receipt.id, counter)
      const cost = callCost(place.receipt.tokens.reported, priceOf(prices, place)) ?? null
      // A prompt that was sent unchanged still names erased messages.
      const { head, sent } = place.receipt
      const spans = withNumbers(why.plan.spans, sent ? [] : history(log, { head }))
      return { ...place, shares: why.shares, plan: { ...why.plan, spans }, cost, cache, same, erased }
    },
    lane: async (id, entry, choice = {}) => {
      await known(id)
      const log = await store.read(id)
      return entryLane(id, log, entry, choice, countersAtHand(log, options))
    },
    cache: async (id) => {
      await known(id)
      const log = await store.read(id)
      return cacheUsage(log, { counter: countersAtHand(log, options), clock: systemClock })
    },
    export: async function* (id) {
      await known(id)
      yield* book.thread(id).export({ records: transferred })
    },
    verify: async (id, part) => {
      await known(id)
      const counter = await newestCounter(store, id, options)
      return { thread: id, ...(await book.thread(id, { counter }).verify(part)) }
    },
    replay: async (id, changes) => {
      await known(id)
      const newest = await store.read(id, { last: 64 })
      return replayCall(
        book.thread(id, { counter: countersAtHand(newest, options) }),
        changes,
        policiesOf({ policies }, store),
      )
    },
    state: async (id, name, { at } = {}) => {
      await known(id)
      const reader = configuredState(states, name)
      if (!reader) throw unknownStateError()
      return { thread: id, name, value: (await book.thread(id).state(reader, { at })) ?? null }
    },
    search: async (query, { thread, limit } = {}) => {
      if (thread !== undefined) await known(thread)
      return searchThreads(store, book, query, {
        ...(thread !== undefined && { thread }),
        ...(limit !== undefined && { limit }),
      })
    },
    waiting: (page) => book.waiting(page),
    fork: async (id, { as, at }) => {
      await known(id)
      await book.thread(id).fork({ as: checkThreadName(as), at })
      return threadSummary(store, as)
    },
    import: async (id, lines) => {
      await checkNotOfRun(store, id)
      await book.restore(checkThreadName(id), lines, { records: transferred })
      if ((await store.standing(id)).length === 0)
        throw new MinutebookError(
          'corrupt_line',
          'The import has no lines, and a thread needs at least one entry.',
          'Send the lines of an export.',
        )
      const records = (await Promise.all(transferred.map((name) => store.records.find({ name, thread: id })))).flat()
      return {
        ...(await threadSummary(store, id)),
        records: records.map(({ name, key, value }) => ({ name, key, value })),
      }
    },
    pin: async (id, entry, isPinned) => {
      await known(id)
      await checkNotOfRun(store, id)
      const changed = await (isPinned ? book.thread(id).pin(entry) : book.thread(id).unpin(entry))
      return { thread: id, entry, pinned: isPinned, changed }
    },
    rate: async (id, entry, feedback, by) => {
      await known(id)
      await checkNotOfRun(store, id)
      const kept = checkFeedback(feedback)
      return { thread: id, entry, by, ...kept, changed: await book.thread(id).rate(entry, { ...kept, by }) }
    },
    feedback: (page) => book.feedback(page),
    exportRated: (choice, before) => ratedLines({ store, book, options }, choice, before),
    erase: async (id, entries) => {
      await known(id)
      return eraseThread(store, id, entries)
    },
    remove: async (id) => {
      await known(id)
      await checkNotOfRun(store, id)
      return (options.runner ?? book).remove(id)
    },
    prune: (asked) => pruneArchive(store, asked),
  }
}

function fail(error: unknown): never {
  throw error
}

/** The error `cannot_derive` with what is known of its call anyway. Any other error is returned as it is. */
function withCall(error: unknown, thread: string, log: readonly StoredEntry[]): unknown {
  if (!MinutebookError.isInstance(error)) return error
  const { code, problem, fix, details } = error
  const receipt = details['receipt'] as KeptReceipt | undefined
  if (code !== 'cannot_derive' || !receipt) return error
  return new MinutebookError(code, problem, fix, { ...details, call: underivedPlace(thread, log, receipt) })
}

/**
 * Records that are part of an export and an import: the setup and the metadata of a thread, and the ids that clients
 * have for it. Never keys, policies or lines.
 */
const transferred: readonly string[] = [
  recordNames.setup,
  recordNames.metadata,
  conversationName,
  responseName,
  endedName,
  termsName,
  itemName,
]

/** A model call of the past. */
interface Recorded {
  readonly dump: ThreadDump
  readonly place: CallPlace
  readonly log: readonly StoredEntry[]
  /** The counter of the prompt; undefined: the estimator, or one that is not available. */
  readonly counter: TokenCounter | undefined
}
