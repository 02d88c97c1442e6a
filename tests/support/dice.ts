/** Chances that fall the same way for the same seed. */
export interface Dice {
  /** From 0 up to, not including, 1. */
  roll(): number
  isLucky(chance: number): boolean
  pick<T>(values: readonly T[]): T
  /** A whole number below this. */
  below(count: number): number
  /** A whole number from one to the other, both included. */
  between(least: number, most: number): number
}

export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(roll() * count)
  return {
    roll,
    below,
    between: (least, most) => least + below(most - least + 1),
    isLucky: (chance) => roll() < chance,
    pick: (values) => values[below(values.length)]!,
  }
}
