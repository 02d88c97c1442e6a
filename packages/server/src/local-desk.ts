import { MinutebookError, openBook, type CallChoice, type Store, type StoredEntry, type ThreadDump, type TokenCounter } from 'minutebook'
import { explainAsSent } from './desk/as-sent.ts'
import { callPlace, lastCall } from './desk/call-place.ts'
import { countersAtHand, type CountersAtHand } from './desk/counters.ts'
import { sharesOf } from './desk/shares.ts'
import { shownThread } from './desk/shown-thread.ts'
import { listThreads } from './desk/thread-list.ts'
import type { CallPlace, Desk } from './desk.ts'

/**
 * A desk on a store in this process. Prompts of the past can be derived where their counter is at hand: the estimator, however
 * calibrated, is; others are passed in.
 *
 * @example
 * const desk = localDesk(sqliteStore('record.db'))
 * console.log((await desk.dump('garden')).text)
 */
export function localDesk(store: Store, options: CountersAtHand = {}): Desk {
  const book = openBook({ store })

  const known = async (id: string): Promise<void> => {
    if ((await store.standing(id)).length === 0) throw unknownThread()
  }

  const recorded = async (id: string, choice: CallChoice = {}): Promise<Recorded> => {
    await known(id)
    const log = await store.read(id)
    const call = choice.turn === undefined && choice.receipt === undefined ? lastCall(log) : choice
    const counter = countersAtHand(log, options)
    const dump = await book.thread(id, { counter }).dump(call)
    return { dump, place: callPlace(id, log, dump), log, counter }
  }

  return {
    threads: (page) => listThreads(store, page),
    show: async (id, { head } = {}) => {
      await known(id)
      return shownThread(id, await store.read(id), head)
    },
    receipts: async (id) => {
      await known(id)
      return book.thread(id).receipts()
    },
    dump: async (id, choice) => {
      const { dump: { messages, tools, text, hash, same }, place } = await recorded(id, choice)
      return { ...place, messages, tools, text, hash, same }
    },
    explain: async (id, choice) => {
      const { dump, place, log, counter } = await recorded(id, choice)
      const { plan, same } = dump
      const why = place.receipt.path === 'as it came' ? explainAsSent({ dump, log, counter }) : { shares: sharesOf(plan), plan }
      return { ...place, ...why, same }
    },
    export: async function* (id) {
      await known(id)
      yield* book.thread(id).export()
    },
    verify: async (id) => {
      await known(id)
      const newest = await store.read(id, { last: 64 })
      return { thread: id, ...(await book.thread(id, { counter: countersAtHand(newest, options) }).verify()) }
    },
  }
}

/** A model call of the past. */
interface Recorded {
  readonly dump: ThreadDump
  readonly place: CallPlace
  readonly log: readonly StoredEntry[]
  /** That it was made under; undefined: the estimator, or one that is not at hand. */
  readonly counter: TokenCounter | undefined
}

function unknownThread(): MinutebookError {
  return new MinutebookError('unknown_thread', 'There is no such thread on record; list the threads to see which there are.')
}
