import { createLimit } from '../log/time.ts'
import { callModel } from './call-model.ts'
import { runCalls } from './run-calls.ts'
import { throwIfLost } from './fence.ts'
import { stop } from './stop-turn.ts'
import type { TurnRun } from './turn-run.ts'
import { resultOf } from './turn-result.ts'
import type { StopReason, TurnResult } from './turn.ts'

/**
 * How does a turn run? Does what the log says is next (call the model, run tools) until the turn is over or waits for a
 * decision, and records each step.
 */
export async function runTurn(running: TurnRun): Promise<TurnResult> {
  const release = keepDeadline(running)
  try {
    return await running.around(() => doSteps(running))
  } finally {
    release()
  }
}

async function doSteps(running: TurnRun): Promise<TurnResult> {
  const { log, control, fence } = running
  let [{ config }, isRefitted] = [running, false]
  // Calls that are open before the first step were made by a runner that died, or have waited. A new turn has none.
  for (let calls = 0, first = true; ; first = false) {
    // After the answer there is no need to read: what others wrote is for the next turn.
    if (!first && log.position.step) await fence.refresh()
    throwIfLost(control)
    const { turn, step } = log.position
    if (!step) return resultOf(turn)
    const stopping =
      control.stopping ?? (step.do === 'call' && calls >= config.steps ? tooManySteps(config.steps) : undefined)
    if (stopping) return stop(running, stopping, first)
    if (step.do === 'wait') return resultOf(turn)
    if (step.do === 'run') {
      await runCalls(running, step.calls, first)
      continue
    }
    calls++
    const ended = await callModel({ ...running, config }, !isRefitted)
    if (ended && 'status' in ended) return ended
    if (ended) [config, isRefitted] = [ended, true]
  }
}

function tooManySteps(steps: number): StopReason {
  return {
    status: 'failed',
    code: 'too_many_steps',
    reason: `The model gave no answer in ${steps} calls.`,
    fix: 'Raise "steps", or look at what its tools return.',
  }
}

/**
 * Stops the turn when its `deadline` is over. The time counts from when its message, its newest retry or its newest
 * decision was recorded, also if another runner takes the turn over. Returns a function that removes the timer.
 */
function keepDeadline({ log, control, config }: TurnRun): () => void {
  const { clock, deadline } = config
  if (deadline === undefined) return () => undefined
  const turn = log.position.turn
  const since = (turn.findLast(({ kind }) => kind === 'retry' || kind === 'decision') ?? turn[0])?.time
  const gone = since === undefined ? 0 : Date.parse(clock.now()) - Date.parse(since)
  const left = deadline - (Number.isFinite(gone) ? gone : 0)
  if (left <= 0) {
    control.stop(overdue(deadline))
    return () => undefined
  }
  const limit = createLimit(control.signal, clock, left)
  limit.signal.addEventListener('abort', () => limit.isUp && control.stop(overdue(deadline)), { once: true })
  return () => limit.release()
}

function overdue(deadline: number): StopReason {
  return {
    status: 'failed',
    code: 'deadline',
    reason: `There was no answer after ${deadline} ms.`,
    fix: 'Retry the turn, or raise "deadline".',
  }
}
