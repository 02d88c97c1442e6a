import type { Clock } from '../record/clock.ts'

/** A signal that aborts with another one, or when so many milliseconds are over. */
export interface Limit {
  readonly signal: AbortSignal
  /** Whether the time was up first. */
  readonly isUp: boolean
  /** To be called at the end, so that no timer stays behind. */
  release(): void
}

/** Without a clock, or a number, only the other signal counts. */
export function createLimit(outer: AbortSignal, clock: Clock | undefined, milliseconds: number | undefined): Limit {
  const controller = new AbortController()
  const timer = new AbortController()
  let isUp = false
  const abort = (): void => controller.abort(outer.reason)
  outer.addEventListener('abort', abort, { once: true })
  if (outer.aborted) abort()
  if (clock && milliseconds !== undefined && milliseconds <= longest) {
    void clock.after(milliseconds, timer.signal).then(() => {
      if (timer.signal.aborted || controller.signal.aborted) return
      isUp = true
      controller.abort()
    })
  }
  return {
    signal: controller.signal,
    get isUp() {
      return isUp
    },
    release: () => {
      outer.removeEventListener('abort', abort)
      timer.abort()
    },
  }
}

/** No timer runs longer than this: 24 days. */
const longest = 2 ** 31 - 1
