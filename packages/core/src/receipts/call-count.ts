import { isWhole } from '../compiler/verdict.ts'
import type { Entry } from '../log/entry.ts'
import type { Figures } from '../log/figures.ts'
import { tokensRead } from '../models/model.ts'
import type { AppendOptions } from '../past/live-log.ts'
import { callRecords } from './call-row.ts'
import { isReceipt, receiptFrom, type CallSettings, type KeptReceipt, type Receipt } from './receipt.ts'
import { recordNames } from '../log/record-names.ts'

/**
 * What does a model call add to the figures of its store? And what was wrong with it? This is written together with the
 * entries of the call: with its receipt, or with the stop entry of a question for which no prompt could be made. An
 * entry without a time adds nothing. `more`: other records that are written with them.
 */
export function countWriting(
  { settings: { model }, owner, turn }: CountedFor,
  more: NonNullable<AppendOptions['records']> = () => [],
): CallWriting {
  let last: { readonly of: readonly Entry[]; readonly counted: Counted } | undefined
  // An append asks for both with the same entries. So the receipt is read once.
  const countedOf = (entries: readonly Entry[]): Counted => {
    if (last?.of !== entries) last = { of: entries, counted: countedIn(entries) }
    return last.counted
  }
  return {
    count: (entries) => {
      const { entry, hour, receipt } = countedOf(entries)
      if (!entry || hour === undefined) return undefined
      const figures = receipt ? figuresOf(receipt) : { unsent: 1 }
      return { entry: entry.id, hour, model: model ?? '', key: owner, figures }
    },
    records: (entries) => {
      const { entry, hour, receipt } = countedOf(entries)
      if (!entry || hour === undefined) return more(entries)
      const rows = receipt ? callRecords(receipt, { model, owner, turn: turn ?? null }) : []
      const reasons = receipt ? problemsIn(receipt) : (['overflow'] as const)
      const value: StoredProblem = { hour, model: model ?? '', owner, entry: entry.id }
      return [...more(entries), ...rows, ...reasons.map((key) => ({ name: recordNames.problem, key, value }))]
    },
  }
}

/** What is written with the entries of a call. */
interface CallWriting {
  readonly records: NonNullable<AppendOptions['records']>
  readonly count: NonNullable<AppendOptions['count']>
}

/** The model that was called, and the name of the key on whose behalf. */
interface CountedFor {
  readonly settings: Pick<CallSettings, 'model'>
  readonly owner: string
  /** The number of the turn on its branch, if it is known. */
  readonly turn?: number | undefined
}

interface Counted {
  readonly entry: Entry | undefined
  readonly hour: number | undefined
  readonly receipt: KeptReceipt | undefined
}

function countedIn(entries: readonly Entry[]): Counted {
  const kept = entries.find(isReceipt)
  const entry = kept ?? entries.find(isUnsent)
  return { entry, hour: hourOf(entry?.time), receipt: kept && receiptFrom(kept) }
}

/** What a receipt adds to the figures. */
export function figuresOf(receipt: Receipt): Partial<Figures> {
  const { outcome, tokens, truncated, verdicts, turn } = receipt
  const { predicted, reused, reported } = tokens
  const { verbatim = 0, clipped = 0, recalled = 0, digested = 0, outlined = 0, omitted = 0 } = verdicts
  const read = tokensRead(reported) ?? 0
  const isCut = truncated === 'yes'
  return {
    calls: 1,
    failed: one(outcome === 'failed'),
    cancelled: one(outcome === 'cancelled'),
    resent: one(outcome === 'refused' || outcome === 'unfit'),
    cutCalls: one(isCut),
    omittedCalls: one(outlined + omitted > 0),
    clippedCalls: one(clipped > 0),
    clippedQuestions: one(isClippedQuestion(turn)),
    sentTokens: predicted,
    reusedTokens: Math.min(reused, predicted),
    readTokens: read,
    cachedTokens: reported.cached ?? 0,
    cutTokens: isCut ? Math.max(0, predicted - read) : 0,
    answerTokens: reported.completion ?? 0,
    verbatim,
    clipped,
    recalled,
    digested,
    outlined,
    omitted,
  }
}

/**
 * What can go wrong in a call, the worst first: the server cut the prompt; no prompt fits the window; the call failed; the question was not sent whole; a part of its turn was left out or clipped;
 * the answer was cut off.
 */
export const problemReasons = ['cut', 'overflow', 'failed', 'question', 'turn', 'partial'] as const
/** What went wrong in a call. See `problemReasons`. */
export type ProblemReason = (typeof problemReasons)[number]

/** The value of that record: the newest call of the thread with this problem. */
export interface StoredProblem {
  readonly hour: number
  readonly model: string
  readonly owner: string
  /** The id of the receipt. Of a question that was not sent: of the stop entry. */
  readonly entry: string
}

/** What went wrong in a call, the worst first. */
export function problemsIn({ outcome, truncated, turn }: Receipt): readonly ProblemReason[] {
  const isQuestion = isClippedQuestion(turn)
  const found: Readonly<Record<ProblemReason, boolean>> = {
    cut: truncated === 'yes',
    overflow: false,
    failed: outcome === 'failed',
    question: isQuestion,
    turn: turn !== undefined && !isQuestion,
    partial: outcome === 'length',
  }
  return problemReasons.filter((reason) => found[reason])
}

/** True for the stop entry of a question that never reached a model, if it is not appended with a receipt. */
function isUnsent({ kind, status, text }: Entry): boolean {
  if (kind !== 'stop' || status === 'erased') return false
  const { code } = JSON.parse(text) as { readonly code?: unknown }
  return code === 'window_overflow' || code === 'context_overflow'
}

function isClippedQuestion(turn: Receipt['turn']): boolean {
  return turn !== undefined && !isWhole(turn.question)
}

function hourOf(time: string | undefined): number | undefined {
  const hour = Math.floor(Date.parse(time ?? '') / 3_600_000)
  return hour >= 0 ? hour : undefined
}

function one(is: boolean): number {
  return is ? 1 : 0
}
