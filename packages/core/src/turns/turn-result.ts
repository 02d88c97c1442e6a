import { turnEndKinds } from '../log/log.ts'
import type { Entry } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import { nextStep, stopOf } from '../log/next.ts'
import { waitingCalls } from '../log/open-call.ts'
import { isReceipt, receiptFrom, type Receipt } from '../receipts/receipt.ts'
import { answerValue } from './output.ts'
import type { TurnResult } from './turn.ts'

/**
 * How did a turn end? Derives the result from its entries, so it is the same right after the turn and years later.
 */
export function resultOf(turn: readonly Entry[]): TurnResult {
  const answer = turn.findLast(({ kind, calls }) => kind === 'assistant' && calls.length === 0)
  const [asked] = turn
  const base = {
    text: answer?.text ?? '',
    turn: asked && traits[asked.kind].opensExchange ? asked.id : null,
    answer: answer?.id ?? null,
    ...(answer && outputIn(turn, answer)),
  }
  const waiting = nextStep(turn)?.do === 'wait' ? waitingCalls(turn) : []
  if (waiting.length > 0) return { ...base, status: 'waiting', waiting }
  const end = turn
    .filter((entry) => entry.kind === 'assistant' || (turnEndKinds.has(entry.kind) && !isAskedAgain(entry)))
    .toSorted((left, right) => left.seq - right.seq)
    .at(-1)
  if (end && isReceipt(end)) return { ...base, status: statuses[receiptFrom(end).outcome] ?? 'complete' }
  if (end?.kind !== 'stop') return { ...base, status: statusOf(answer) }
  const { code, reason, fix } = stopOf(end)
  return { ...base, status: statusOf(end), reason: { code, message: reason, ...(fix !== undefined && { fix }) } }
}

/** True for a model call that does not end a turn: the question is sent again in a shorter prompt, or with a schema. */
function isAskedAgain(entry: Entry): boolean {
  return isReceipt(entry) && ['refused', 'unfit'].includes(receiptFrom(entry).outcome)
}

/** The value of an answer whose model call, or the calls before it, asked for a form. */
function outputIn(turn: readonly Entry[], answer: Entry): Pick<TurnResult, 'output'> {
  const receipt = turn.find((entry) => entry.parent === answer.id && isReceipt(entry))
  const output = receipt && receiptFrom(receipt).options?.output && answerValue(answer.text)
  return output === undefined ? {} : { output }
}

/** The outcomes of the last model call that make a turn anything but complete. */
const statuses: Readonly<Partial<Record<Receipt['outcome'], TurnResult['status']>>> = {
  length: 'partial',
  cancelled: 'cancelled',
  failed: 'failed',
}

function statusOf(end: Entry | undefined): TurnResult['status'] {
  return end === undefined || end.status === 'erased' ? 'complete' : end.status
}
