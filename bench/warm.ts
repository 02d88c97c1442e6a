import type { Fold } from 'minutebook/fold'
import { compile, defaultPolicy } from 'minutebook'
import { advance, createFold } from 'minutebook/fold'
import { messageAt } from './growing-log.ts'
import { processorTime } from './processor-time.ts'
import type { Progress } from './progress.ts'
import type { Counter } from './tokens.ts'
import { toWire } from './wire-message.ts'

export const recalls = ['off', 'gated', 'eager'] as const
export type Recall = (typeof recalls)[number]

export const budget = { window: 1024, reserve: 128 }

/** Steps of progress that `timeTurns` reports for these sizes. */
export function progressSteps(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + Math.ceil(size / stepSize), 0)
}

export interface TurnTimes {
  readonly size: number
  /** Microseconds of processor time to advance by one user message and compile, turn by turn. */
  readonly turns: readonly number[]
  /** Microseconds an entry to build the fold. */
  readonly build: number
}

/** Grows one fold per size, then plays further turns to all of them. */
export function timeTurns(
  sizes: readonly number[],
  recall: Recall,
  counter: Counter,
  turns: number,
  progress: Progress,
): TurnTimes[] {
  const grown = growFolds(sizes, recall, counter, progress)
  const played = playTurns(grown, turns)
  return grown.map(({ size, build }, index) => ({ size, build, turns: played[index] ?? [] }))
}

/** A fold with `size` entries, to which further turns can be played. */
export interface Grown {
  readonly size: number
  readonly build: number
  fold: Fold
  /** The index of the message that comes next. */
  next: number
}

export function growFolds(sizes: readonly number[], recall: Recall, counter: Counter, progress: Progress): Grown[] {
  const options = { ...budget, counter, policy: defaultPolicy({ recall }) }
  return sizes.map((size) => {
    const started = performance.now()
    const fold = grow(createFold(options), size, () =>
      progress.step(`recall ${recall}: building ${size.toLocaleString('en')} entries`),
    )
    return { size, fold, next: size, build: ((performance.now() - started) * 1000) / size }
  })
}

/**
 * Plays turns to all folds side by side, so that the machine's noise falls on every size alike. Returns the
 * microseconds of processor time of each turn, by fold.
 */
export function playTurns(grown: readonly Grown[], turns: number): number[][] {
  const times: number[][] = grown.map(() => [])
  for (let turn = 0; turn < turns; turn++) {
    for (let place = 0; place < grown.length; place++) {
      const index = (turn + place) % grown.length
      const one = grown[index]
      if (one === undefined) continue
      const question = toWire(messageAt(one.next++))
      const before = processorTime()
      one.fold = advance(one.fold, question)
      compile(one.fold)
      times[index]?.push(processorTime() - before)
      one.fold = advance(one.fold, toWire(messageAt(one.next++)))
    }
  }
  return times
}

/** Compiles until the code is optimised, so that the first size measured does not pay for it. */
export function warmUp(recall: Recall, counter: Counter): void {
  timeTurns([100, 2000], recall, counter, 300, { step: () => undefined, done: () => undefined })
}

const stepSize = 10_000

function grow(empty: Fold, size: number, step: () => void): Fold {
  let fold = empty
  for (let index = 0; index < size; index++) {
    fold = advance(fold, toWire(messageAt(index)))
    if (index % stepSize === 0) step()
  }
  return fold
}
