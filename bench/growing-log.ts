import type { Message } from './conversation.ts'
import { createRandom, type Random } from './random.ts'

/**
 * The message at this index of an endless chat of short texts, user and assistant in turn; always the same for an
 * index. Words are drawn as in natural language: half are function words, the rest follow Zipf's law, so a recall index
 * meets words that are in every twentieth message and words that are in one.
 */
export function messageAt(index: number): Message {
  const random = createRandom(index * 2654435761)
  const length = random.between(8, 16)
  const words: string[] = []
  for (let at = 0; at < length; at++) words.push(at % 2 === 0 ? functionWord(random) : rankedWord(random))
  return { role: index % 2 === 0 ? 'user' : 'assistant', text: words.join(' ') }
}

export function functionWord(random: Random): string {
  return random.pick(functionWords)
}

/** A word by Zipf's law: some are in every text, most in hardly any. */
export function rankedWord(random: Random): string {
  return wordOfRank(rank(random.next()))
}

const functionWords =
  'the of and to in is it that for you on with as at by this but from they we or an will my one all would there their what so up out if about who get which go me'.split(
    ' ',
  )
const vocabulary = 30_000
const flattening = 20

// Inverse of the distribution with p(rank) in proportion to 1 / (rank + flattening).
function rank(share: number): number {
  return Math.floor(flattening * ((vocabulary + flattening) / flattening) ** share - flattening)
}

const onsets = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z', 'br', 'st']
const vowels = ['a', 'e', 'i', 'o', 'u']

function wordOfRank(place: number): string {
  let left = place + onsets.length * vowels.length
  let word = ''
  while (left > 0) {
    word += `${onsets[left % onsets.length]}${vowels[Math.floor(left / onsets.length) % vowels.length]}`
    left = Math.floor(left / (onsets.length * vowels.length))
  }
  return word
}
