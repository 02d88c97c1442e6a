import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import { isUnfinished, newestTurn, next } from '../log/next.ts'
import { placeMessages } from './place-messages.ts'
import { run, recordAndRun } from './run-turn.ts'
import { drive } from './start-turn.ts'
import { closeCalls, closeUnfinishedTurn } from './stop-turn.ts'
import type { Tool } from './tool.ts'
import type { ThreadHandle, TurnRun } from './turn-run.ts'
import { cancelled, createTurn, resultOf, type Turn, type TurnResult } from './turn.ts'

/** How one turn is run. */
export interface RunOptions {
  /** Cancels the turn. */
  readonly signal?: AbortSignal | undefined
  /** The tools of this turn, instead of the thread's. */
  readonly tools?: readonly Tool[] | undefined
}

/** Finishes what a crash cut short, then answers what was waiting, one after the other. */
export function resume(handle: ThreadHandle, options: RunOptions): Turn {
  return driven(handle, options, async (running) => {
    const { log, control } = running
    let result = resultOf(newestTurn(log.branch()))
    for (let found = true; !control.signal.aborted; found = false) {
      const ended = await proceed(handle, running, found)
      if (!ended) break
      result = ended
    }
    return result
  })
}

/** Finishes the turn that a thread stands in, or else answers what has waited longest. Undefined where it rests. */
export async function proceed(handle: ThreadHandle, running: TurnRun, found: boolean): Promise<TurnResult | undefined> {
  const { log } = running
  const coming = next(log.branch(), log.entries)
  if (coming.do === 'rest') return undefined
  return coming.do === 'admit' ? admit(handle, running, coming.pending) : run(running, { found })
}

/** Says what was waiting, as it would have been said. */
async function admit(
  { system }: ThreadHandle,
  running: TurnRun,
  { raw, origin, key, speaker }: Entry,
): Promise<TurnResult> {
  await closeUnfinishedTurn(running)
  const facts = { origin, ...(key !== undefined && { key }), ...(speaker !== undefined && { speaker }) }
  return recordAndRun(running, placeMessages(raw, running.log, { facts, trusted: false, system }), key)
}

/** A turn that does not wait for others. */
function driven(
  handle: ThreadHandle,
  { signal, tools }: RunOptions,
  work: (running: TurnRun) => Promise<TurnResult>,
): Turn {
  const config = handle.config(tools)
  const control = createTurn(signal)
  void drive(handle, control, config, { ifBusy: 'reject' }, work)
  return control.turn
}

/** Answers the newest user entry again: where its turn is unfinished, it goes on. */
export function retry(handle: ThreadHandle, options: RunOptions): Turn {
  return driven(handle, options, async (running) => {
    const { log, control } = running
    const turn = newestTurn(log.branch())
    const [asked] = turn
    if (!asked || !traits[asked.kind].opensExchange || asked.status === 'erased') throw nothingToAnswer()
    control.record(asked)
    if (isUnfinished(turn)) return run(running, { found: true })
    // Nothing has begun, so nothing need be on record.
    if (control.signal.aborted)
      return {
        status: 'cancelled',
        text: '',
        turn: asked.id,
        answer: null,
        reason: { code: cancelled.code, message: cancelled.reason },
      }
    await closeCalls(running, true)
    if (resultOf(turn).answer !== null) log.checkout(asked.id)
    return run(running, { again: true })
  })
}

export function nothingToAnswer(): MinutebookError {
  return new MinutebookError('nothing_to_answer', 'There is no message of a user to answer again; send one.')
}
