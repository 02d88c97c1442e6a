/** Random numbers that are the same for the same seed. */
export interface Dice {
  /** From 0 to below 1. */
  roll(): number
  /** A whole number from 0 to below `most`. */
  below(most: number): number
  pick<T>(from: readonly T[]): T
  /** A size whose order of magnitude is even: as many between 100 and 1,000 as between 1,000 and 10,000. */
  size(least: number, most: number): number
  word(): string
  /** Words of so many characters. */
  text(length: number): string
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number): number => Math.floor(roll() * most)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!
  const word = (): string => Math.floor(roll() * 2 ** 40).toString(36)
  // One long text of words, of which a piece is taken: to make each word would take longer than to send it.
  const words = Array.from({ length: 20_000 }, word).join(' ')
  return {
    roll,
    below,
    pick,
    word,
    size: (least, most) => Math.floor(least * (most / least) ** roll()),
    text: (length) => {
      const start = below(words.length / 2)
      const rest = words.slice(start) + words
      return `${word()} ${rest.repeat(Math.ceil(length / rest.length)).slice(0, length)}`
    },
  }
}
