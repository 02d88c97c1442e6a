import { createHash } from 'node:crypto'
import { history, openBook, type Store } from 'minutebook'
import type { KeptReceipt } from 'minutebook/inspect'
import { traits, type StoredEntry } from 'minutebook/store'
import { isReserved } from '../lineage/directory.ts'
import { callPlace } from './call-place.ts'
import { countsOf, type Counts } from './counts.ts'
import { countersAtHand, type CountersAtHand } from './counters.ts'
import { inspectionOf, withoutWords, type Inspection, type SentUnder } from './inspection.ts'
import { unknownThread } from './known-thread.ts'

/** What can be asked of the model calls of a thread, by those who look at them one after the other. */
export interface CallDesk {
  /** Those of the newest branch, or of the one that ends with `head`, oldest first. */
  calls(thread: string, head?: string): Promise<readonly CallBrief[]>
  /** One of them. `all`: with what people do not see. */
  inspect(thread: string, receipt: string, all: boolean): Promise<Inspection>
  /** What the recorded counter counted, for those who have it not at hand. */
  counts(thread: string): Promise<Counts>
}

/** A model call in brief. */
export interface CallBrief {
  readonly receipt: KeptReceipt
  /** The number of its turn on the branch, from 1. */
  readonly turn: number
  /** The user entry of that turn; null where there is none. */
  readonly question: string | null
  /** Where the settings of the call were erased, these are not known. */
  readonly model: string | null
  readonly window: number | null
  readonly reserve: number | null
  readonly policy: string | null
}

/**
 * @example
 * const [first] = await callDesk(store).calls('garden')
 */
export function callDesk(store: Store, options: CountersAtHand = {}): CallDesk {
  const book = openBook({ store })
  const logOf = async (thread: string): Promise<readonly StoredEntry[]> => {
    const log = isReserved(thread) ? [] : await store.read(thread)
    if (log.length === 0) throw unknownThread()
    return log
  }
  return {
    calls: async (thread, head) => callsOn(await logOf(thread), head),
    inspect: async (thread, receipt, all) => {
      const log = await logOf(thread)
      const counter = countersAtHand(log, options)
      const dump = await book.thread(thread, { counter }).dump({ receipt })
      const { policy, profile, wire } = settingsBy(log).get(dump.receipt!.settings) ?? {}
      const under: SentUnder = { policy: policy ?? null, profile: profile ?? {}, wire: wire ?? null }
      return inspectionOf(callPlace(thread, log, dump), {
        dump,
        counter,
        under,
        all,
        seqOf: new Map(log.map(({ id, seq }) => [id, seq])),
      })
    },
    counts: async (thread) => countsOf(book, thread, countersAtHand(await logOf(thread), options)),
  }
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

/** For each chained entry: the turn that it is of. */
function turnsOf(branch: readonly StoredEntry[]): Map<string, Pick<CallBrief, 'turn' | 'question'>> {
  let place: Pick<CallBrief, 'turn' | 'question'> = { turn: 0, question: null }
  return new Map(
    branch
      .filter(({ kind }) => traits[kind].chained)
      .map(({ id, kind }) => {
        if (kind === 'user') place = { turn: place.turn + 1, question: id }
        return [id, place]
      }),
  )
}

interface Settings extends Partial<SentUnder> {
  readonly model?: string | null
  readonly window?: number
  readonly reserve?: number | null
}

/** By the hash under which receipts name them. */
function settingsBy(log: readonly StoredEntry[]): Map<string, Settings> {
  return new Map(
    log
      .filter(({ kind, status }) => kind === 'settings' && status !== 'erased')
      .map(({ text }) => [createHash('sha256').update(text).digest('hex'), JSON.parse(text) as Settings]),
  )
}
