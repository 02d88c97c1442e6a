import type { Entry } from '../log/entry.ts'
import { drive } from './drive.ts'
import type { Holding } from './holding.ts'
import { newestTurn, next } from '../record/next.ts'
import { place } from '../incoming/placement.ts'
import { resultOf } from './result.ts'
import { run } from './run.ts'
import type { Running } from './running.ts'
import { say } from './say.ts'
import { settle } from './settle.ts'
import type { Tool } from '../tool/tool.ts'
import { createTurn, type Turn, type TurnResult } from './turn.ts'

/** How one turn is run. */
export interface RunOptions {
  /** Cancels the turn. */
  readonly signal?: AbortSignal | undefined
  /** The tools of this turn, instead of the thread's. */
  readonly tools?: readonly Tool[] | undefined
}

/** Finishes what a crash cut short, then answers what was waiting, one after the other. */
export function resume(holding: Holding, options: RunOptions): Turn {
  return driven(holding, options, async (running) => {
    const { log, control } = running
    let result = resultOf(newestTurn(log.branch()))
    for (let found = true; !control.signal.aborted; found = false) {
      const ended = await proceed(holding, running, found)
      if (!ended) break
      result = ended
    }
    return result
  })
}

/** Finishes the turn that a thread stands in, or else answers what has waited longest. Undefined where it rests. */
export async function proceed(holding: Holding, running: Running, found: boolean): Promise<TurnResult | undefined> {
  const { log } = running
  const coming = next(log.branch(), log.entries)
  if (coming.do === 'rest') return undefined
  return coming.do === 'admit' ? admit(holding, running, coming.pending) : run(running, { found })
}

/** Says what was waiting, as it would have been said. */
async function admit({ system }: Holding, running: Running, { raw, origin, key, speaker }: Entry): Promise<TurnResult> {
  await settle(running)
  const facts = { origin, ...(key !== undefined && { key }), ...(speaker !== undefined && { speaker }) }
  return say(running, place(raw, running.log, { facts, trusted: false, system }), key)
}

/** A turn that does not wait for others. */
export function driven(holding: Holding, { signal, tools }: RunOptions, work: (running: Running) => Promise<TurnResult>): Turn {
  const manner = holding.manner(tools)
  const control = createTurn(signal)
  void drive(holding, control, manner, { ifBusy: 'reject' }, work)
  return control.turn
}
