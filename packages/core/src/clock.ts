import type { Clock } from './log/time.ts'

export type { Clock } from './log/time.ts'

/**
 * The machine's own clock. Default of a book.
 *
 * @example
 * const book = openBook({ store, model, window: 4096, clock: systemClock })
 */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  after: (milliseconds, signal) =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      signal.addEventListener('abort', done, { once: true })
      if (signal.aborted) done()
    }),
  pause: others,
}

/**
 * For long loops: await it after each item. Every few milliseconds it lets other waiting tasks run.
 *
 * @example
 * const takeBreak = createBreaks()
 * for (const item of items) {
 *   work(item)
 *   await takeBreak()
 * }
 */
export function createBreaks(): () => Promise<void> | undefined {
  let since = Date.now()
  return () => {
    if (Math.abs(Date.now() - since) < stretch) return undefined
    return others().then(() => void (since = Date.now()))
  }
}

/** Milliseconds. */
const stretch = 10

function others(): Promise<void> {
  return new Promise(
    (resolve) => void (typeof setImmediate === 'function' ? setImmediate(resolve) : setTimeout(resolve)),
  )
}
