import { MinutebookError } from '../log/error.ts'
import type { Entry } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import type { Store } from '../log/store.ts'
import { requestHash } from '../receipts/prompt.ts'
import { receiptsOf } from '../receipts/receipt.ts'
import type { Finish, Model, ModelEvent, ModelRequest, Usage } from '../models/model.ts'

/** An answer that is on record, and the prompt that it was given to. */
export interface RecordedAnswer {
  /** Of the prompt. */
  readonly hash: string
  readonly message: Message
  readonly finish: Finish
  readonly usage: Usage
}

/**
 * A model that gives the answers of another thread again: to the same prompt the same answer, and to any other none, so that what
 * is not the same cannot go unnoticed. The same prompt that came twice is answered in the order of the record.
 */
export function recordedModel(live: Model, store: Store, { from, into }: { readonly from: string; readonly into: string }): Model {
  const answer = async function* ({ messages, tools }: ModelRequest): AsyncGenerator<ModelEvent> {
    const hash = requestHash(messages, tools)
    const [answers, given] = await Promise.all([store.read(from), store.read(into)])
    const before = answersIn(given).filter((known) => known.hash === hash).length
    const found = answersIn(answers).filter((known) => known.hash === hash)[before]
    if (!found) throw new MinutebookError('not_recorded', `No answer to this prompt is on record in "${from}": something before it is not as it was. Compare the runs to see where they part.`, { hash, thread: from })
    if (typeof found.message.content === 'string' && found.message.content !== '') yield { type: 'text', text: found.message.content }
    yield { type: 'end', message: found.message, finish: found.finish, usage: found.usage }
  }
  return Object.assign(answer, { ...(live.model !== undefined && { model: live.model }), ...(live.wire !== undefined && { wire: live.wire }), ...(live.facts && { facts: live.facts }) })
}

/** The answers of a thread, in order. */
export function answersIn(entries: readonly Entry[]): readonly RecordedAnswer[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return receiptsOf(entries).flatMap((receipt): RecordedAnswer[] => {
    const answer = byId.get(byId.get(receipt.id)?.parent ?? '')
    if (answer?.kind !== 'assistant' || answer.status === 'erased' || receipt.outcome === 'failed' || receipt.outcome === 'cancelled' || receipt.outcome === 'refused') return []
    return [{ hash: receipt.hash, message: answer.raw, finish: receipt.outcome, usage: receipt.tokens.reported }]
  })
}
