import type { OpenCall, Store } from 'minutebook'
import { positionAt } from 'minutebook/http'
import { nextStep, receiptsOf, resultOf, turnOf } from 'minutebook/inspect'
import { traits, type StoredEntry } from 'minutebook/store'
import { toldWindowLimit, type TurnWindowLimit } from './window-limit.ts'

/** A turn in its present state. */
export interface TurnState {
  readonly thread: string
  /** The id of the user entry of the turn; null while the message waits. */
  readonly turn: string | null
  /** The entry of a message that waits and is not yet part of the conversation. */
  readonly pending: string | null
  /** `queued`: the message waits for another turn. `waiting`: the turn waits for a decision about its calls. */
  readonly status: 'queued' | 'waiting' | 'running' | 'complete' | 'partial' | 'cancelled' | 'failed'
  /** The entry of the answer. */
  readonly answer: string | null
  /** What people see of the answer. */
  readonly text: string
  /** The value of the answer, if a form was asked for and the answer is JSON. */
  readonly output?: unknown
  readonly reason?: { readonly code: string; readonly message: string }
  /** The calls that wait for a decision. */
  readonly waiting?: readonly OpenCall[]
  /** If the thread asked for a larger window than its model has. */
  readonly window?: TurnWindowLimit
  /** Where its stream can be followed from. */
  readonly position: string
}

/**
 * The turn in which a log of this length is, or with which it ended; undefined if nothing was said. Mostly reads only
 * that turn.
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

/** A turn by the id of its user entry; undefined if it does not exist. */
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
  const { status, answer, text, output, reason, waiting: open } = resultOf(turn)
  // A message that waits after a turn does not keep it running.
  const needed = nextStep(turn)?.do
  const isRunning = needed !== undefined && needed !== 'wait' && isStandingAt(log, asked)
  const shortfall = receiptsOf(turn).at(-1)?.window
  const ended = status === 'busy' || status === 'fenced' ? 'failed' : status
  return {
    thread,
    turn: asked.id,
    pending: null,
    status: isRunning ? 'running' : ended,
    answer: isRunning ? null : answer,
    text: isRunning ? '' : text,
    ...(!isRunning && output !== undefined && { output }),
    ...(!isRunning && reason && { reason }),
    ...(open && { waiting: open }),
    ...(shortfall && { window: toldWindowLimit(shortfall) }),
    position: positionAt(asked.seq),
  }
}

/** A message that waits to be said. */
export function queued(thread: string, pending: StoredEntry): TurnState {
  return {
    thread,
    turn: null,
    pending: pending.id,
    status: 'queued',
    answer: null,
    text: '',
    position: positionAt(pending.seq),
  }
}

/** The question of the turn that the newest entry belongs to; undefined if it is not among these. */
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
