/** Chance that falls the same way every time. */
export interface Dice {
  below(limit: number): number
  pick<T>(list: readonly T[]): T
}

export function createDice(seed: number): Dice {
  let state = seed
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, pick: (list) => list[below(list.length)]! }
}
