import type { Store } from 'minutebook'
import { next, receiptsOf, resultOf, turnOf } from 'minutebook/inspect'
import { traits, type StoredEntry } from 'minutebook/store'
import { positionText } from './position.ts'
import { told, type ToldShortfall } from './window-shortfall.ts'

/** A turn as it stands. */
export interface TurnState {
  readonly thread: string
  /** The id of its user entry; null while the message waits. */
  readonly turn: string | null
  /** The entry of a message that waits, which is not yet said. */
  readonly pending: string | null
  readonly status: 'waiting' | 'running' | 'complete' | 'partial' | 'cancelled' | 'failed'
  /** The entry of the answer. */
  readonly answer: string | null
  /** What people see of the answer. */
  readonly text: string
  readonly reason?: { readonly code: string; readonly message: string }
  /** If the thread asked for a larger window than its model has. */
  readonly window?: ToldShortfall
  /** From where its stream can be followed. */
  readonly position: string
}

/**
 * The turn that a log of so many entries stands in, or ended with; undefined where nothing was said. Reads no more than
 * that turn, as a rule.
 */
export async function newestTurn(
  store: Pick<Store, 'read'>,
  thread: string,
  length: number,
): Promise<TurnState | undefined> {
  for (let count = 64; ; count *= 4) {
    const entries = await store.read(thread, { from: Math.max(0, length - count), to: length })
    const asked = questionIn(entries)
    if (asked) return turnState(thread, entries, asked)
    if (count >= length) return undefined
  }
}

/** A turn by the id of its user entry; undefined where there is none. */
export async function turnNamed(
  store: Pick<Store, 'read' | 'standing'>,
  thread: string,
  turn: string,
): Promise<TurnState | undefined> {
  const { length } = await store.standing(thread)
  for (let count = 256; ; count *= 16) {
    const entries = await store.read(thread, { from: Math.max(0, length - count), to: length })
    const asked = entries.find(({ id, kind }) => id === turn && kind === 'user')
    if (asked) return turnState(thread, entries, asked)
    if (count >= length) return undefined
  }
}

/** `log`: all entries from the question on. */
export function turnState(thread: string, log: readonly StoredEntry[], asked: StoredEntry): TurnState {
  const turn = turnOf(log, asked)
  const { status, answer, text, reason } = resultOf(turn)
  // What waits behind a turn does not keep it running.
  const isRunning = next(turn, []).do !== 'rest' && isStandingAt(log, asked)
  const shortfall = receiptsOf(turn).at(-1)?.window
  const ended = status === 'busy' || status === 'fenced' ? 'failed' : status
  return {
    thread,
    turn: asked.id,
    pending: null,
    status: isRunning ? 'running' : ended,
    answer: isRunning ? null : answer,
    text: isRunning ? '' : text,
    ...(!isRunning && reason && { reason }),
    ...(shortfall && { window: told(shortfall) }),
    position: positionText({ seq: asked.seq, term: 0, offset: 0 }),
  }
}

/** Whether nothing came or waits behind a turn that ended where the log had so many entries. */
export async function isResting(store: Pick<Store, 'read'>, thread: string, length: number): Promise<boolean> {
  const newest = await store.read(thread, { from: Math.max(0, length - mostWaiting) })
  return (
    next([], newest).do === 'rest' &&
    !newest.some(({ seq, kind }) => seq >= length && (kind === 'user' || kind === 'retry'))
  )
}

/** Entries among which messages are looked for that wait. */
const mostWaiting = 512

/** A message that waits to be said. */
export function waiting(thread: string, pending: StoredEntry): TurnState {
  return {
    thread,
    turn: null,
    pending: pending.id,
    status: 'waiting',
    answer: null,
    text: '',
    position: positionText({ seq: pending.seq, term: 0, offset: 0 }),
  }
}

/** The question of the turn that the newest entry belongs to; undefined where it is not among these. */
function questionIn(entries: readonly StoredEntry[]): StoredEntry | undefined {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const newest = entries.findLast(
    ({ kind }) => traits[kind].chained || kind === 'receipt' || kind === 'stop' || kind === 'retry',
  )
  let at = newest && !traits[newest.kind].chained ? byId.get(newest.parent ?? '') : newest
  while (at && !traits[at.kind].opensExchange) at = byId.get(at.parent ?? '')
  return at
}

function isStandingAt(log: readonly StoredEntry[], asked: StoredEntry): boolean {
  return questionIn(log)?.id === asked.id
}
