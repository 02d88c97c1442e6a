/**
 * Long work that can be left in the middle and taken up again. Each time it may be left it yields how much it did since
 * the last time: about the number of characters that it looked at, a thousand of which take some ten microseconds.
 */
export type Steps<T> = Generator<number, T, void>

/** What a message, an entry or a call is worth beside its characters. */
export const itemWork = 500

/** Does all of it at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Lets others have their turn, if so much was done that it is time. */
export type Pause = (work: number) => Promise<void> | undefined

/** Does it in slices, with others in between. */
export async function inSlices<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const waiting = pause(step.value)
    if (waiting) await waiting
  }
}
