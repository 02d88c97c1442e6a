import { isNotLoaded } from '../log/branch.ts'
import { sideEntry, type EntryDraft } from '../log/draft.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import { inSlices } from '../log/steps.ts'
import type { Usage } from '../models/model.ts'
import { overflowOf, type ContextOverflow } from '../models/overflow.ts'
import type { PreparedPrompt } from '../receipts/prompter.ts'
import { isReceipt, receiptFrom, receiptText, turnVerdicts, verdictCounts, type Receipt } from '../receipts/receipt.ts'
import { sentOf } from '../tokens/prediction.ts'
import { tripwire } from '../truncation/tripwire.ts'
import type { TruncationFinding } from '../truncation/truncation.ts'
import { answerDrafts, collect, isFinal, partialDrafts, type ModelAnswer } from './model-answer.ts'
import { erasedBeforeError, journalDrafts, stop, stopDrafts, stoppedResult, appendOrThrowFenced } from './stop-turn.ts'
import { createLimit } from './time-limit.ts'
import { fittingFor, type TurnConfig, type TurnRun } from './turn-run.ts'
import type { StopReason, TurnResult } from './turn.ts'

/**
 * What happens in one model call? Compiles the prompt, calls the model and records the answer. Returns the result if
 * the turn ended, and undefined if it goes on. If the server refused the prompt as too long and named its window,
 * returns the configuration for that window. `refits`: whether it may do so.
 */
export async function callModel(running: TurnRun, refits: boolean): Promise<TurnResult | TurnConfig | undefined> {
  const { log, control, config } = running
  const compiled = await promptNow(running)
  if (!('prompt' in compiled)) return stop(running, compiled, false)
  const { messages, tools } = compiled.prompt
  const limit = createLimit(control.signal, config.clock, config.callTimeout)
  const request = { messages, tools, window: config.settings.window, signal: limit.signal }
  const collected = await collect(config.model, request, control, config.notes !== 'off')
  limit.release()
  const told =
    refits && !control.stopping && !collected.whole && collected.shown === '' ? overflowOf(collected.error) : undefined
  if (told?.window !== undefined) {
    await recordCall(running, compiled, { drafts: [], outcome: 'refused', usage: {}, told })
    return config.refitted(
      fittingFor({ window: Math.min(told.window, config.settings.window) }, told, compiled.prompt.compiled.tokens),
    )
  }
  const ended = endOf(running, collected, limit.isUp)
  await recordCall(
    running,
    compiled,
    ended,
    collected.whole ? await truncatedOf(running, compiled, collected.usage) : undefined,
  )
  if (!ended.stopping) return undefined
  return ended.closing?.length ? stoppedResult(log, ended.stopping) : stop(running, ended.stopping, false)
}

/** A prompt, and the part of the log that it was made from. Entries that arrive during the call are not part of it. */
interface CallPrompt extends PreparedPrompt {
  readonly seen: Pick<Receipt, 'head' | 'upto' | 'length'>
}

/** Compiles the prompt, or returns why it cannot be compiled. Loads the whole log if the loaded part is not enough. */
async function promptNow({ log, config }: Pick<TurnRun, 'log' | 'config'>): Promise<CallPrompt | StopReason> {
  try {
    // Taken now, before the first pause: the log may grow while the prompt is compiled.
    const seen = { head: log.head ?? '', upto: newestOf(log.branch()), length: log.length }
    return { ...(await inSlices(config.prompter.toSend(log), log.pause)), seen }
  } catch (error) {
    if (!log.start || !isNotLoaded(error)) return stoppingOf(error)
  }
  await log.whole()
  return promptNow({ log, config })
}

/** How a model call ended: what is recorded, and why the turn stops, if it does. */
interface Ended {
  readonly drafts: readonly EntryDraft[]
  /** Entries that follow the receipt. */
  readonly closing?: readonly EntryDraft[]
  readonly outcome: Receipt['outcome']
  readonly usage: Usage
  readonly told?: ContextOverflow
  readonly stopping?: StopReason
}

function endOf({ log, control, config }: TurnRun, collected: ModelAnswer, isLate: boolean): Ended {
  if (!collected.whole) {
    const stopping =
      control.stopping ?? (isLate ? late(config.callTimeout, collected.error) : modelFailed(collected.error))
    const drafts = partialDrafts(collected.shown, stopping.status)
    // The partial answer and the stop entry go into one append: with only the first, the turn would look finished.
    const closing = drafts.length > 0 ? stopDrafts(log, config, stopping) : []
    return { drafts, closing, outcome: stopping.status, usage: {}, stopping }
  }
  const { finish: outcome, usage } = collected
  const drafts = answerDrafts(collected, config.notes !== 'off')
  if (log.isErased(drafts)) return { drafts: [], outcome, usage, stopping: stoppingOf(erasedBeforeError()) }
  return {
    drafts: config.journal && drafts.some(isFinal) ? [...drafts, ...journalDrafts(log.position.turn)] : drafts,
    outcome,
    usage,
  }
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
  const alone = tripwire({ ...prediction, reused, usage, isExact: !isEstimated, upstream: { window: settings.window } })
  return note({ ...sentOf(prediction, reused), usage, alone }).truncated
}

