import { sha256 } from '#sha256'
import type { Entry } from '../log/entry.ts'
import { callsOf } from '../log/exchange.ts'
import { outputOf, parsedCall, type Call } from '../log/message.ts'
import type { LiveLog } from '../past/live-log.ts'
import { startDraft, type CallStanding } from '../log/open-call.ts'
import { readState } from '../state/state-snapshot.ts'
import { outcomeOf } from './gate.ts'
import { appendOrThrowFenced, throwIfLost } from './fence.ts'
import { runTool } from './run-tool.ts'
import { interruptions, resultDraft, type ToolContext, type ToolOutcome } from './tool.ts'
import type { TurnRun } from './turn-run.ts'

/**
 * How do tool calls get their results? Runs them in parallel, or takes the result from a decision, and records each
 * result when it comes. `mayHaveRun`: a runner that died may have run them before.
 */
export async function runCalls(running: TurnRun, calls: readonly CallStanding[], mayHaveRun: boolean): Promise<void> {
  // Without ids, a result belongs to the first open call of its name: then results must be recorded in the order of the
  // calls.
  const inOrder = !callsOf({ calls: calls.map(({ call }) => call) }).haveOwnIds
  await running.fence.confirm()
  await recordStart(running, calls)
  const keyOf = callKeys(running.log)
  const recorded: Promise<void>[] = []
  for (const standing of calls) {
    const outcome = settleCall(running, { ...standing, key: keyOf(standing.index) }, mayHaveRun)
    recorded.push(record(running, standing.call, outcome, inOrder ? recorded.at(-1) : undefined))
  }
  try {
    await Promise.all(recorded)
  } catch (error) {
    // If one result cannot be recorded, none can: tell the other tools to stop.
    running.control.turn.cancel()
    await Promise.allSettled(recorded)
    throw error
  }
}

/** A call, and its idempotency key. */
interface KeyedCall extends CallStanding {
  readonly key: string
}

/**
 * Returns the idempotency keys of the newest answer's calls, by their places. If a model makes the same call again after
 * a retry, that is the same entry, but another receipt: each receipt names one model call.
 */
function callKeys({ thread, position: { turn } }: LiveLog): (index: number) => string {
  const issuer = turn.findLast(({ kind }) => kind === 'assistant')
  const receipt = turn.findLast(({ kind, parent }) => kind === 'receipt' && parent === issuer?.id)
  return (index) => sha256(JSON.stringify([thread, issuer?.id, receipt?.id, index]))
}

/** Records which of the calls that had to wait run now. A later runner then knows that they may have run. */
async function recordStart({ log, term }: TurnRun, calls: readonly CallStanding[]): Promise<void> {
  const starting = calls.filter(
    ({ taken, isHeld, isStarted }) => isHeld && !isStarted && (!taken || taken.decision.do === 'run'),
  )
  if (starting.length === 0) return
  const issuer = log.position.turn.findLast(({ kind }) => kind === 'assistant')!
  const draft = startDraft(
    starting.map(({ index }) => index),
    log.entries,
  )
  await appendOrThrowFenced(log.append([draft], { term, after: issuer.id }))
}

/** Records the result of a call. `before`: the record of the call before it, if the order matters. */
async function record(
  { log, term, control }: TurnRun,
  call: Call,
  outcome: Promise<ToolOutcome>,
  before: Promise<void> | undefined,
): Promise<void> {
  const [ended] = await Promise.all([outcome, before])
  // Whether the call has taken effect is for the next runner to say.
  if (ended.status === 'cancelled') throwIfLost(control)
  await appendOrThrowFenced(log.append([resultDraft(call, ended)], { term }))
  control.emit({ type: 'result', call: parsedCall(call), output: outputOf(ended.text), ...ended })
}

/** Runs a call, or takes its result from the decision about it. A call that had to wait has run only if it was started. */
async function settleCall(running: TurnRun, standing: KeyedCall, mayHaveRun: boolean): Promise<ToolOutcome> {
  const { taken, isHeld, isStarted } = standing
  if (taken && taken.decision.do !== 'run') return outcomeOf(taken)
  return runCall(running, standing, isHeld ? isStarted : mayHaveRun)
}

/** Runs a call. If it may have run before a crash and its tool is not `mayRepeat`, it is not run again. */
async function runCall(
  running: TurnRun,
  { call, index, taken, key }: KeyedCall,
  mayHaveRun: boolean,
): Promise<ToolOutcome> {
  const { control, config, fence, term } = running
  const tool = config.tools.find(({ name }) => name === call.name)
  if (mayHaveRun && !tool?.mayRepeat) return { text: interruptions.unknown, status: 'cancelled' }
  await fence.confirm()
  control.emit({ type: 'call', call: parsedCall(call) })
  const context = { ...gateContextOf(running, call), index, idempotencyKey: key, term }
  const names = config.settings.tools.map((schema) => schema.function.name)
  const outcome = await runTool(tool, call, context, config.clock, names, taken)
  if ('error' in outcome) config.onError(outcome.error, { thread: running.log.thread, call: parsedCall(call) })
  return outcome
}

/**
 * What a tool knows of a call before it runs. Entries are read from the store when the tool requests them, because the
 * loaded log may contain only what the prompts need.
 */
export function gateContextOf(
  { log: { thread, head, position }, control: { signal }, store }: TurnRun,
  call: Call,
): Omit<ToolContext, 'index' | 'idempotencyKey' | 'term'> {
  return {
    thread,
    context: contextIn(position.turn),
    call: parsedCall(call),
    signal,
    entries: async () => (head === null ? [] : store.read(thread, { head })),
    state: (reader) => readState(reader, { store, thread, head }),
  }
}

/** What was sent as context with the message, or with a retry of it. A message that waits behind the turn has its own. */
function contextIn(turn: readonly Entry[]): unknown {
  return turn.findLast(({ kind, context }) => kind !== 'pending' && context !== undefined)?.context
}
