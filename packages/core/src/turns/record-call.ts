import { wasErased, type LiveLog } from '../past/live-log.ts'
import { sideEntry, type Entry, type EntryDraft } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { readMessage, recordable, type Message } from '../log/message.ts'
import { newestTurn } from '../log/next.ts'
import { waitDraft, waitingCalls, waitingRecords, type Gate } from '../log/open-call.ts'
import type { NewRecord } from '../log/store.ts'
import type { Usage } from '../models/model.ts'
import { countWriting } from '../receipts/call-count.ts'
import { isReceipt, receiptFrom, receiptText, type KeptReceipt, type Receipt } from '../receipts/receipt.ts'
import { appendOrThrowFenced } from './fence.ts'
import { isFinal } from './notes.ts'
import { journalDrafts, stopDrafts } from './stop-turn.ts'
import type { TurnConfig } from './turn-run.ts'
import type { StopReason } from './turn.ts'

/** What the receipt of a model call says of what was sent. Known before the model answers. */
export interface CallSent extends Omit<Receipt, 'version' | 'settings' | 'windowSource' | keyof CallEnding | 'tokens'> {
  readonly tokens: Omit<Receipt['tokens'], 'reported'>
}

/** What the receipt of a model call says of how it ended. */
type CallEnding = Pick<Receipt, 'outcome' | 'time' | 'told' | 'truncated'>

/** How a model call ended, and the entries that say so. */
export interface EndedCall extends CallEnding {
  readonly usage: Usage
  /** The answer, whole or partial, with its notes and journal. */
  readonly drafts: readonly EntryDraft[]
  /** What ends its turn. It follows the receipt. */
  readonly closing?: readonly EntryDraft[]
  /** The calls of the answer that wait for a decision. */
  readonly gates?: readonly Gate[]
}

/** Where a model call is recorded, and with what. */
export interface CallPlace {
  /** The entry that the answer follows. */
  readonly head: string | null
  /** The fencing token of the runner. Absent for a proxied request. */
  readonly term?: number
  /** On whose behalf the model was called. Default: the owner of the thread. */
  readonly owner?: string | undefined
  /** The number of its turn on the branch, if it is known. */
  readonly turn?: number
  /** Entries that the receipt refers to. */
  readonly forms?: readonly EntryDraft[]
  /** Further records of the thread. */
  readonly records?: ((entries: readonly Entry[]) => readonly NewRecord[]) | undefined
}

/** The entries of a model call that are recorded now. */
export interface RecordedCall {
  readonly entries: readonly Entry[]
  readonly receipt: KeptReceipt
}

/**
 * What is recorded of a model call, by a turn and for a proxied request alike? The settings, if the branch does not have
 * them yet, the answer with its notes and journal, the receipt, what ends the turn, and which calls wait. One append:
 * after a crash either all of it is recorded or nothing.
 */
export async function recordCall(
  log: LiveLog,
  config: TurnConfig,
  sent: CallSent,
  { usage, drafts, closing = [], gates = [], ...ending }: EndedCall,
  { head, term, owner = config.owner, turn, forms = [], records = () => [] }: CallPlace,
): Promise<RecordedCall> {
  const receipt: Receipt = {
    version: 1,
    settings: config.settingsHash,
    ...(config.windowSource && { windowSource: config.windowSource }),
    ...sent,
    tokens: { ...sent.tokens, reported: usage },
    ...ending,
  }
  const settings = await settingsDrafts(log, head, config)
  const entries = await appendOrThrowFenced(
    log.append(
      [
        ...settings,
        ...forms,
        ...drafts,
        sideEntry('receipt', receiptText(receipt)),
        ...closing,
        ...(gates.length > 0 ? [waitDraft(gates, log.entries)] : []),
      ],
      {
        after: head,
        ...(term !== undefined && { term }),
        ...countWriting({ settings: config.settings, owner, turn }, (made) => {
          const calls = waitingCalls(made)
          return [
            ...(calls.length > 0 ? [...waitingRecords(calls), ...config.waitRecords(calls)] : []),
            ...records(made),
          ]
        }),
      },
    ),
  )
  return { entries, receipt: receiptFrom(entries.find(isReceipt)!) }
}

/** Ends a turn for which no prompt could be made. `turn`: its entries, for the journal. */
export async function recordUnsent(
  log: LiveLog,
  config: TurnConfig,
  stopping: StopReason,
  turn: readonly Entry[],
  { head, term, owner = config.owner }: Pick<CallPlace, 'head' | 'term' | 'owner'>,
): Promise<void> {
  const writing = { ...(term !== undefined && { term }), ...countWriting({ settings: config.settings, owner }) }
  await appendOrThrowFenced(log.append(stopDrafts(log, config, stopping, turn), { after: head, ...writing }))
}

/**
 * The entries of a whole answer that follows `head`, with the journal of its turn if the answer ends it. Undefined if
 * the same answer was erased in this place: then it must not come back.
 */
export async function answerWithJournal(
  log: LiveLog,
  config: TurnConfig,
  head: string | null,
  drafts: readonly EntryDraft[],
): Promise<readonly EntryDraft[] | undefined> {
  if (await wasErased(log, drafts, { after: head })) return undefined
  if (!config.journal || !drafts.some(isFinal)) return drafts
  return [...drafts, ...journalDrafts(newestTurn(await log.line(head)))]
}

/** Returns the answer as it is recorded. Throws if it is not an assistant's message, or cannot be recorded. */
export function recordableAnswer(said: Message): Message {
  const message = recordable(said)
  if (readMessage(message).kind === 'assistant') return message
  throw new MinutebookError(
    'malformed_message',
    'The answer is not an assistant’s message.',
    'End with { role: "assistant" }.',
  )
}

/**
 * The entry of a call's settings, if the branch that ends with `head` does not have it yet. They are recorded on each
 * branch, because a fork copies only one branch.
 */
async function settingsDrafts(
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
