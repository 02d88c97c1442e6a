import { wasErased, type LiveLog } from '../past/live-log.ts'
import { sideEntry, type EntryDraft, type OutputSchema } from '../log/entry.ts'
import { readMessage } from '../log/message.ts'
import { waitDraft, waitingCalls, waitingRecords, type Gate } from '../log/open-call.ts'
import { createLimit, createStopwatch, inSlices } from '../log/time.ts'
import type { ModelRequest, Usage } from '../models/model.ts'
import { overflowOf, type ContextOverflow } from '../models/server-window.ts'
import { countWriting } from '../receipts/call-count.ts'
import type { PreparedPrompt } from '../receipts/prompter.ts'
import { isReceipt, receiptFrom, receiptText, turnVerdicts, type Receipt } from '../receipts/receipt.ts'
import { findTruncation, type TruncationFinding } from '../receipts/truncation.ts'
import { verdictCounts } from '../compiler/verdict.ts'
import { sentOf } from '../tokens/prediction.ts'
import { collect, type ModelAnswer } from './collect-answer.ts'
import { gatesOf } from './gate.ts'
import { callOptions, type CallOptions } from './model-options.ts'
import { answerDrafts, isFinal } from './notes.ts'
import { isUsable } from './output.ts'
import { gateContextOf } from './run-calls.ts'
import { appendOrThrowFenced, throwIfLost } from './fence.ts'
import {
  erasedBeforeError,
  journalDrafts,
  modelLate,
  modelFailed,
  partialDrafts,
  stop,
  stopDrafts,
  stoppedResult,
  stoppingOf,
} from './stop-turn.ts'
import { fittingFor, type TurnConfig, type TurnRun } from './turn-run.ts'
import type { StopReason, TurnResult } from './turn.ts'

/**
 * What happens in one model call? Compiles the prompt, calls the model and records the answer. Returns the result if
 * the turn ended, and undefined if it goes on. If the server refused the prompt as too long and named its window,
 * returns the configuration for that window. `refits`: whether it may do so.
 */
export async function callModel(running: TurnRun, refits: boolean): Promise<TurnResult | TurnConfig | undefined> {
  const { log, control, config, fence } = running
  const prepared = await promptNow(running)
  if (!('prompt' in prepared)) return stop(running, prepared, false, countWriting(config))
  const { messages, tools } = prepared.prompt
  await fence.confirm()
  const limit = createLimit(control.signal, config.clock, config.callTimeout)
  const asked = callOptions(log.position.turn, config.settings.options, tools.length > 0)
  const request = { messages, tools, window: config.settings.window, ...asked.request, signal: limit.signal }
  const facts = factsOf(request, config)
  const watch = createStopwatch(config.clock)
  const isHeld = asked.wanted !== undefined
  const collected = await collect(config.model, request, control, config.notes, {
    isHeld,
    heard: () => watch.heard(),
  })
  const time = watch.stop()
  limit.release()
  // Another runner asks for the whole answer.
  if (!collected.whole) throwIfLost(control)
  const compiled = { ...prepared, facts: { ...facts, ...(time && { time }) } }
  const told =
    refits && !control.stopping && !collected.whole && collected.shown === '' ? overflowOf(collected.error) : undefined
  if (told?.window !== undefined) {
    await recordCall(running, compiled, asked, { drafts: [], outcome: 'refused', usage: {}, told })
    return config.refitted(
      fittingFor({ window: Math.min(told.window, config.settings.window) }, told, compiled.prompt.compiled.tokens),
    )
  }
  const ended = await withGates(running, await endOf(running, collected, limit.isUp, asked.wanted))
  if (collected.whole && collected.held !== '' && ended.outcome !== 'unfit')
    control.emit({ type: 'text', text: collected.held })
  await recordCall(
    running,
    compiled,
    asked,
    ended,
    collected.whole ? await truncatedOf(running, compiled, collected.usage) : undefined,
  )
  if (!ended.stopping) return undefined
  return ended.closing?.length ? stoppedResult(log, ended.stopping) : stop(running, ended.stopping, false)
}

/** What decides whether the server can use its cache, next to the prompt. */
function factsOf(request: Omit<ModelRequest, 'signal'>, { between }: TurnConfig): CallFacts {
  const before = between(request)
  return {
    ...(request.toolChoice && { promptOptions: { tool_choice: JSON.stringify(request.toolChoice) } }),
    ...(before && { between: before }),
  }
}

type CallFacts = Pick<Receipt, 'promptOptions' | 'between' | 'time'>

/** Compiles the prompt, or returns why it cannot be compiled. */
async function promptNow({ log, config }: Pick<TurnRun, 'log' | 'config'>): Promise<PreparedPrompt | StopReason> {
  try {
    return await config.prompter.toSend(log)
  } catch (error) {
    return stoppingOf(error)
  }
}

/** How a model call ended: what is recorded, and why the turn stops, if it does. */
interface Ended {
  readonly drafts: readonly EntryDraft[]
  /** Entries that follow the receipt. */
  readonly closing?: readonly EntryDraft[]
  /** The calls that wait for a decision. */
  readonly gates?: readonly Gate[]
  readonly outcome: Receipt['outcome']
  readonly usage: Usage
  readonly told?: ContextOverflow
  readonly stopping?: StopReason
}

