import { history, visible, type Entry, type TokenCounter } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import {
  isWithout,
  laneOf,
  restorationsOf,
  turnsOf,
  type Lane,
  type LaneCall,
  type Restoration,
} from '@minutebook/inspect'
import { numbersOf, receiptsOf } from 'minutebook/inspect'
import { unknownEntry, type StoredEntry } from 'minutebook/store'

/** Did the model have it? One entry in all model calls after it, and what would have kept it in one of them. */
export interface EntryLane extends Lane {
  readonly thread: string
  readonly kind: Entry['kind']
  /** Its number on the branch, counted from 0. Not set for a note. */
  readonly number?: number
  /** The number of its turn on the branch, counted from 1. 0 before the first turn. */
  readonly turn: number
  readonly pinned: boolean
  /** A call that was answered without it. Null if there is none. */
  readonly without: AnsweredWithout | null
}

/** A call that did not have the entry, and what would have kept it, each with its price. */
export interface AnsweredWithout extends Pick<LaneCall, 'receipt' | 'turn'> {
  readonly restorations: readonly Restoration[]
}

/** Which calls are listed for an entry. */
export interface LaneChoice {
  /** The branch that ends with this entry. Default: the newest one that has the entry. */
  readonly head?: string | undefined
  /** The most calls, newest first. Default: 200. */
  readonly limit?: number | undefined
  /** The call to say of what would have kept the entry. Default: the newest one without it. */
  readonly receipt?: string | undefined
  /** With entries that people do not see. For admins only. */
  readonly hidden?: boolean | undefined
}

/** Follows an entry through the calls of a log. An entry that the caller may not see is unknown. */
export async function entryLane(
  thread: string,
  log: readonly StoredEntry[],
  id: string,
  { head, limit = defaultCalls, receipt, hidden = false }: LaneChoice,
  counter: TokenCounter | undefined,
): Promise<EntryLane> {
  const upTo = history(log, { head: id })
  const entry = log.find((known) => known.id === id)
  const seen = visible(upTo).find((known) => known.id === id)
  if (!entry || (!seen && !hidden)) throw unknownEntry(id)
  const options = { clock: systemClock, ...(counter && { counter }) }
  const lane = await laneOf(log, id, { ...options, head, calls: limit })
  const lacking = lane.calls.filter(({ verdict }) => isWithout(verdict))
  const call = receipt === undefined ? lacking.at(-1) : lacking.find((known) => known.receipt === receipt)
  const kept = call && receiptsOf(log).find((known) => known.id === call.receipt)
  const turns = turnsOf(upTo)
  const number = numbersOf(upTo).get(id)
  return {
    thread,
    ...lane,
    kind: entry.kind,
    ...(number !== undefined && { number }),
    turn: (turns.get(id) ?? turns.get(entry.parent ?? ''))?.turn ?? 0,
    pinned: visible(history(log, { head: lane.head })).some((known) => known.id === id && known.pinned === true),
    without:
      call && kept
        ? { receipt: call.receipt, turn: call.turn, restorations: await restorationsOf(log, kept, id, options) }
        : null,
  }
}

const defaultCalls = 200
