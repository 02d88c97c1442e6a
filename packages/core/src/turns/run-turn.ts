import { sideEntry, retryDraft } from '../log/draft.ts'
import type { Entry } from '../log/entry.ts'
import type { LiveLog } from '../log/log.ts'
import type { Call } from '../log/message.ts'
import { newestTurn, nextStep } from '../log/next.ts'
import type { NewRecord } from '../log/records.ts'
import { readState } from '../state/state-snapshot.ts'
import { callModel } from './call-model.ts'
import type { Placement } from './place-messages.ts'
import { erasedBeforeError, refreshOrThrowFenced, stop, appendOrThrowFenced } from './stop-turn.ts'
import { keepDeadline } from './time-limit.ts'
import { interruptions, resultDraft, runTool, type ToolContext, type ToolOutcome } from './tool.ts'
import type { TurnRun } from './turn-run.ts'
import { resultOf, type StopReason, type TurnResult } from './turn.ts'

/**
 * Does what comes next until rest, and records every step as it is done. `found`: the turn was found unfinished, so
 * open calls may have been run by someone who died. `again`: calls the model although the turn was over.
 */
export async function run(running: TurnRun, { found = false, again = false }: RunChoice = {}): Promise<TurnResult> {
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

async function doSteps(running: TurnRun, found: boolean, again: boolean): Promise<TurnResult> {
  const { log, control } = running
  let [{ config }, isRefitted] = [running, false]
  for (let calls = 0, first = true; ; first = false) {
    if (!first) await refreshOrThrowFenced(running)
    const step = again && first ? ({ do: 'call' } as const) : nextStep(log.branch())
    if (!step) return resultOf(newestTurn(log.branch()))
    const stopping =
      control.stopping ?? (step.do === 'call' && calls >= config.steps ? tooManySteps(config.steps) : undefined)
    if (stopping) return stop(running, stopping, found && first)
    if (step.do === 'run') {
      await runCalls(running, step.calls, found && first)
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
    reason: `The model came to no answer in ${steps} calls; raise "steps", or look at what its tools return.`,
  }
}

/** Runs calls side by side and records each result as it comes. `found`: someone who died may have run them before. */
async function runCalls(running: TurnRun, calls: readonly Call[], found: boolean): Promise<void> {
  // Without ids a result belongs to the first open call of its name: then results must come in the order of the calls.
  const inOrder = new Set(calls.map(({ id }) => id)).size < calls.length || calls.some(({ id }) => id === undefined)
  const issued =
    newestTurn(running.log.branch()).findLast(({ kind, calls: made }) => kind === 'assistant' && made.length > 0)
      ?.calls ?? calls
  const recorded: Promise<void>[] = []
  calls.forEach((call, place) => {
    const index = inOrder ? issued.length - calls.length + place : issued.findIndex(({ id }) => id === call.id)
    recorded.push(record(running, call, runCall(running, call, index, found), inOrder ? recorded.at(-1) : undefined))
  })
  try {
    await Promise.all(recorded)
  } catch (error) {
    // Where one result cannot be recorded, none can: the other tools are told to stop.
    running.control.turn.cancel()
    await Promise.allSettled(recorded)
    throw error
  }
}

async function record(
  { log, term, control }: TurnRun,
  call: Call,
  outcome: Promise<ToolOutcome>,
  before: Promise<void> | undefined,
): Promise<void> {
  const [ended] = await Promise.all([outcome, before])
  await appendOrThrowFenced(log.append([resultDraft(call, ended)], { term }))
  control.emit({ type: 'result', call, ...ended })
}

async function runCall(running: TurnRun, call: Call, index: number, found: boolean): Promise<ToolOutcome> {
  const { control, config } = running
  const tool = config.tools.find(({ name }) => name === call.name)
  if (found && tool && !tool.mayRepeat) return { text: interruptions.unknown, status: 'cancelled' }
  control.emit({ type: 'call', call })
  const names = config.settings.tools.map((schema) => schema.function.name)
  return runTool(tool, call, contextOf(running, call, index), config.clock, names)
}

/** Read from the store when a tool asks for it: a turn holds no more of its log than its prompts need. */
function contextOf(
  { log: { thread, head }, control: { signal }, store }: TurnRun,
  call: Call,
  index: number,
): ToolContext {
  return {
    thread,
    call,
    index,
    signal,
    entries: async () => (head === null ? [] : store.read(thread, { head })),
    state: (reader) => readState(reader, { store, thread, head }),
  }
}

/**
 * Puts what was said on record and answers it. `key`: under which it may have waited. `records`: written together with
 * it.
 */
export async function recordAndRun(
  running: TurnRun,
  { after, drafts }: Placement,
  key: string | undefined,
  records: readonly NewRecord[] = [],
): Promise<TurnResult> {
  const { log, term, control } = running
  if (log.isErased(drafts, { after })) {
    await revokePending(running, key)
    throw erasedBeforeError()
  }
  log.checkRoom(drafts)
  const { length } = log
  const said =
    drafts.length + records.length > 0
      ? await appendOrThrowFenced(log.append(drafts, { term, after, records: () => records }))
      : []
  const asked = said.at(-1)
  if (asked) control.record(asked)
  if (asked && asked.seq >= length) return run(running)
  // It stands there already, under another key or none: what is wanted is another answer.
  const place = asked?.id ?? after
  const standing = log.entries.find(({ id }) => id === place)
  if (standing) control.record(standing)
  const revocations = waitingUnder(log, key).map(({ id }) => sideEntry('revocation', id))
  // These hang off the entry that stands for what waited, so that whoever waits for an answer finds it.
  if (revocations.length > 0)
    await appendOrThrowFenced(log.append([retryDraft(log.entries), ...revocations], { term, after: place }))
  log.checkout(place ?? undefined)
  return run(running, { again: true })
}

/** What waits under a key waits no longer. */
export async function revokePending(
  { log, term }: Pick<TurnRun, 'log' | 'term'>,
  key: string | undefined,
): Promise<void> {
  for (const { id, parent } of waitingUnder(log, key)) {
    await log.reach(parent)
    await appendOrThrowFenced(log.append([sideEntry('revocation', id)], { term, after: parent }))
  }
}

function waitingUnder({ entries }: Pick<LiveLog, 'entries'>, key: string | undefined): readonly Entry[] {
  return entries.filter((entry) => entry.kind === 'pending' && entry.key === key)
}