/** `wanted`: the form of the answer, if the model does not know it. */
async function endOf(
  { log, control, config }: TurnRun,
  collected: ModelAnswer,
  isLate: boolean,
  wanted: OutputSchema | undefined,
): Promise<Ended> {
  if (!collected.whole) {
    const stopping =
      control.stopping ?? (isLate ? modelLate(config.callTimeout, collected.error) : modelFailed(collected.error))
    const drafts = partialDrafts(collected.shown, stopping.status)
    // The partial answer and the stop entry go into one append: with only the first, the turn would look finished.
    const closing = drafts.length > 0 ? stopDrafts(log, config, stopping) : []
    return { drafts, closing, outcome: stopping.status, usage: {}, stopping }
  }
  const { message, finish: outcome, usage } = collected
  const drafts = answerDrafts(message, outcome, config.notes)
  if (wanted && !isUsable(drafts, outcome, wanted)) return { drafts: [], outcome: 'unfit', usage }
  if (await wasErased(log, drafts)) return { drafts: [], outcome, usage, stopping: stoppingOf(erasedBeforeError()) }
  return {
    drafts: config.journal && drafts.some(isFinal) ? [...drafts, ...journalDrafts(log.position.turn)] : drafts,
    outcome,
    usage,
  }
}

/** Finds out which calls of the answer must wait. That is recorded together with the answer. */
async function withGates(running: TurnRun, ended: Ended): Promise<Ended> {
  const { config, log } = running
  const calls = ended.drafts.flatMap(({ message, facts }) => (facts?.kind ? [] : readMessage(message).calls))
  if (calls.length === 0 || ended.stopping) return ended
  const gates = await gatesOf(
    config.tools,
    calls,
    (call) => gateContextOf(running, call),
    (error, call) => config.onError(error, { thread: log.thread, call }),
  )
  return gates.length === 0 ? ended : { ...ended, gates }
}

/** Whether the server truncated the prompt. Undefined if the options have no `note`. */
async function truncatedOf(
  { log, config: { reading, settings } }: Pick<TurnRun, 'log' | 'config'>,
  { prompt: { messages, tools }, reused }: PreparedPrompt,
  usage: Usage,
): Promise<TruncationFinding | undefined> {
  if (!reading) return undefined
  const { note, meter, isEstimated } = reading
  const prediction = await inSlices(meter.all(messages, tools), log.pause)
  const upstream = { window: settings.window }
  const alone = findTruncation({ ...prediction, reused, usage, isExact: !isEstimated, upstream })
  return note({ ...sentOf(prediction, reused), usage, alone })
}

/**
 * Records answer, notes, journal, receipt and which calls wait in one append: after a crash either all of them are
 * recorded or none.
 */
async function recordCall(
  { log, term, control, config }: TurnRun,
  { prompt, reused, seen, facts, keep }: PreparedPrompt & { readonly facts: CallFacts },
  { sent }: CallOptions,
  { drafts, closing = [], gates = [], outcome, usage, told }: Ended,
  truncated?: TruncationFinding,
): Promise<void> {
  const { settingsHash: settings } = config
  const { tokens, plan } = prompt.compiled
  const turn = turnVerdicts(plan)
  const receipt: Receipt = {
    version: 1,
    ...seen,
    settings,
    hash: prompt.hash,
    tokens: { predicted: tokens, reused, reported: usage },
    epoch: plan.epoch.number,
    verdicts: verdictCounts(plan),
    ...(turn && { turn }),
    ...(config.shortfall && { window: config.shortfall }),
    ...(sent && { options: sent }),
    ...facts,
    outcome,
    ...(told && { told }),
    ...(config.windowSource && { windowSource: config.windowSource }),
    ...(truncated && { truncated }),
  }
  const fresh = await settingsDrafts(log, log.head, config)
  const entries = await appendOrThrowFenced(
    log.append(
      [
        ...fresh,
        ...drafts,
        sideEntry('receipt', receiptText(receipt)),
        ...closing,
        ...(gates.length > 0 ? [waitDraft(gates, log.entries)] : []),
      ],
      {
        term,
        ...countWriting({ ...config, turn: plan.exchanges }, (made) => {
          const calls = waitingCalls(made)
          return calls.length === 0 ? [] : [...waitingRecords(calls), ...config.waitRecords(calls)]
        }),
      },
    ),
  )
  void keep()
  const kept = entries.findLast(isReceipt)
  if (kept) control.emit({ type: 'receipt', receipt: receiptFrom(kept) })
  const waiting = waitingCalls(entries)
  if (waiting.length > 0) control.emit({ type: 'wait', calls: waiting })
}

/**
 * The entry of a call's settings, if the branch that ends with `head` does not have it yet. They are recorded on each
 * branch, because a fork copies only one branch.
 */
export async function settingsDrafts(
  log: LiveLog,
  head: string | null,
  config: Pick<TurnConfig, 'settingsText' | 'settingsHash'>,
): Promise<readonly EntryDraft[]> {
  const { settingsText: text, settingsHash: hash } = config
  const { start, isThere } = await log.line(head, (branch) => ({
    start: log.past.start,
    isThere: branch.some((entry) => entry.kind === 'settings' && entry.text === text),
  }))
  if (isThere) return []
  const fresh = [sideEntry('settings', text)]
  if (!start) return fresh
  // A checkpoint says whether its own settings came before it, and which others did, if there are not too many.
  if (start.settings === hash) return start.recorded === null ? fresh : []
  if (start.landmarks?.settings.some(([known]) => known === hash)) return []
  if (start.landmarks?.allSettings) return fresh
  await log.past.whole()
  return settingsDrafts(log, head, config)
}
