import { systemClock } from '../clock.ts'
import { needsWork } from '../log/next.ts'
import type { Listing, Page, Store } from '../log/store.ts'
import type { Clock } from '../log/time.ts'
import { createAlarms } from '../turns/alarms.ts'
import { createThreadLocks, type TurnQueue } from '../turns/turn-queue.ts'

/** The options of `localQueue`. */
export interface LocalQueueOptions {
  /**
   * Awaited between threads while the queue looks for unfinished turns at start. A store that answers at once would
   * otherwise block the process meanwhile. `setImmediate` of `node:timers/promises` is enough.
   */
  readonly pause?: (() => Promise<unknown>) | undefined
  /** Says when threads are woken that are to be woken at a time. Default: `systemClock`. */
  readonly clock?: Clock | undefined
}

/**
 * A queue within one process. It remembers woken threads only as long as the process lives. So `onWake` also looks
 * through the store for turns that an earlier process left unfinished.
 *
 * @example
 * const book = openBook({ store, queue: localQueue(store), model, window: 4096 })
 * const stop = await book.work()
 */
export function localQueue(store: Store, { pause, clock = systemClock }: LocalQueueOptions = {}): TurnQueue {
  const locks = createThreadLocks<{ cancel(turn?: string): void }>()
  const runners: Runner[] = []
  /** Threads that were woken and have not begun to run, with their run. It serves all calls that woke the thread. */
  const waiting = new Map<string, Promise<boolean>>()

  /** Runs a thread as soon as it is not busy, and resolves to whether it could. Without a runner, it stays waiting. */
  const ring = (thread: string): Promise<boolean> => {
    const known = waiting.get(thread)
    if (known) return known
    const rung = run(thread)
    waiting.set(thread, rung)
    return rung
  }
  const run = async (thread: string): Promise<boolean> => {
    const controller = new AbortController()
    const leave = await locks.enter(thread, { cancel: (turn) => controller.abort(turn) }, { ifBusy: 'queue' })
    if (runners.length > 0) waiting.delete(thread)
    const hasRun = await runOnce(runners, thread, controller.signal)
    leave?.()
    return hasRun
  }
  const alarms = createAlarms(store, clock, ring)
  let endAlarms = (): void => undefined
  return {
    wake: async (thread, entries, terms = {}) => {
      const appended = await store.append(thread, entries, terms)
      if (appended.ok) void ring(thread)
      return appended
    },
    wakeAt: (thread, time) => alarms.set(thread, time),
    onWake: async (run) => {
      if (runners.length === 0) endAlarms = alarms.start()
      const runner: Runner = { run, active: new Set() }
      runners.push(runner)
      const woken = [...waiting.keys()]
      waiting.clear()
      for (const thread of woken) void ring(thread)
      const looking = lookFor(store, { ring, pause, now: clock.now(), isOver: () => !runners.includes(runner) })
      looking.catch(() => undefined)
      return async () => {
        if (runners.includes(runner)) runners.splice(runners.indexOf(runner), 1)
        if (runners.length === 0) endAlarms()
        await Promise.allSettled(runner.active)
      }
    },
    cancel: async (thread, turn) => locks.running(thread)?.cancel(turn),
  }
}

interface Runner {
  readonly run: Parameters<TurnQueue['onWake']>[0]
  readonly active: Set<Promise<void>>
}

/** Tries the runners in rotation until one succeeds. If all fail, the thread waits to be woken again. */
async function runOnce(runners: Runner[], thread: string, signal: AbortSignal): Promise<boolean> {
  for (let tries = runners.length; tries > 0; tries--) {
    const runner = runners.shift()
    if (!runner) return false
    runners.push(runner)
    const running = Promise.resolve().then(() => runner.run(thread, signal))
    runner.active.add(running)
    try {
      await running
      return true
    } catch {
      // The runner reports its own errors. Here a rejection only means that the next runner must try.
    } finally {
      runner.active.delete(running)
    }
  }
  return false
}

interface Looking extends Pick<LocalQueueOptions, 'pause'> {
  readonly now: string
  readonly ring: (thread: string) => Promise<unknown>
  readonly isOver: () => boolean
}

/** Runs unfinished threads one after the other, so that they do not flood a process that just starts. */
async function lookFor(store: Store, { ring, pause, now, isOver }: Looking): Promise<void> {
  for (const { thread } of await unfinishedThreads(store, pause)) {
    await pause?.()
    if (isOver()) return
    // An unreadable log must not stop the other threads. Its run reports the error.
    if (await needsWork(store, thread, now).catch(() => true)) await ring(thread)
  }
}

/**
 * The threads that may need work. Reads the whole list before any thread is used: writing to a thread changes its place
 * in the list.
 */
export async function unfinishedThreads(store: Store, pause?: LocalQueueOptions['pause']): Promise<Listing['threads']> {
  const found: Listing['threads'][number][] = []
  for (let page: Page = { unfinished: true }; ;) {
    const { threads, next: after } = await store.list(page)
    found.push(...threads)
    if (after === undefined) return found
    page = { unfinished: true, after }
    await pause?.()
  }
}
