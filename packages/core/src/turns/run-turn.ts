import { outputOf, parsedCall, type Call } from '../log/message.ts'
import { createLimit } from '../log/time.ts'
import { readState } from '../state/state-snapshot.ts'
import { callModel } from './call-model.ts'
import { appendOrThrowFenced, refreshOrThrowFenced, stop } from './stop-turn.ts'
import { interruptions, resultDraft, runTool, type ToolContext, type ToolOutcome } from './tool.ts'
import type { TurnRun } from './turn-run.ts'
import { resultOf, type StopReason, type TurnResult } from './turn.ts'

/**
 * How does a turn run? Does what the log says is next (call the model, run tools) until the turn is over, and records
 * each step.
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
  const { log, control } = running
  let [{ config }, isRefitted] = [running, false]
  // Calls that are open before the first step were made by a runner that died. A new turn has none.
  for (let calls = 0, first = true; ; first = false) {
    // After the answer there is no need to read: what others wrote is for the next turn.
    if (!first && log.position.step) await refreshOrThrowFenced(running)
    const { turn, step } = log.position
    if (!step) return resultOf(turn)
    const stopping =
      control.stopping ?? (step.do === 'call' && calls >= config.steps ? tooManySteps(config.steps) : undefined)
    if (stopping) return stop(running, stopping, first)
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
 * Runs calls in parallel and records each result when it comes. `mayHaveRun`: a runner that died may have run them
 * before.
 */
async function runCalls(running: TurnRun, calls: readonly Call[], mayHaveRun: boolean): Promise<void> {
  // Without ids, a result belongs to the first open call of its name: then results must be recorded in the order of the
  // calls.
  const inOrder = new Set(calls.map(({ id }) => id)).size < calls.length || calls.some(({ id }) => id === undefined)
  const issued =
    running.log.position.turn.findLast(({ kind, calls: made }) => kind === 'assistant' && made.length > 0)?.calls ??
    calls
  const recorded: Promise<void>[] = []
  calls.forEach((call, place) => {
    const index = inOrder ? issued.length - calls.length + place : issued.findIndex(({ id }) => id === call.id)
    recorded.push(
      record(running, call, runCall(running, call, index, mayHaveRun), inOrder ? recorded.at(-1) : undefined),
    )
  })
  try {
    await Promise.all(recorded)
  } catch (error) {
    // If one result cannot be recorded, none can: tell the other tools to stop.
    running.control.turn.cancel()
    await Promise.allSettled(recorded)
    throw error
  }
}

/** Records the result of a call. `before`: the record of the call before it, if the order matters. */
async function record(
  { log, term, control }: TurnRun,
  call: Call,
  outcome: Promise<ToolOutcome>,
  before: Promise<void> | undefined,
): Promise<void> {
  const [ended] = await Promise.all([outcome, before])
  await appendOrThrowFenced(log.append([resultDraft(call, ended)], { term }))
  control.emit({ type: 'result', call: parsedCall(call), output: outputOf(ended.text), ...ended })
}

/** Runs a call. If it may have run before a crash and its tool is not `mayRepeat`, it is not run again. */
async function runCall(running: TurnRun, call: Call, index: number, mayHaveRun: boolean): Promise<ToolOutcome> {
  const { control, config } = running
  const tool = config.tools.find(({ name }) => name === call.name)
  if (mayHaveRun && !tool?.mayRepeat) return { text: interruptions.unknown, status: 'cancelled' }
  control.emit({ type: 'call', call: parsedCall(call) })
  const names = config.settings.tools.map((schema) => schema.function.name)
  const outcome = await runTool(tool, call, contextOf(running, call, index), config.clock, names)
  if ('error' in outcome) config.onError(outcome.error, { thread: running.log.thread, call: parsedCall(call) })
  return outcome
}

/**
 * The context reads entries from the store when a tool requests them, because the loaded log may contain only what the
 * prompts need.
 */
function contextOf(
  { log: { thread, head, position }, control: { signal }, store }: TurnRun,
  call: Call,
  index: number,
): ToolContext {
  return {
    thread,
    context: position.turn.findLast(({ context }) => context !== undefined)?.context,
    call: parsedCall(call),
    index,
    signal,
    entries: async () => (head === null ? [] : store.read(thread, { head })),
    state: (reader) => readState(reader, { store, thread, head }),
  }
}

/**
 * Stops the turn when its `deadline` is over. The time counts from when its message, or its newest retry, was recorded,
 * also if another runner takes the turn over. Returns a function that removes the timer.
 */
function keepDeadline({ log, control, config }: TurnRun): () => void {
  const { clock, deadline } = config
  if (deadline === undefined) return () => undefined
  const turn = log.position.turn
  const since = (turn.findLast(({ kind }) => kind === 'retry') ?? turn[0])?.time
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
