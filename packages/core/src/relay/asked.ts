import type { Entry } from '../log/entry.ts'
import { senderKey } from '../record/sender-key.ts'
import { isReceipt, receiptFrom } from '../receipt/receipt.ts'

/** What was asked under an id before. */
export interface Asked {
  readonly question: Entry
  /** The finished answer that it got under this id. */
  readonly answered: Entry | undefined
}

/** Undefined where nothing was. An entry has one id only; where a question was asked again under another, its receipts tell. */
export function askedAs(log: readonly Entry[], id: string): Asked | undefined {
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  const receipts = log.filter((entry) => isReceipt(entry) && receiptFrom(entry).key === id)
  const finished = receipts.findLast((entry) => !cutShort.has(receiptFrom(entry).outcome) && byId.get(entry.parent ?? '')?.kind === 'assistant')
  const question = log.find(({ kind, key, status }) => key === senderKey(id) && questions.has(kind) && status !== 'erased') ?? headOf(receipts.at(-1), byId)
  return question && { question, answered: finished && byId.get(finished.parent ?? '') }
}

function headOf(receipt: Entry | undefined, byId: ReadonlyMap<string, Entry>): Entry | undefined {
  return receipt && byId.get(receiptFrom(receipt).head)
}

const cutShort: ReadonlySet<string> = new Set(['cancelled', 'failed', 'refused'])
/** What may have a client's id: a key on a system entry is one of our own. */
const questions: ReadonlySet<string> = new Set(['user', 'tool', 'assistant'])
