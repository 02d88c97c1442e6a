import { isOwnText, type Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { canonicalJson } from '../log/json.ts'
import type { LiveLog } from '../past/live-log.ts'
import type { Message } from '../log/message.ts'
import { newestTurn } from '../log/next.ts'
import { createStopwatch, inSlices } from '../log/time.ts'
import type { ToolSchema } from '../models/model.ts'
import type { ContextOverflow } from '../models/server-window.ts'
import type { EndEvent } from '../models/wire.ts'
import { entryOfReference, finderIn, type Reference } from '../receipts/message-reference.ts'
import type { KeptReceipt, RelayMode } from '../receipts/receipt.ts'
import { findTruncation, type TruncationFinding, type UpstreamFacts } from '../receipts/truncation.ts'
import { estimator } from '../tokens/estimator.ts'
import { createMeter, sentOf, type Prediction } from '../tokens/prediction.ts'
import type { TokenCounter } from '../tokens/tokens.ts'
import { proxiedAnswerDrafts } from '../turns/notes.ts'
import { answerWithJournal, recordableAnswer, recordCall, type EndedCall } from '../turns/record-call.ts'
import { idTakenError } from '../turns/send.ts'
import { failureReason, partialDrafts, stopDrafts } from '../turns/stop-turn.ts'
import type { StopReason } from '../turns/turn.ts'
import { fittingFor, recounting, type TurnConfig, type WindowOptions } from '../turns/turn-run.ts'
import { placeRelayed, type PlacedRequest } from './place-request.ts'
import { createEarlier, type PreviousCall } from './previous-call.ts'
import { callFor, type RelayCall, type RelayContext, type RelayOptions } from './relay-call.ts'
import { sortTools } from './stabilise.ts'

/**
 * A model call for a client that sends its whole history and runs its own tools. Its messages are recorded. The caller
 * of `relay` calls the model, then `answer` or `stop`.
 */
export interface Relay {
  /** The entry of the last message, which is answered. */
  readonly question: Entry
  /** Whether the messages are sent unchanged, or a prompt is sent instead. */
  readonly mode: RelayMode
  /** What to send: the client's own messages, or a prompt in the shape of the model's protocol. */
  readonly messages: readonly Message[]
  /** The tools in the order in which to send them. Absent: as they came. */
  readonly tools?: readonly unknown[]
  readonly prediction: Prediction
  /**
   * The number of messages of the branch that are not in the prompt in full: clipped, digested, outlined or omitted. 0
   * if the client's messages are sent unchanged.
   */
  readonly notWhole: number
  /**
   * Returns the previous call of the thread, and what this one changes in its prompt: what a server can take from its
   * cache depends on that. Computed on demand, and only once. Undefined if the previous prompt cannot be derived any
   * more.
   */
  previous(): Promise<PreviousCall | undefined>
  /** The approximate size of the part of the thread that is in memory. */
  readonly held: { readonly characters: number; readonly entries: number }
  /** A finished answer under the same id. It can be returned again without a model call. */
  readonly answered?: Entry
  /** Call it when the model is called. The receipt has the time. Default: the model is called at once. */
  called(): void
  /** Call it when text of the answer or of its reasoning comes. The receipt has the time of the first. */
  heard(): void
  /** Records the answer. `upstream`: what is known of the server that gave it, to detect truncation. */
  answer(end: EndEvent, upstream?: UpstreamFacts): Promise<RelayResult>
  /** Records that there was no whole answer. `shown`: the text that the client has received. */
  stop(how: 'cancelled' | 'failed', shown: string, code?: string): Promise<RelayResult>
  /**
   * Records that the server refused this prompt as longer than its window. Returns a relay of the same question that
   * fits the window it named. Throws `context_overflow` if nothing would fit.
   */
  refit(told: ContextOverflow, fitting: Pick<WindowOptions, 'window' | 'reserve'>): Promise<Relay>
}

/** What a relay recorded. */
export interface RelayResult {
  readonly receipt: KeptReceipt
  /** The answer, whole or partial. Undefined if there was no text, or if the same answer was erased in this place. */
  readonly answer: Entry | undefined
}

/** Records a client's messages and decides what is sent. Throws `context_overflow` if nothing would fit. */
async function relay(relaying: RelayContext, messages: readonly Message[], options: RelayOptions): Promise<Relay> {
  if (messages.length === 0)
    throw new MinutebookError('nothing_to_answer', 'There is nothing to answer.', 'Relay at least one message.')
  const { log, system } = relaying
  const placed = await placeRelayed(log, messages, options, system)
  // What is sent is decided while the disk works. No model may be called before the question is recorded.
  const [decided] = await Promise.all([relayPlaced(relaying, messages, placed, options), placed.recorded])
  return decided
}

async function relayPlaced(
  relaying: RelayContext,
  messages: readonly Message[],
  placed: PlacedRequest,
  options: RelayOptions,
): Promise<Relay> {
  const { log } = relaying
  const call = await callFor(relaying, messages, placed, options)
  const isOfRequest = options.onlySent === true || (options.continues !== undefined && call.references !== undefined)
  if (placed.receipt && isOfRequest && !(await isSameRequest(relaying, placed.receipt, call))) throw idTakenError()
  const { config, prediction } = call
  const { id: head } = placed.head
  const watch = createStopwatch(config.clock)
  let isOver = false
  let finding: TruncationFinding | undefined
  const record = async (ending: () => Promise<EndedCall>): Promise<RelayResult> => {
    if (isOver)
      throw new MinutebookError('relay_over', 'The end of this relay is recorded already.', 'Relay the messages again.')
    isOver = true
    const time = watch.stop()
    try {
      const sent = await call.sent()
      const ended = await ending()
      const isNoted = ended.outcome !== 'refused'
      const { entries, receipt } = await recordCall(
        log,
        config,
        sent,
        { ...ended, ...(time && { time }) },
        {
          head,
          forms: call.forms,
          owner: options.owner,
          turn: call.turn,
          records: (made) => {
            const answer = made.find(isAnswer)
            return (isNoted && options.records?.ending?.({ at: answer?.id ?? head, answer })) || []
          },
        },
      )
      await call.recorded(receipt)
      return { receipt, answer: entries.find(isAnswer) }
    } catch (error) {
      // If the store could not be reached, the caller may try again: what was written after all is not written twice.
      isOver = false
      throw error
    }
  }
  return {
    question: placed.question,
    mode: call.mode,
    messages: call.messages,
    ...(relaying.stabilised.includes('tools') && { tools: config.settings.tools }),
    prediction,
    notWhole: call.notWhole,
    previous: call.previous,
    held: { characters: log.size, entries: log.length },
    ...(placed.answered && { answered: placed.answered }),
    called: () => watch.start(),
    heard: () => watch.heard(),
    answer: async (end, upstream) => {
      watch.stop()
      const { usage = {}, finish: outcome } = end
      const reused = await call.reused()
      const alone = findTruncation({ ...prediction, reused, usage, upstream, isExact: !relaying.isEstimated })
      // Once for each relay, even if the answer is recorded at the second attempt.
      finding ??= upstream?.onUsage?.({ ...sentOf(prediction, reused), usage, alone }) ?? alone
      const truncated = finding
      return record(async () => {
        const answer = proxiedAnswerDrafts(recordableAnswer(end.message), outcome, config.notes)
        const drafts = (await answerWithJournal(log, config, head, answer)) ?? []
        return { drafts, outcome, usage, truncated }
      })
    },
    stop: async (how, shown, code = how) => {
      const drafts = partialDrafts(shown, how)
      return record(async () => {
        const closing = stopDrafts(log, config, stopReason(how, code), newestTurn(await log.line(head)))
        return { drafts, outcome: how, usage: {}, truncated: 'unknown', closing }
      })
    },
    refit: async (told, fitting) => {
      await record(async () => ({ drafts: [], outcome: 'refused', usage: {}, truncated: 'unknown', told }))
      return relayPlaced(relaying.refitted(fittingFor(fitting, told, prediction.predicted)), messages, placed, options)
    },
  }
}

function isAnswer({ kind }: Entry): boolean {
  return kind === 'assistant'
}

/** Why a turn stops whose proxied call has no whole answer. */
function stopReason(status: 'cancelled' | 'failed', code: string): StopReason {
  const told =
    status === 'failed' ? failureReason(code) : { reason: 'The client went away before the answer was whole.' }
  return { status, code, ...told }
}

/**
 * True if a recorded call was asked what this one is, under the same system text: an id alone does not say so, because
 * several users may share it.
 */
async function isSameRequest(
  { log, find, earlier, system = '' }: RelayContext,
  receipt: KeptReceipt,
  { references = [] }: Pick<RelayCall, 'references'>,
): Promise<boolean> {
  const entriesOf = (sent: readonly Reference[]): readonly Entry[] =>
    sent.flatMap((reference) => find()(entryOfReference(reference, find()) ?? '') ?? [])
  const recorded = entriesOf((await inSlices(earlier.references(receipt), log.pause)) ?? [])
  const before = recorded.filter((entry) => !isOwnText(entry))
  const now = entriesOf(references).filter((entry) => !isOwnText(entry))
  const isAsked = before.length === now.length && before.every(({ id }, index) => id === now[index]?.id)
  return isAsked && (recorded.find(isOwnText)?.text ?? '') === system
}

/** What a thread passes to its relays. */
export interface RelayerParts {
  /** Opens a separate log, because turns move the head of theirs. */
  readonly log: () => LiveLog
  /** Throws if there is no model. */
  readonly config: (tools: readonly ToolSchema[], fitting?: WindowOptions) => TurnConfig
  readonly counter: TokenCounter | undefined
  readonly system: string | undefined
}

/**
 * Creates the `relay` function of a thread. Its calls share what was read and counted, and may run at the same time.
 */
export function createRelayer(
  parts: RelayerParts,
): (messages: readonly Message[], options?: RelayOptions) => Promise<Relay> {
  const { counter = estimator, system } = parts
  let known: Pick<RelayContext, 'log' | 'find' | 'meter' | 'earlier'> | undefined
  let last: { readonly text: string; readonly config: TurnConfig } | undefined
  let refit: (Pick<RelayContext, 'config' | 'meter'> & { readonly key: string }) | undefined
  return async (messages, options = {}) => {
    // Only the JSON of a client's tools is used, so their type does not matter.
    const given = (options.tools ?? []) as readonly ToolSchema[]
    const { value: tools, stabilised } = sortTools(given, options.stabilise)
    const text = canonicalJson(tools)
    if (last?.text !== text) last = { text, config: parts.config(tools) }
    const { config } = last
    if (!known) {
      const log = parts.log()
      const find = finderIn(log)
      known = {
        log,
        find,
        meter: createMeter(counter),
        earlier: createEarlier(log, find),
      }
    }
    const { log, find, earlier } = known
    await log.sync({ settings: config.settingsHash, history: true, catchUp: config.prompter.catchUp(log) })
    const isEstimated = counter.scales !== undefined
    const refitted = (fitting: WindowOptions): RelayContext => {
      const key = canonicalJson([text, fitting])
      // What a config has compiled is of use for the next call that needs the same one.
      if (refit?.key !== key)
        refit = {
          key,
          config: parts.config(tools, fitting),
          meter: createMeter(recounting(fitting, counter)),
        }
      const { meter, config: other } = refit
      return { log, find, earlier, stabilised, system, isEstimated, refitted, config: other, meter }
    }
    return relay({ ...known, config, stabilised, system, isEstimated, refitted }, messages, options)
  }
}
