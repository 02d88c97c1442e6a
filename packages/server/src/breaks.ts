import { setImmediate as others } from 'node:timers/promises'

/**
 * For long loops: to be awaited after each item. Every few milliseconds, all who wait for the processor have their turn.
 *
 * @example
 * const takeBreak = createBreaks()
 * for (const item of items) {
 *   work(item)
 *   await takeBreak()
 * }
 */
export function createBreaks(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < stretch) return undefined
    return others().then(() => void (since = performance.now()))
  }
}

/** Milliseconds. */
const stretch = 10
