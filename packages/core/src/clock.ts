import type { Clock } from './record/clock.ts'

/**
 * The machine's own clock.
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
  pause: () => new Promise((resolve) => void (typeof setImmediate === 'function' ? setImmediate(resolve) : setTimeout(resolve))),
}
