import { hash } from 'node:crypto'
import type { Message } from 'minutebook'
import { createBreaks } from 'minutebook/clock'
import { normalForms } from './normal-form.ts'

/** A conversation as texts: whoever has the same ones said the same. System messages are not part of it. */
export interface Chain {
  /** Each message in its normal form, as JSON. */
  readonly texts: readonly string[]
  /** The places of the assistant's messages. */
  readonly answers: readonly number[]
  /** Hashes that were worked out before, by what they are of. */
  readonly hashes: Map<string, string>
}

/**
 * The chain of a client's messages. Nothing is hashed before it is looked for, and no message more than once: every
 * request waits for it.
 *
 * @example
 * const before = chainOf(request.messages)
 * const after = chainOf([answer], before)
 */
export function chainOf(messages: readonly Message[], before?: Chain): Chain {
  const chain = {
    texts: [...(before?.texts ?? [])],
    answers: [...(before?.answers ?? [])],
    hashes: new Map(before?.hashes),
  }
  for (const message of messages) add(chain, message)
  return chain
}

/** The chain of any number of messages, with others in between. What a long one needs most is hashed at once. */
export async function longChainOf(messages: readonly Message[]): Promise<Chain> {
  const chain: { texts: string[]; answers: number[]; hashes: Map<string, string> } = {
    texts: [],
    answers: [],
    hashes: new Map(),
  }
  const takeBreak = createBreaks()
  for (const message of messages) {
    add(chain, message)
    await takeBreak()
    const at = chain.texts.length - 1
    if (messages.length > manyMessages || (chain.texts[at]?.length ?? 0) > longMessage) wholeTo(chain, at)
    await takeBreak()
  }
  return chain
}

/** From how many on hashing all of them is long work. */
const manyMessages = 256
/** Characters from which on hashing one of them is. */
const longMessage = 1 << 18

function add({ texts, answers }: { readonly texts: string[]; readonly answers: number[] }, message: Message): void {
  for (const { role, text, calls, images } of normalForms([message])) {
    if (role === 'assistant') answers.push(texts.length)
    texts.push(JSON.stringify([role, text, calls, images]))
  }
}

/** The hash of one message. */
export function digestAt(chain: Chain, at: number): string {
  return once(chain, `message ${at}`, () => hash('sha256', `message ${chain.texts[at]}`))
}

/** The hash of a message with the one before it: what a client that drops its oldest messages still sends. */
export function pairAt(chain: Chain, at: number): string {
  return once(chain, `pair ${at}`, () =>
    hash('sha256', `pair ${at > 0 ? digestAt(chain, at - 1) : ''} ${digestAt(chain, at)}`),
  )
}

/**
 * The hash of all messages up to and including one. Goes on from the hash of those before it, so that no message is
 * hashed twice.
 */
export function wholeTo(chain: Chain, at: number): string {
  let known = at
  while (known >= 0 && !chain.hashes.has(`line ${known}`)) known--
  for (let place = known + 1; place <= at; place++) {
    chain.hashes.set(
      `line ${place}`,
      hash('sha256', `line ${chain.hashes.get(`line ${place - 1}`) ?? ''} ${digestAt(chain, place)}`),
    )
  }
  return chain.hashes.get(`line ${at}`) ?? hash('sha256', 'line')
}

function once({ hashes }: Chain, name: string, work: () => string): string {
  const known = hashes.get(name)
  if (known !== undefined) return known
  const found = work()
  hashes.set(name, found)
  return found
}

/** The hash of all that is asked, together with the sender's id for it where there is one. */
export function questionOf(chain: Chain, id: string | undefined): string {
  return hash('sha256', JSON.stringify(['question', wholeTo(chain, chain.texts.length - 1), id ?? null]))
}
