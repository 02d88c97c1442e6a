import { callModel } from './call-model.ts'
import { keepDeadline } from './deadline.ts'
import { refreshed } from './fence.ts'
import { newestTurn, nextStep } from '../record/next.ts'
import { resultOf } from './result.ts'
import { runCalls } from './run-calls.ts'
import type { Running } from './running.ts'
import { stop } from './stop.ts'
import type { Stopping } from './stopping.ts'
import type { TurnResult } from './turn.ts'

/**
 * Does what comes next until rest, and records every step as it is done. `found`: the turn was found unfinished, so open calls
 * may have been run by someone who died. `again`: calls the model although the turn was over.
 */
export async function run(running: Running, { found = false, again = false }: RunChoice = {}): Promise<TurnResult> {
  const release = keepDeadline(running, again)
  try {
    return await doSteps(running, found, again)
  } finally {
    release()
  }
}

interface RunChoice {
  readonly found?: boolean
  readonly again?: boolean
}

async function doSteps(running: Running, found: boolean, again: boolean): Promise<TurnResult> {
  const { log, control } = running
  let [{ manner }, isRefitted] = [running, false]
  for (let calls = 0, first = true; ; first = false) {
    if (!first) await refreshed(running)
    const step = again && first ? ({ do: 'call' } as const) : nextStep(log.branch())
    if (!step) return resultOf(newestTurn(log.branch()))
    const stopping = control.stopping ?? (step.do === 'call' && calls >= manner.steps ? tooManySteps(manner.steps) : undefined)
    if (stopping) return stop(running, stopping, found && first)
    if (step.do === 'run') {
      await runCalls(running, step.calls, found && first)
      continue
    }
    calls++
    const ended = await callModel({ ...running, manner }, !isRefitted)
    if (ended && 'status' in ended) return ended
    if (ended) [manner, isRefitted] = [ended, true]
  }
}

function tooManySteps(steps: number): Stopping {
  return { status: 'failed', code: 'too_many_steps', reason: `The model came to no answer in ${steps} calls; raise "steps", or look at what its tools return.` }
}
