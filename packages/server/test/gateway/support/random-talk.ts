import type { Message } from 'minutebook'
import { corpus, type Sample } from '../../../../../tests/support/corpus.ts'
import type { Dice } from '../../../../../tests/support/dice.ts'

/** Conversations that go on side by side, of all kinds of text. */
export interface Talks {
  /** The next question of one of them, with all that was said before in it. */
  next(): { readonly messages: readonly Message[]; readonly answered: (text: string) => void }
}

/** `most`: messages in one of them, before another takes its place. */
export function randomTalks(dice: Dice, most = 24): Talks {
  const talks: Message[][] = [[], [], []]
  return {
    next: () => {
      const number = dice.below(talks.length)
      if (talks[number]!.length > most) talks[number] = []
      const talk = talks[number]!
      if (talk.length === 0 && dice.isLucky(0.5)) talk.push({ role: 'system', content: passage(dice, 300) })
      talk.push({ role: 'user', content: passage(dice, dice.pick([60, 400, 2000])) })
      return { messages: [...talk], answered: (text) => void talk.push({ role: 'assistant', content: text }) }
    },
  }
}

/** What a model of few languages is asked about. */
export const usualTexts: readonly Sample[] = corpus.filter(({ name }) =>
  ['English prose', 'English chat', 'English technical', 'Markdown answer', 'TypeScript', 'German'].includes(name),
)

/** Some of a text of the corpus, of any length up to this. */
export function passage(dice: Dice, most: number, texts: readonly Sample[] = corpus): string {
  const { text } = dice.pick(texts)
  const from = dice.below(Math.max(1, text.length - 40))
  let said = text.slice(from)
  const length = 20 + dice.below(most)
  while (said.length < length) said += ` ${dice.pick(texts).text}`
  return Buffer.from(said.slice(0, length)).toString()
}
