import type { Clock } from './clock.ts'

/** How much is done at a stretch: messages of prompts, say. Some milliseconds. */
const stretch = 1000

/** Lets others have their turn in the middle of long work: to be awaited after each piece of it, with how large that was. Without a clock nobody waits. */
export function createPauses(clock: Clock | undefined): (work: number) => Promise<void> {
  let done = 0
  return async (work) => {
    done += work
    if (done < stretch || !clock) return
    done = 0
    await clock.after(0, new AbortController().signal)
  }
}
