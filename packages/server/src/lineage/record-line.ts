import type { Message } from 'minutebook'
import { chainOf, pairAt, questionOf } from './chain.ts'
import { record } from './directory.ts'
import type { Asked, FoundThread } from './found-thread.ts'
import { lineAt } from './line.ts'

/**
 * To be called before the model is: puts on record that this was asked, where nothing else would tell on a retry. Writes
 * nothing for the next turn of a known thread without an id.
 *
 * @example
 * await Promise.all([recordQuestion(asked, found), relay(found.thread)])
 */
export async function recordQuestion(asked: Asked, { thread, kind, isWhole, chain }: FoundThread): Promise<void> {
  const { id, model, now } = asked
  if (kind !== 'new' && id === undefined) return
  const line = lineAt(chain, chain.texts.length - 1, { thread, model, isWhole })
  await record(asked, questionOf(chain, id), line, new Date(now).toISOString())
}

/**
 * To be called when an answer is on record, whole or in part: from then on, messages that go on from it are found. One
 * append; the same answer again changes nothing.
 *
 * @example
 * const { answer } = await relay.answer(end)
 * if (answer) await recordAnswer(asked, found, answer.raw)
 */
export async function recordAnswer(asked: Pick<Asked, 'store' | 'owner' | 'model'>, { thread, isWhole, chain }: FoundThread, answer: Message): Promise<void> {
  const whole = chainOf([answer], chain)
  const at = whole.answers.at(-1)
  // An answer that was nothing but a note is never sent back.
  if (at === undefined || at < chain.texts.length) return
  await record(asked, pairAt(whole, at), lineAt(whole, at, { thread, model: asked.model, isWhole }))
}
