import { hash } from 'node:crypto'
import type { Message } from 'minutebook'
import { normalForms } from './normal-form.ts'

/** A conversation as hashes: whoever has the same one said the same. System messages are not part of it. */
export interface Chain {
  /** Of each message by itself. */
  readonly digests: readonly string[]
  /** Of all messages up to and including each. */
  readonly lines: readonly string[]
  /** The places of the assistant's messages. */
  readonly answers: readonly number[]
}

/**
 * The chain of a client's messages.
 *
 * @example
 * const before = chainOf(request.messages)
 * const after = chainOf([answer], before)
 */
export function chainOf(messages: readonly Message[], before: Chain = { digests: [], lines: [], answers: [] }): Chain {
  const digests = [...before.digests]
  const lines = [...before.lines]
  const answers = [...before.answers]
  for (const form of normalForms(messages)) {
    if (form.role === 'assistant') answers.push(digests.length)
    const digest = hash('sha256', JSON.stringify([form.role, form.text, form.calls, form.images]))
    lines.push(hash('sha256', `line ${lines.at(-1) ?? ''} ${digest}`))
    digests.push(digest)
  }
  return { digests, lines, answers }
}

/** The hash of a message with the one before it: what a client that drops its oldest messages still sends. */
export function pairAt({ digests }: Chain, at: number): string {
  return hash('sha256', `pair ${digests[at - 1] ?? ''} ${digests[at]}`)
}

/** The hash of all that is asked, together with the sender's id for it where there is one. */
export function questionOf({ lines }: Chain, id: string | undefined): string {
  return hash('sha256', JSON.stringify(['question', lines.at(-1) ?? '', id ?? null]))
}
