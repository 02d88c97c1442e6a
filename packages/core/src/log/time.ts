import { notLoadedError } from './error.ts'

/** What a book needs to know about time. Core never reads the time itself: it is passed a clock. */
export interface Clock {
  /** The current time as an ISO 8601 text. */
  now(): string
  /** Resolves after this number of milliseconds, or as soon as the signal aborts. */
  after(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Resolves after all other waiting tasks have run. Without it, long work is done at once. */
  pause?(): Promise<void>
}

/** A signal that aborts with `outer`, or when the time is up. */
export interface Limit {
  readonly signal: AbortSignal
  /** True if the time was up before `outer` aborted. */
  readonly isUp: boolean
  /** Stops the timer. Call it when the work is done. */
  release(): void
}

/** Creates a limit. Without `milliseconds` only `outer` counts. */
export function createLimit(outer: AbortSignal, clock: Clock, milliseconds: number | undefined): Limit {
  const controller = new AbortController()
  const timer = new AbortController()
  let isUp = false
  const abort = (): void => controller.abort(outer.reason)
  outer.addEventListener('abort', abort, { once: true })
  if (outer.aborted) abort()
  if (milliseconds !== undefined && milliseconds <= longest) {
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

/** The longest time of a JavaScript timer: 24 days. A longer limit is no limit. */
const longest = 2 ** 31 - 1

/** When a model call began, and how long it took, in milliseconds. */
export interface CallTime {
  /** When the model was called, as an ISO 8601 text. */
  readonly started: string
  /** Until the first text of the answer or of the reasoning. Absent if none came before the end. */
  readonly firstToken?: number
  /** Until the end of the answer, or until the call stopped without one. */
  readonly total: number
}

/** Measures a model call. */
export interface Stopwatch {
  /** The model is called now. Default: it was called when the stopwatch was made. */
  start(): void
  /** Text came. Only the first time counts. */
  heard(): void
  /** The call is over. Each later call returns the same time, so that a second attempt records the same receipt. */
  stop(): CallTime | undefined
}

/** Creates a stopwatch. It returns no time if the clock returns a text that is not a time. */
export function createStopwatch(clock: Pick<Clock, 'now'>): Stopwatch {
  let started = clock.now()
  let firstToken: number | undefined
  let over: { readonly time: CallTime | undefined } | undefined
  // The clock of a machine can be set back.
  const passed = (): number => Math.max(0, Date.parse(clock.now()) - Date.parse(started))
  const measured = (): CallTime | undefined => {
    const total = passed()
    if (Number.isNaN(total)) return undefined
    return { started, ...(firstToken !== undefined && { firstToken: Math.min(firstToken, total) }), total }
  }
  return {
    start: () => void (started = clock.now()),
    heard: () => void (firstToken ??= passed()),
    stop: () => (over ??= { time: measured() }).time,
  }
}

/**
 * How can long work let others run? As a generator that yields whenever it may be paused. It yields how much it did
 * since the last time: about the number of characters it looked at. A thousand of them take about ten microseconds. If
 * it needs something that must be read first, it yields the reading (`reading`).
 */
export type Steps<T> = Generator<number | Reading, T, unknown>

/** Starts to read something. */
export type Reading = () => Promise<unknown>

/** Reads something in the middle of steps. */
export function* reading<T>(read: () => Promise<T>): Steps<T> {
  return (yield read) as T
}

/** The work for a message, an entry or a call, in addition to its characters. */
export const itemWork = 500

/** Does all steps at once. Throws `not_loaded` if one of them has to read something. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (typeof step.value === 'function') throw notLoadedError()
  }
}

/** Lets others run, if enough work was done since the last pause. */
export type Pause = (work: number) => Promise<void> | undefined

/** Does the steps, reads what they need, and pauses in between to let others run. */
export async function inSlices<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  let read: unknown
  for (;;) {
    const step = steps.next(read)
    if (step.done) return step.value
    read = undefined
    if (typeof step.value === 'function') read = await step.value()
    else {
      const waiting = pause(step.value)
      if (waiting) await waiting
    }
  }
}

/** How much work is done before a pause: a few milliseconds, in the unit of `Steps`. */
const stretch = 250_000

/** Counts the work, and lets others run after each `stretch` of it, if the clock has `pause`. */
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
