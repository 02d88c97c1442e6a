import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { Message } from '../log/message.ts'
import type { ContextOverflow } from '../models/overflow.ts'
import { sentOf, type Prediction } from '../receipt/prediction.ts'
import type { Path, Receipt } from '../receipt/receipt.ts'
import type { Draft } from '../record/draft.ts'
import { partialDrafts } from '../turn/answer.ts'
import { failureReason } from '../turn/call-model.ts'
import { fittingFor, type Fitting } from '../turn/fitting.ts'
import { stopDrafts } from '../turn/stop.ts'
import type { Stopping } from '../turn/stopping.ts'
import type { Usage } from '../wire/model.ts'
import type { EndEvent } from '../wire/reply.ts'
import { callFor, type Relaying } from './call.ts'
import { placeRelayed, type Placed, type Taking } from './place.ts'
import { recordRelay, relayedDrafts, type Relayed } from './record.ts'
import { tripwire, type UpstreamFacts } from '../truncation/tripwire.ts'
import type { Reading } from '../truncation/truncation.ts'

/** How a client's request is taken. */
export interface RelayOptions extends Taking {
  /** The tools that go with the request, as they came: the client runs them. */
  readonly tools?: readonly unknown[] | undefined
  /** Send the messages as they came, whatever they come to: whoever relays knows that there is room. Default: only if they fit. */
  readonly asItCame?: boolean | undefined
}

/**
 * A model call that a client asks for with its whole history, and whose tools it runs itself. Its messages are on record;
 * the call is for whoever relays to make.
 */
export interface Relay {
  /** What is answered: the entry that the last message is. */
  readonly question: Entry
  readonly path: Path
  /** What is to be sent: the very messages that came, or a prompt in the shape of the model's protocol. */
  readonly messages: readonly Message[]
  readonly prediction: Prediction
  /** How many messages of the branch are not in the prompt in full: clipped, digested, outlined or omitted. 0 if they go as they came. */
  readonly notWhole: number
  /** Tokens of the prompt that stood at the beginning of the one sent before. Worked out when it is asked for. */
  reused(): Promise<number>
  /** About how much of the thread is held in memory. */
  readonly held: { readonly characters: number; readonly entries: number }
  /** Under the same id there is a finished answer: it can be given again without a call. */
  readonly answered?: Entry
  /** Records the answer. `upstream`: what is known of whoever gave it, for the tripwire. */
  answer(end: EndEvent, upstream?: UpstreamFacts): Promise<Relayed>
  /** Records that there was no whole answer. `shown`: as much of it as the client has got. */
  stop(how: 'cancelled' | 'failed', shown: string, code?: string): Promise<Relayed>
  /**
   * Records that the server refused this prompt as longer than its window, and returns the same question, fitted into the window
   * that it told. Throws `context_overflow` if nothing would fit.
   */
  refit(told: ContextOverflow, fitting: Pick<Fitting, 'window' | 'reserve'>): Promise<Relay>
}

/** Puts a client's messages on record and decides what is sent. Throws `context_overflow` where nothing would fit. */
export async function relay(relaying: Relaying, messages: readonly Message[], options: RelayOptions): Promise<Relay> {
  if (messages.length === 0) throw new MinutebookError('nothing_to_answer', 'There is nothing to answer; relay at least one message.')
  return relayPlaced(relaying, messages, await placeRelayed(relaying.log, messages, options, relaying.system), options)
}

async function relayPlaced(relaying: Relaying, messages: readonly Message[], placed: Placed, options: RelayOptions): Promise<Relay> {
  const { log, manner } = relaying
  const call = await callFor(relaying, messages, placed, options)
  const { prediction } = call
  const { id: head } = placed.head
  let isOver = false
  let reading: Pick<Reading, 'truncated'> | undefined
  const record = async (drafts: readonly Draft[], ending: Ending): Promise<Relayed> => {
    if (isOver) throw new MinutebookError('relay_over', 'What came of this relay is on record; relay the messages again for another answer.')
    isOver = true
    try {
      const receipt = receiptOf(await call.receipt(), prediction, await call.reused(), ending, options.id)
      const relayed = await recordRelay(log, manner, { head, forms: call.forms, drafts, receipt, closing: ending.closing ?? [], ...(options.records?.ending && ending.outcome !== 'refused' && { records: (ended) => options.records?.ending?.(ended) ?? [] }) })
      call.recorded?.(relayed.receipt)
      return relayed
    } catch (error) {
      // Where the store could not be reached, it may be tried again: what was written after all is written once.
      isOver = false
      throw error
    }
  }
  return {
    question: placed.question,
    path: call.path,
    messages: call.messages,
    prediction,
    notWhole: call.notWhole,
    reused: call.reused,
    held: { characters: log.size, entries: log.length },
    ...(placed.answered && { answered: placed.answered }),
    answer: async (end, upstream) => {
      const { usage = {}, finish: outcome } = end
      const reused = await call.reused()
      const alone = tripwire({ ...prediction, reused, usage, upstream, isExact: !relaying.isEstimated })
      // Once, also if the answer is recorded at the second try.
      reading ??= upstream?.note?.({ ...sentOf(prediction, reused), usage, alone }) ?? { truncated: alone }
      return record(relayedDrafts(log, manner, head, end), { outcome, usage, truncated: reading.truncated })
    },
    stop: async (how, shown, code = how) => {
      const closing = stopDrafts(log, manner, stoppingOf(how, code), log.branch(head))
      return record(partialDrafts(shown, how), { outcome: how, usage: {}, truncated: 'unknown', closing })
    },
    refit: async (told, fitting) => {
      await record([], { outcome: 'refused', usage: {}, truncated: 'unknown', told })
      return relayPlaced(relaying.refitted(fittingFor(fitting, told, prediction.predicted)), messages, placed, options)
    },
  }
}

/** How a call ended. */
interface Ending extends Required<Pick<Receipt, 'outcome' | 'truncated'>> {
  readonly usage: Usage
  readonly told?: ContextOverflow
  /** What stands behind the receipt. */
  readonly closing?: readonly Draft[]
}

function receiptOf(sent: Omit<Receipt, 'outcome' | 'tokens'>, { predicted, uncalibrated, low, high }: Prediction, reused: number, { outcome, truncated, usage, told }: Ending, key: string | undefined): Receipt {
  const interval = low === undefined || high === undefined ? {} : { low, high }
  const tokens = { predicted, reused, reported: usage, ...interval, ...(uncalibrated !== predicted && { uncalibrated }) }
  return { ...sent, tokens, outcome, truncated, ...(told && { told }), ...(key !== undefined && { key }) }
}

function stoppingOf(status: 'cancelled' | 'failed', code: string): Stopping {
  return { status, code, reason: status === 'failed' ? failureReason(code) : 'The client went away before the answer was whole.' }
}
