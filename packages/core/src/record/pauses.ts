import type { Entry } from '../log/entry.ts'
import { sizeOf } from '../log/size.ts'
import { itemWork, type Pause } from '../log/steps.ts'
import type { Clock } from './clock.ts'

/** How much is done at a stretch: some milliseconds of work, in the measure of `Steps`. */
const stretch = 250_000

/** Counts what is done, and lets others have their turn after each stretch of it, if the clock can. */
export function createPauses(clock: Clock | undefined): Pause {
  if (!clock?.pause) return () => undefined
  let done = 0
  return (work) => {
    done += work
    if (done < stretch) return undefined
    done = 0
    return clock.pause?.()
  }
}

/** How much work it is to read these entries. */
export function readingWork(entries: readonly Entry[]): number {
  return entries.reduce((work, { raw }) => work + itemWork + sizeOf(raw), 0)
}
