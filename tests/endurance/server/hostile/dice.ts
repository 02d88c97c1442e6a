import { diceOf, type Dice as PlainDice } from '../../../support/dice.ts'

/** Dice that also throw sizes and texts. */
export interface Dice extends Pick<PlainDice, 'roll' | 'below' | 'pick'> {
  /** A size whose order of magnitude is even: as many between 100 and 1,000 as between 1,000 and 10,000. */
  size(least: number, most: number): number
  word(): string
  /** Words of so many characters. */
  text(length: number): string
}

export function createDice(seed: number): Dice {
  const dice = diceOf(seed)
  const word = (): string => Math.floor(dice.roll() * 2 ** 40).toString(36)
  // One long text of words, of which a piece is taken: to make each word would take longer than to send it.
  const words = Array.from({ length: 20_000 }, word).join(' ')
  return {
    ...dice,
    word,
    size: (least, most) => Math.floor(least * (most / least) ** dice.roll()),
    text: (length) => {
      const start = dice.below(words.length / 2)
      const rest = words.slice(start) + words
      return `${word()} ${rest.repeat(Math.ceil(length / rest.length)).slice(0, length)}`
    },
  }
}
