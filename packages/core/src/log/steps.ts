/**
 * How can long work let others run? As a generator that yields whenever it may be paused. It yields how much it did
 * since the last time: about the number of characters it looked at. A thousand of them take about ten microseconds.
 */
export type Steps<T> = Generator<number, T, void>

/** The work for a message, an entry or a call, in addition to its characters. */
export const itemWork = 500

/** Does all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Lets others run, if enough work was done since the last pause. */
export type Pause = (work: number) => Promise<void> | undefined

/** Does the steps, and pauses in between to let others run. */
export async function inSlices<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const waiting = pause(step.value)
    if (waiting) await waiting
  }
}
