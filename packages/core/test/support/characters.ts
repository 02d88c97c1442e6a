import type { TokenCounter } from 'minutebook'

/**
 * One character, one token, and nothing around a message: the strictest of all counters, for every character has to be
 * paid for.
 */
export const characters: TokenCounter = {
  name: 'characters',
  count: (text) => text.length,
  overhead: { message: 0, prompt: 0, call: 0, image: 1 },
}
