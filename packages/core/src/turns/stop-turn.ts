import { sideEntry, type Entry, type EntryDraft } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { LiveLog } from '../past/live-log.ts'
import { callStandings, waitingCalls, waitingRemovals } from '../log/open-call.ts'
import { appendOrThrowFenced } from './fence.ts'
import { journalOf } from './notes.ts'
import { interruptions, resultDraft } from './tool.ts'
import type { TurnRun } from './turn-run.ts'
import { resultOf } from './turn-result.ts'
import type { StopReason, TurnResult } from './turn.ts'

type Stopped = Pick<TurnRun, 'log' | 'term'> & { readonly config: Pick<TurnRun['config'], 'journal'> }

/**
 * How does a turn end without an answer? Records results for its open calls and a stop entry with the reason, so that
 * the thread can go on. Returns the turn's result.
 */
export async function stop(
  { log, term, config }: Stopped,
  stopping: StopReason,
  mayHaveRun: boolean,
): Promise<TurnResult> {
  await closeCalls({ log, term }, mayHaveRun)
  await appendOrThrowFenced(log.append(stopDrafts(log, config, stopping), { term }))
  return stoppedResult(log, stopping)
}

/** The entries that end a turn: its journal, and a stop entry. Open calls must have results before. */
export function stopDrafts(
  log: LiveLog,
  { journal }: Stopped['config'],
  stopping: StopReason,
  turn: readonly Entry[] = log.position.turn,
): EntryDraft[] {
  return [...(journal ? journalDrafts(turn) : []), stopDraft(stopping, log.entries.at(-1)?.id ?? null)]
}

/** The stop entry. It names the newest entry of the log, so that each stop is another entry. */
export function stopDraft({ status, code, reason, fix }: StopReason, upto: string | null): EntryDraft {
  return sideEntry('stop', JSON.stringify({ code, reason, fix, upto }), { status })
}

/** The entry of a partial answer: the text that was shown. Empty if there was none. */
export function partialDrafts(shown: string, status: 'cancelled' | 'failed'): EntryDraft[] {
  return shown === '' ? [] : [{ message: { role: 'assistant', content: shown }, facts: { status } }]
}

/** The result of a stopped turn, with the error, which is not recorded. */
export function stoppedResult(log: LiveLog, { error }: StopReason): TurnResult {
  return { ...resultOf(log.position.turn), ...(error !== undefined && { error }) }
}

/** Records results for the open calls. `mayHaveRun`: a runner that died may have run them. */
async function closeCalls({ log, term }: Pick<TurnRun, 'log' | 'term'>, mayHaveRun: boolean): Promise<void> {
  const results = closingDrafts(log.position.turn, mayHaveRun)
  if (results.length === 0) return
  const waited = waitingRemovals(waitingCalls(log.position.turn).map(({ id }) => id))
  await appendOrThrowFenced(log.append(results, { term, ...(waited.length > 0 && { records: () => waited }) }))
}

/**
 * Results for the open calls of a turn, which tell the model that they were interrupted. A call that had to wait has not
 * run unless it was started.
 */
export function closingDrafts(turn: readonly Entry[], mayHaveRun: boolean): EntryDraft[] {
  return callStandings(turn).map(({ call, isHeld, isStarted }) => {
    const isUnknown = isHeld ? isStarted : mayHaveRun
    return resultDraft(call, { text: isUnknown ? interruptions.unknown : interruptions.unrun, status: 'cancelled' })
  })
}

/** The reason if the next message ends an unfinished turn. */
export const interruptedByNext: StopReason = {
  status: 'cancelled',
  code: 'interrupted',
  reason: 'The next message came before this turn was finished.',
}

export function stopReasonOf(error: unknown): StopReason {
  if (!MinutebookError.isInstance(error)) return modelFailed(error)
  const { code, problem, fix } = error
  return { status: 'failed', code, reason: problem, ...(fix !== '' && { fix }), error }
}

/** Records only texts of our own: the error of a server or a model may contain keys, or quote notes. */
export function modelFailed(error: unknown): StopReason {
  const code = MinutebookError.isInstance(error) ? error.code : 'model_failed'
  return {
    status: 'failed',
    code,
    ...failureReason(code, MinutebookError.isInstance(error) ? error.details : {}),
    error,
  }
}

/**
 * Uses only a few details of an error: the status, and the names of a tool and its server, which the operator chose.
 */
export function failureReason(
  code: string,
  { status, tool, server }: Readonly<Record<string, unknown>> = {},
): FailureReason {
  if (code === 'tool_missing') return toolReason(tool, server)
  const [reason, fix] = failures.get(code) ?? ['The model failed before it answered.', 'Retry the turn.']
  const isTold = failures.has(code) && typeof status === 'number'
  return { reason: isTold ? reason.replace('.', ` (status ${status}).`) : reason, fix }
}

type FailureReason = Required<Pick<StopReason, 'reason' | 'fix'>>

function toolReason(tool: unknown, server: unknown): FailureReason {
  const isMissing = `The tool "${String(tool)}" is not available`
  if (typeof server === 'string')
    return {
      reason: `${isMissing}: the tool server "${server}" does not start or does not answer.`,
      fix: 'Fix that, then retry the turn.',
    }
  return {
    reason: `${isMissing}.`,
    fix: "Register it in the process that runs the turn, or remove it from the thread's tools, then retry the turn.",
  }
}

export function modelLate(milliseconds: number | undefined, error: unknown): StopReason {
  return {
    status: 'failed',
    code: 'model_late',
    reason: `The model did not finish within ${milliseconds} ms.`,
    fix: 'Retry the turn, or raise "callTimeout".',
    error,
  }
}

/** By code: what people read, and what a developer does about it. */
const failures: ReadonlyMap<string, readonly [reason: string, fix: string]> = new Map([
  [
    'model_unreachable',
    ['The model’s server could not be reached.', 'Start it or correct its address, then retry the turn.'],
  ],
  [
    'model_refused',
    [
      'The model’s server refused the request.',
      'The error in the result of the turn says why. Fix that, then retry the turn.',
    ],
  ],
  [
    'context_overflow',
    [
      'The prompt was longer than the window of the model’s server.',
      'Lower "window", or give the server a larger one, then retry the turn.',
    ],
  ],
  ['model_error', ['The model’s server failed.', 'Retry the turn.']],
  ['model_cut', ['The answer was cut off on its way.', 'Retry the turn.']],
  [
    'unknown_model',
    ['No server has this model.', 'Give one of the servers the model, or name another one, then retry the turn.'],
  ],
  [
    'not_recorded',
    [
      'No answer to this prompt is recorded: something before it differs.',
      'Compare the two runs to see where they diverge.',
    ],
  ],
])

/** The journal entry of a turn, for the tools that no journal entry covers yet. Empty if all are covered. */
export function journalDrafts(turn: readonly Entry[]): EntryDraft[] {
  const text = journalOf(turn.slice(turn.findLastIndex(({ kind }) => kind === 'journal') + 1))
  return text === undefined ? [] : [sideEntry('journal', text)]
}

/** The same message in the same place has the same id, so an erased one cannot be recorded there again. */
export function erasedBeforeError(): MinutebookError {
  return new MinutebookError(
    'erased_before',
    'The same message was erased in this place.',
    'Send it after a later entry, or change a word.',
  )
}
