import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { Message } from './conversation.ts'

/** The shape that Minutebook expects of a counter. */
export interface Counter {
  readonly name: string
  readonly overhead: number
  count(text: string): number
}

/** What a chat format adds to each message. */
const overhead = 4

/** Exact o200k counts; those of remembered texts are computed once per process. */
export const o200k: Counter & { remember(text: string): void } = {
  name: 'o200k',
  overhead,
  count: (text) => remembered.get(text) ?? count(text),
  remember: (text) => {
    if (!remembered.has(text)) remembered.set(text, count(text))
  },
}

/** One token a word: cheap, so that a timing shows the compiler and not the tokenizer. */
export const words: Counter = {
  name: 'words',
  overhead,
  count: (text) => {
    let total = 0
    let inside = false
    for (let at = 0; at < text.length; at++) {
      const space = text.charCodeAt(at) <= 32
      if (!space && !inside) total++
      inside = !space
    }
    return total
  },
}

export function messageTokens(message: Message, counter: Counter = o200k): number {
  let total = counter.count(message.text) + counter.overhead
  for (const call of message.calls ?? []) total += counter.count(call.name) + counter.count(JSON.stringify(call.input))
  return total
}

const remembered = new Map<string, number>()

// Without this option gpt-tokenizer throws on a text that contains a special token.
const plainText = { disallowedSpecial: new Set<string>() }

function count(text: string): number {
  return countTokens(text, plainText)
}
