import type { Entry } from '../log/entry.ts'
import { branchOf } from '../log/history.ts'
import { traits } from '../log/kind.ts'
import { ends } from '../record/head.ts'
import { isReceipt, isTaken, receiptFrom, type Receipt } from '../receipt/receipt.ts'
import type { TurnResult } from './turn.ts'

/** The turn that a user entry began, on the branch where it was last answered, stopped or asked for again. */
export function turnOf<E extends Entry>(log: readonly E[], asked: Entry): readonly E[] {
  const following = new Set([asked.id])
  let head = asked.id
  for (const { id, parent, kind } of log) {
    if (parent === null || !following.has(parent)) continue
    if (traits[kind].chained) following.add(id)
    if (traits[kind].chained || ends.has(kind)) head = traits[kind].chained ? id : parent
  }
  const branch = branchOf(log, head, asked.parent)
  const turn = branch.slice(branch.findIndex(({ id }) => id === asked.id))
  const end = turn.findIndex(({ kind }, index) => index > 0 && traits[kind].opensExchange)
  return end < 0 ? turn : turn.slice(0, end)
}

/** What the log says about a turn that is over: the same right after it and years later. */
export function resultOf(turn: readonly Entry[]): TurnResult {
  const answer = turn.findLast(({ kind, calls }) => kind === 'assistant' && calls.length === 0)
  const [asked] = turn
  const base = { text: answer?.text ?? '', turn: asked && traits[asked.kind].opensExchange ? asked.id : null, answer: answer?.id ?? null }
  const end = turn.filter((entry) => entry.kind === 'assistant' || (ends.has(entry.kind) && !isRefused(entry))).toSorted((left, right) => left.seq - right.seq).at(-1)
  if (end && isReceipt(end)) return { ...base, status: statuses[receiptFrom(end).outcome] ?? 'complete' }
  if (end?.kind !== 'stop') return { ...base, status: statusOf(answer) }
  const { code, reason } = stopOf(end)
  return { ...base, status: statusOf(end), reason: { code, message: reason } }
}

/** A call that was refused is no end: the question was to be sent again. */
function isRefused(entry: Entry): boolean {
  return isReceipt(entry) && !isTaken(entry)
}

/** Where the outcome of the last model call is another word than complete. */
const statuses: Readonly<Partial<Record<Receipt['outcome'], TurnResult['status']>>> = { length: 'partial', cancelled: 'cancelled', failed: 'failed' }

/** What a stop entry says. */
function stopOf({ text, status }: Entry): { readonly code: string; readonly reason: string } {
  return status === 'erased' ? { code: 'erased', reason: '' } : (JSON.parse(text) as { code: string; reason: string })
}

function statusOf(end: Entry | undefined): TurnResult['status'] {
  return end === undefined || end.status === 'erased' ? 'complete' : end.status
}
