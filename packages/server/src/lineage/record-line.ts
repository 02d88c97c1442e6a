import type { Message } from 'minutebook'
import type { NewRecord } from 'minutebook/store'
import { chainOf, pairAt, questionOf } from './chain.ts'
import { lineRecord } from './directory.ts'
import type { Asked, FoundThread } from './found-thread.ts'
import { lineAt } from './line.ts'

/**
 * What is written with a question, before the model is called: that this was asked, if nothing else would tell on a
 * retry. Nothing for the next turn of a known thread without an id.
 *
 * @example
 * await thread.relay(messages, { records: { question: () => questionLines(asked, found) } })
 */
export function questionLines(asked: Asked, { thread, kind, isWhole, chain }: FoundThread): readonly NewRecord[] {
  const { id, model, now } = asked
  if (kind !== 'new' && id === undefined) return []
  const line = lineAt(chain, chain.texts.length - 1, { thread, model, isWhole })
  return [lineRecord(asked, questionOf(chain, id), line, new Date(now).toISOString())]
}

/**
 * What is written with an answer, whole or in part: from then on, messages that go on from it are found.
 *
 * @example
 * await thread.relay(messages, { records: { ending: ({ answer }) => answerLines(asked, found, answer?.raw) } })
 */
export function answerLines(
  asked: Pick<Asked, 'owner' | 'model'>,
  { thread, isWhole, chain }: FoundThread,
  answer: Message | undefined,
): readonly NewRecord[] {
  if (!answer) return []
  const whole = chainOf([answer], chain)
  const at = whole.answers.at(-1)
  // An answer that was nothing but a note is never sent back.
  if (at === undefined || at < chain.texts.length) return []
  return [lineRecord(asked, pairAt(whole, at), lineAt(whole, at, { thread, model: asked.model, isWhole }))]
}
