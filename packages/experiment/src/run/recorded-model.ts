import {
  MinutebookError,
  type Entry,
  type Finish,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type Store,
  type Usage,
} from 'minutebook'
import { finishOf, receiptsOf, requestHash } from 'minutebook/inspect'

/** A recorded answer, and its prompt. */
export interface RecordedAnswer {
  /** Of the prompt. */
  readonly hash: string
  readonly message: Message
  readonly finish: Finish
  readonly usage: Usage
}

/**
 * A model that repeats the answers of another thread: the same answer to the same prompt, and no answer to any other,
 * so that a difference is noticed. A prompt that came twice is answered in the order of the record.
 */
export function recordedModel(
  live: Model,
  store: Store,
  { from, into }: { readonly from: string; readonly into: string },
): Model {
  const answer = async function* ({ messages, tools }: ModelRequest): AsyncGenerator<ModelEvent> {
    const hash = requestHash(messages, tools)
    const [answers, given] = await Promise.all([store.read(from), store.read(into)])
    const before = answersIn(given).filter((known) => known.hash === hash).length
    const found = answersIn(answers).filter((known) => known.hash === hash)[before]
    if (!found)
      throw new MinutebookError(
        'not_recorded',
        `There is no recorded answer to this prompt in "${from}": something before it has changed.`,
        'Compare the runs to see where they part.',
        { hash, thread: from },
      )
    if (typeof found.message.content === 'string' && found.message.content !== '')
      yield { type: 'text', text: found.message.content }
    yield { type: 'end', message: found.message, finish: found.finish, usage: found.usage }
  }
  return Object.assign(answer, {
    ...(live.model !== undefined && { model: live.model }),
    ...(live.wire !== undefined && { wire: live.wire }),
    ...(live.facts && { facts: live.facts }),
  })
}

/** The answers of a thread, in order. */
export function answersIn(entries: readonly Entry[]): readonly RecordedAnswer[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return receiptsOf(entries).flatMap((receipt): RecordedAnswer[] => {
    const answer = byId.get(byId.get(receipt.id)?.parent ?? '')
    const finish = finishOf(receipt)
    if (answer?.kind !== 'assistant' || answer.status === 'erased' || !finish) return []
    return [{ hash: receipt.hash, message: answer.raw, finish, usage: receipt.tokens.reported }]
  })
}
