import type { EntryDraft, OutputSchema } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { readMessage, type Message } from '../log/message.ts'
import { createNoteParser } from '../log/note-parser.ts'
import { waitingCalls, type Gate } from '../log/open-call.ts'
import { createLimit, createStopwatch, inSlices } from '../log/time.ts'
import type { Finish, Model, ModelEvent, ModelRequest, Usage } from '../models/model.ts'
import { overflowOf } from '../models/server-window.ts'
import { usageOf, type EndEvent } from '../models/wire.ts'
import type { PreparedPrompt } from '../receipts/prompter.ts'
import { promptFacts, type Receipt } from '../receipts/receipt.ts'
import { findTruncation, type TruncationFinding } from '../receipts/truncation.ts'
import { sentOf } from '../tokens/prediction.ts'
import { throwIfLost } from './fence.ts'
import { gatesOf } from './gate.ts'
import { callOptions, type CallOptions } from './model-options.ts'
import { answerDrafts } from './notes.ts'
import { isUsable } from './output.ts'
import {
  answerWithJournal,
  recordableAnswer,
  recordCall,
  recordUnsent,
  type CallSent,
  type EndedCall,
} from './record-call.ts'
import { gateContextOf } from './run-calls.ts'
import {
  erasedBeforeError,
  modelFailed,
  modelLate,
  partialDrafts,
  stopDrafts,
  stoppedResult,
  stopReasonOf,
} from './stop-turn.ts'
import { fittingFor, type TurnConfig, type TurnRun } from './turn-run.ts'
import type { StopReason, TurnControl, TurnResult } from './turn.ts'

/**
 * What happens in one model call? The prompt is compiled, the model is called, and the answer is recorded. Returns the
 * result if the turn ended, and undefined if it goes on. If the server refused the prompt as too long and named its
 * window, returns the configuration for that window. `refits`: whether it may do so.
 */
export async function callModel(running: TurnRun, refits: boolean): Promise<TurnResult | TurnConfig | undefined> {
  const { log, control, config, fence, term } = running
  const prepared = await promptNow(running)
  const { head } = log
  if (!('prompt' in prepared)) {
    await recordUnsent(log, config, prepared, log.position.turn, { head, term })
    return stoppedResult(log, prepared)
  }
  const { prompt, keep } = prepared
  await fence.confirm()
  const asked = callOptions(log.position.turn, config.settings.options, prompt.tools.length > 0)
  const { said, sent, time, isLate } = await askModel(running, prepared, asked)
  // Another runner asks for the whole answer.
  if (!said.whole) throwIfLost(control)
  const record = async (ended: EndedCall): Promise<void> => {
    const place = { head, term, turn: prompt.compiled.plan.exchanges }
    const { entries, receipt } = await recordCall(log, config, sent, { ...ended, ...(time && { time }) }, place)
    void keep()
    control.emit({ type: 'receipt', receipt })
    const waiting = waitingCalls(entries)
    if (waiting.length > 0) control.emit({ type: 'wait', calls: waiting })
  }
  const told = refits && !control.stopping && !said.whole && said.shown === '' ? overflowOf(said.error) : undefined
  if (told?.window !== undefined) {
    await record({ drafts: [], outcome: 'refused', usage: {}, told })
    const window = Math.min(told.window, config.settings.window)
    return config.refitted(fittingFor({ window }, told, prompt.compiled.tokens))
  }
  const { stopping, ...ended } = await endingOf(running, said, isLate, asked.wanted)
  if (said.whole && said.held !== '' && ended.outcome !== 'unfit') control.emit({ type: 'text', text: said.held })
  const truncated = said.whole ? await truncatedOf(running, prepared, said.usage) : undefined
  await record({ ...ended, ...(truncated && { truncated }) })
  return stopping && stoppedResult(log, stopping)
}

/** Compiles the prompt, or returns why it cannot be compiled. */
async function promptNow({ log, config }: Pick<TurnRun, 'log' | 'config'>): Promise<PreparedPrompt | StopReason> {
  try {
    return await config.prompter.toSend(log)
  } catch (error) {
    return stopReasonOf(error)
  }
}

/** A model call that is over, and is not recorded yet. */
interface AskedModel {
  readonly said: ModelAnswer
  readonly sent: CallSent
  readonly time: Receipt['time']
  /** True if it took longer than it may. */
  readonly isLate: boolean
}

/** Sends the prompt. */
async function askModel(
  { control, config }: Pick<TurnRun, 'control' | 'config'>,
  { prompt, seen, reused }: PreparedPrompt,
  { request: asked, sent: options, wanted }: CallOptions,
): Promise<AskedModel> {
  const limit = createLimit(control.signal, config.clock, config.callTimeout)
  const { messages, tools } = prompt
  const request = { messages, tools, window: config.settings.window, ...asked, signal: limit.signal }
  const between = config.between(request)
  const watch = createStopwatch(config.clock)
  const said = await collect(config.model, request, control, config.notes, {
    isHeld: wanted !== undefined,
    heard: () => watch.heard(),
  })
  const time = watch.stop()
  limit.release()
  const sent = {
    ...seen,
    ...promptFacts(prompt),
    tokens: { predicted: prompt.compiled.tokens, reused },
    ...(config.shortfall && { window: config.shortfall }),
    ...(options && { options }),
    ...(request.toolChoice && { promptOptions: { tool_choice: JSON.stringify(request.toolChoice) } }),
    ...(between && { between }),
  }
  return { said, sent, time, isLate: limit.isUp }
}

/** How a model call ended: what is recorded, and why the turn stops, if it does. */
interface Ending extends EndedCall {
  readonly stopping?: StopReason
}

