import { sideEntry, type Entry, type EntryDraft } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { wasErased, type LiveLog } from '../past/live-log.ts'
import { readMessage, recordable, type Message } from '../log/message.ts'
import { newestTurn } from '../log/next.ts'
import type { Usage } from '../models/model.ts'
import type { ContextOverflow } from '../models/server-window.ts'
import type { EndEvent } from '../models/wire.ts'
import type { CacheUsage } from '../receipts/cache.ts'
import { countWriting } from '../receipts/call-count.ts'
import { isReceipt, receiptFrom, receiptText, type KeptReceipt, type Receipt } from '../receipts/receipt.ts'
import type { Prediction } from '../tokens/prediction.ts'
import { isFinal, noteDrafts, takeNotes, takeNotesOfCut } from '../turns/notes.ts'
import { settingsDrafts } from '../turns/call-model.ts'
import { appendOrThrowFenced } from '../turns/fence.ts'
import { failureReason, journalDrafts } from '../turns/stop-turn.ts'
import type { TurnConfig } from '../turns/turn-run.ts'
import type { StopReason } from '../turns/turn.ts'
import type { RelayRecords } from './place-request.ts'

/** What is recorded of a relay? How its model call ended. */
export interface RelayOutcome extends Required<Pick<Receipt, 'outcome' | 'truncated'>>, Pick<Receipt, 'time'> {
  readonly usage: Usage
  readonly told?: ContextOverflow
  /** Entries that follow the receipt. */
  readonly closing?: readonly EntryDraft[]
}

/** The receipt of a relay. */
export function receiptOf(
  sent: Omit<Receipt, 'outcome' | 'tokens'>,
  { predicted, uncalibrated, low, high }: Prediction,
  reused: number,
  { outcome, truncated, usage, told, time }: RelayOutcome,
  key: string | undefined,
): Receipt {
  const interval = low === undefined || high === undefined ? {} : { low, high }
  const tokens = {
    predicted,
    reused,
    reported: usage,
    ...interval,
    ...(uncalibrated !== predicted && { uncalibrated }),
  }
  return {
    ...sent,
    tokens,
    ...(time && { time }),
    outcome,
    truncated,
    ...(told && { told }),
    ...(key !== undefined && { key }),
  }
}

/** Why a turn stops with a relay that has no whole answer. */
export function stoppingOf(status: 'cancelled' | 'failed', code: string): StopReason {
  const told =
    status === 'failed' ? failureReason(code) : { reason: 'The client went away before the answer was whole.' }
  return { status, code, ...told }
}

/** What a relay recorded. */
export interface RelayResult {
  readonly receipt: KeptReceipt
  /** The answer, whole or partial. Undefined if there was no text, or if the same answer was erased in this place. */
  readonly answer: Entry | undefined
  /** What the server could take from its cache. Undefined if the previous prompt cannot be derived any more. */
  readonly cache: CacheUsage | undefined
}

/** What is recorded of a call, in one append after the entry that it answers. */
export interface RelayDraft {
  readonly head: string
  readonly forms: readonly EntryDraft[]
  readonly drafts: readonly EntryDraft[]
  readonly receipt: Receipt
  readonly closing?: readonly EntryDraft[]
  readonly records?: RelayRecords['ending']
  /** On whose behalf. */
  readonly owner: string
  /** The number of its turn on its branch. */
  readonly turn: number
}

export async function recordRelay(
  log: LiveLog,
  config: TurnConfig,
  { head, forms, drafts, receipt, closing = [], records, owner, turn }: RelayDraft,
): Promise<Omit<RelayResult, 'cache'>> {
  const settings = await settingsDrafts(log, head, config)
  const entries = await appendOrThrowFenced(
    log.append([...settings, ...forms, ...drafts, sideEntry('receipt', receiptText(receipt)), ...closing], {
      after: head,
      ...countWriting({ settings: config.settings, owner, turn }, (made) => {
        const answer = made.find(isAnswer)
        return records?.({ at: answer?.id ?? head, answer }) ?? []
      }),
    }),
  )
  return { receipt: receiptFrom(entries.find(isReceipt)!), answer: entries.find(isAnswer) }
}

function isAnswer({ kind }: Entry): boolean {
  return kind === 'assistant'
}

/** The entries of the answer as the client got it, and of its notes. Calls stay open: the client runs them. */
export async function relayedDrafts(
  log: LiveLog,
  config: TurnConfig,
  head: string,
  { message: said, finish }: EndEvent,
): Promise<EntryDraft[]> {
  const taken =
    config.notes === 'off'
      ? { message: said, notes: [], earlier: [] }
      : finish === 'length'
        ? takeNotesOfCut(said, config.notes)
        : takeNotes(said, config.notes)
  const answer: EntryDraft = {
    message: answerOf(taken.message),
    facts: { status: finish === 'length' ? 'partial' : 'complete' },
  }
  if (await wasErased(log, [answer], { after: head })) return []
  const journal = config.journal && isFinal(answer) ? journalDrafts(newestTurn(await log.line(head))) : []
  return [answer, ...noteDrafts(taken), ...journal]
}

/** Returns the answer as it is recorded. Throws if it is not an assistant's message. */
function answerOf(said: Message): Message {
  const message = recordable(said)
  if (readMessage(message).kind === 'assistant') return message
  throw new MinutebookError(
    'malformed_message',
    'The answer is not an assistant’s message.',
    'Pass an end with { role: "assistant" }.',
  )
}
