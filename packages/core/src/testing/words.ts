import type { TokenCounter } from '../tokens/tokens.ts'

/** One word, one token, and nothing for the message around it: budgets that a person can count. */
export const words: TokenCounter = {
  name: 'words',
  count: (text) => {
    let count = 0
    let inWord = false
    for (const character of text) {
      const blank = character.trim() === ''
      if (!blank && !inWord) count++
      inWord = !blank
    }
    return count
  },
  overhead: { message: 0, prompt: 0, call: 0, image: 1 },
}
