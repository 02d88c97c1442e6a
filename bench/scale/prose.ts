import { functionWord, rankedWord } from '../growing-log.ts'
import type { Random } from '../random.ts'
import { people } from '../words.ts'

/**
 * Sentences that together have about this many characters, log-normal as in speech. Every second word is a function
 * word. The others follow Zipf's law, with some names and numbers between them.
 */
export function prose(random: Random, mean: number): string {
  const length = Math.max(40, random.lognormal(mean, 0.6))
  let text = sentence(random)
  while (text.length < length) text += ` ${sentence(random)}`
  return text
}

/** A question about words that are in many messages, in few or in none. */
export function question(random: Random): string {
  return `What did ${random.pick(people)} say about ${rankedWord(random)} ${rankedWord(random)} and ${contentWord(random)}?`
}

function sentence(random: Random): string {
  const words = Array.from({ length: random.between(6, 16) }, (_, at) =>
    at % 2 === 0 ? functionWord(random) : contentWord(random),
  )
  const text = words.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function contentWord(random: Random): string {
  const share = random.next()
  if (share < 0.06) return random.pick(people)
  return share < 0.1 ? String(random.between(1, 9999)) : rankedWord(random)
}
