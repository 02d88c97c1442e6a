import { hash } from 'node:crypto'
import type { Message } from 'minutebook'
import { normalForms } from './normal-form.ts'

/** A conversation as texts: whoever has the same ones said the same. System messages are not part of it. */
export interface Chain {
  /** Each message in its normal form, as JSON. */
  readonly texts: readonly string[]
  /** The places of the assistant's messages. */
  readonly answers: readonly number[]
}

/**
 * The chain of a client's messages. Nothing is hashed before it is looked for, and then all at once: every request waits
 * for it.
 *
 * @example
 * const before = chainOf(request.messages)
 * const after = chainOf([answer], before)
 */
export function chainOf(messages: readonly Message[], before: Chain = { texts: [], answers: [] }): Chain {
  const texts = [...before.texts]
  const answers = [...before.answers]
  for (const { role, text, calls, images } of normalForms(messages)) {
    if (role === 'assistant') answers.push(texts.length)
    texts.push(JSON.stringify([role, text, calls, images]))
  }
  return { texts, answers }
}

/** The hash of one message. */
export function digestAt({ texts }: Chain, at: number): string {
  return hash('sha256', `message ${texts[at]}`)
}

/** The hash of a message with the one before it: what a client that drops its oldest messages still sends. */
export function pairAt({ texts }: Chain, at: number): string {
  return hash('sha256', `pair ${texts[at - 1] ?? ''}${texts[at]}`)
}

/** The hash of all messages up to and including one. */
export function wholeTo({ texts }: Chain, at: number): string {
  return hash('sha256', `line ${texts.slice(0, at + 1).join('')}`)
}

/** The hash of all that is asked, together with the sender's id for it where there is one. */
export function questionOf(chain: Chain, id: string | undefined): string {
  return hash('sha256', JSON.stringify(['question', wholeTo(chain, chain.texts.length - 1), id ?? null]))
}