/** `wanted`: the form of the answer, if the model does not know it. */
async function endingOf(
  running: TurnRun,
  said: ModelAnswer,
  isLate: boolean,
  wanted: OutputSchema | undefined,
): Promise<Ending> {
  const { log, control, config } = running
  if (!said.whole) {
    const stopping = control.stopping ?? (isLate ? modelLate(config.callTimeout, said.error) : modelFailed(said.error))
    return {
      ...stopped(running, stopping),
      drafts: partialDrafts(said.shown, stopping.status),
      outcome: stopping.status,
      usage: {},
    }
  }
  const { message, finish: outcome, usage } = said
  const answer = answerDrafts(message, outcome, config.notes)
  if (wanted && !isUsable(answer, outcome, wanted)) return { drafts: [], outcome: 'unfit', usage }
  const drafts = await answerWithJournal(log, config, log.head, answer)
  if (!drafts) return { ...stopped(running, stopReasonOf(erasedBeforeError())), drafts: [], outcome, usage }
  const gates = await waitingAmong(running, drafts)
  return { drafts, outcome, usage, ...(gates.length > 0 && { gates }) }
}

/**
 * The entries that end the turn are recorded with the call: with only a partial answer, it would look finished after a
 * crash.
 */
function stopped({ log, config }: TurnRun, stopping: StopReason): Required<Pick<Ending, 'closing' | 'stopping'>> {
  return { closing: stopDrafts(log, config, stopping), stopping }
}

/** Finds out which calls of the answer must wait. That is recorded together with the answer. */
async function waitingAmong(running: TurnRun, drafts: readonly EntryDraft[]): Promise<readonly Gate[]> {
  const { config, log } = running
  const calls = drafts.flatMap(({ message, facts }) => (facts?.kind ? [] : readMessage(message).calls))
  if (calls.length === 0) return []
  return gatesOf(
    config.tools,
    calls,
    (call) => gateContextOf(running, call),
    (error, call) => config.onError(error, { thread: log.thread, call }),
  )
}

/** Whether the server truncated the prompt. Undefined if the thread does not check that. */
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

/** What a model call returned: a whole answer, or the text that was shown before it failed. */
export type ModelAnswer =
  /** `held`: the text that was not shown yet. */
  | {
      readonly whole: true
      readonly message: Message
      readonly finish: Finish
      readonly usage: Usage
      readonly held: string
    }
  | { readonly whole: false; readonly shown: string; readonly error: unknown }

/**
 * Calls the model and emits the text that may be shown, as it comes. Never throws, and does
 * not wait for a model that ignores its signal. `isHeld`: shows no text, because the answer may not count. `heard` is
 * called with each text that comes.
 */
export async function collect(
  model: Model,
  request: ModelRequest,
  control: TurnControl,
  notes: TurnConfig['notes'],
  { isHeld = false, heard = () => undefined }: { readonly isHeld?: boolean; readonly heard?: () => void } = {},
): Promise<ModelAnswer> {
  const parser = notes === 'off' ? plain : createNoteParser(notes)
  let shown = ''
  let streamed = false
  const show = (text: string): void => {
    if (text === '') return
    shown += text
    if (!isHeld) control.emit({ type: 'text', text })
  }
  const whole = (message: Message, { finish, usage = {} }: EndEvent): ModelAnswer => {
    return { whole: true, message, finish, usage: usageOf(usage) ?? {}, held: isHeld ? shown : '' }
  }
  try {
    for await (const event of untilAborted(model(request), request.signal)) {
      if (event.type !== 'end' && event.text !== '') heard()
      if (event.type === 'reasoning') control.emit(event)
      if (event.type === 'text') show(parser.push(event.text))
      if (event.type === 'text' && event.text !== '') streamed = true
      if (event.type !== 'end') continue
      const message = recordableAnswer(event.message)
      if (!streamed) show(parser.push(readMessage(message).text))
      // The cut may be inside a note: the rest is not shown.
      if (event.finish !== 'length' || notes === 'off') show(parser.end())
      return whole(message, event)
    }
    throw new MinutebookError(
      'model_cut',
      'The model stopped without an "end" event, so its answer may be cut off.',
      'Retry the turn.',
    )
  } catch (error) {
    return { whole: false, shown: isHeld ? '' : shown, error }
  }
}

const plain = { push: (text: string): string => text, end: () => '' }

/**
 * Yields the model's events until the signal aborts, even if the model ignores the signal. Leaving the loop closes the
 * model without waiting for it.
 */
async function* untilAborted(
  events: AsyncIterable<ModelEvent>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, void> {
  const source = events[Symbol.asyncIterator]()
  let end = (): void => undefined
  const stop = (): void => end()
  // A new promise for each event: one promise for all would keep every event in memory until the model has ended.
  const next = (): Promise<IteratorResult<ModelEvent>> =>
    new Promise((resolve, reject) => {
      end = () => reject(abortedError())
      source.next().then(resolve, reject)
    })
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (!signal.aborted) {
      const { value, done } = await next()
      if (done) return
      yield value
    }
    throw abortedError()
  } finally {
    signal.removeEventListener('abort', stop)
    leave(source)
  }
}

/** Closes the model's iterator. Errors are ignored: the turn does not use the model any more. */
function leave(source: AsyncIterator<ModelEvent>): void {
  const left = async (): Promise<unknown> => source.return?.()
  left().catch(() => undefined)
}

function abortedError(): MinutebookError {
  return new MinutebookError('model_aborted', 'The turn was cancelled.', '')
}