/** Records answer, notes, journal and receipt in one append: after a crash either all of them are recorded or none. */
async function recordCall(
  { log, term, control, config }: TurnRun,
  { prompt, reused, seen, keep }: CallPrompt,
  { drafts, closing = [], outcome, usage, told }: Ended,
  truncated?: TruncationFinding,
): Promise<void> {
  const { settingsText, settingsHash: settings } = config
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
    outcome,
    ...(told && { told }),
    ...(config.windowSource && { windowSource: config.windowSource }),
    ...(truncated && { truncated }),
  }
  // Settings are recorded on each branch, because a fork copies only one branch.
  const isKnown =
    (log.start?.settings === settings && log.start.hasSettings) ||
    log.branch().some(({ kind, text }) => kind === 'settings' && text === settingsText)
  const entries = await appendOrThrowFenced(
    log.append(
      [
        ...(isKnown ? [] : [sideEntry('settings', settingsText)]),
        ...drafts,
        sideEntry('receipt', receiptText(receipt)),
        ...closing,
      ],
      { term },
    ),
  )
  void keep()
  const kept = entries.findLast(isReceipt)
  if (kept) control.emit({ type: 'receipt', receipt: receiptFrom(kept) })
}

/**
 * The newest entry by seq. It need not be the last of the branch: a side entry comes right after its parent, and may be
 * newer than the entries behind it.
 */
export function newestOf(branch: readonly Entry[]): string {
  let newest: Entry | undefined
  for (const entry of branch)
    if ((traits[entry.kind].prompted || entry.kind === 'revocation') && entry.seq > (newest?.seq ?? -1)) newest = entry
  return newest?.id ?? ''
}

function stoppingOf(error: unknown): StopReason {
  if (!MinutebookError.isInstance(error)) return modelFailed(error)
  return { status: 'failed', code: error.code, reason: error.message, error }
}

/** Records only texts of our own: the error of a server or a model may contain keys, or quote notes. */
function modelFailed(error: unknown): StopReason {
  const code = MinutebookError.isInstance(error) ? error.code : 'model_failed'
  return {
    status: 'failed',
    code,
    reason: failureReason(code, MinutebookError.isInstance(error) ? error.details : {}),
    error,
  }
}

/**
 * Uses only a few details of an error: the status, and the names of a tool and its server, which the operator chose.
 */
export function failureReason(code: string, { status, tool, server }: Readonly<Record<string, unknown>> = {}): string {
  if (code === 'tool_missing') return toolReason(tool, server)
  const reason = failures.get(code)
  if (reason !== undefined && typeof status === 'number') return reason.replace('.', ` (status ${status}).`)
  return reason ?? 'The model call failed; the error is in the result of the turn.'
}

function toolReason(tool: unknown, server: unknown): string {
  if (typeof server === 'string')
    return `The tool "${String(tool)}" is not available: the tool server "${server}" does not start or does not answer. Fix that, then retry the turn.`
  return `The tool "${String(tool)}" is not available. Register it in the process that runs the turn, or remove it from the thread's tools, then retry the turn.`
}

function late(milliseconds: number | undefined, error: unknown): StopReason {
  return {
    status: 'failed',
    code: 'model_late',
    reason: `The model did not finish within ${milliseconds} ms. Retry the turn, or raise "callTimeout".`,
    error,
  }
}

const failures: ReadonlyMap<string, string> = new Map([
  [
    'model_unreachable',
    'The model’s server could not be reached. Start it or correct its address, then retry the turn.',
  ],
  [
    'model_refused',
    'The model’s server refused the request. The error in the result of the turn says why; fix that, then retry the turn.',
  ],
  [
    'context_overflow',
    'The prompt was longer than the window of the model’s server. Lower "window", or give the server a larger one, then retry the turn.',
  ],
  ['model_error', 'The model’s server failed. Retry the turn.'],
  ['model_cut', 'The answer was cut off on its way. Retry the turn.'],
  [
    'unknown_model',
    'No server has this model. Give one of the servers the model, or name another one, then retry the turn.',
  ],
  [
    'not_recorded',
    'No answer to this prompt is recorded: something before it differs. Compare the two runs to see where they diverge.',
  ],
])
