import type { NewEntry } from '../log/entry.ts'
import { needsWork } from '../log/next.ts'
import type { AppendResult, AppendTerms, Listing, Page, Store } from '../log/store.ts'

/**
 * Hands threads that need work to instances that can do it. A queue runs one turn at a time for each thread over all
 * instances, and hands the thread to another instance if one dies. It only says that there is work: what was done, and
 * what is left to do, is in the log.
 */
export interface TurnQueue {
  /**
   * Appends entries and marks the thread as needing work, in one transaction. Without entries it only marks the thread.
   */
  wake(thread: string, entries: readonly NewEntry[], terms?: AppendTerms): Promise<AppendResult>
  /**
   * Lets this instance run woken threads. `run` does some work, and wakes the thread again if there is more. If it
   * rejects, the thread is tried again. Returns a function that starts no further runs and waits for those that are
   * running.
   */
  onWake(run: (thread: string, signal: AbortSignal) => Promise<void>): Promise<() => Promise<void>>
  /**
   * Asks the runner of this turn (the id of its user entry) to stop: aborts the signal of the thread's run, with the
   * turn as reason. This is only a hint: it may come too late, or reach no runner.
   */
  cancel(thread: string, turn: string): Promise<void>
}

/** The options of `localQueue`. */
export interface LocalQueueOptions {
  /**
   * Awaited between threads while the queue looks for unfinished turns at start. A store that answers at once would
   * otherwise block the process meanwhile. `setImmediate` of `node:timers/promises` is enough.
   */
  readonly pause?: (() => Promise<unknown>) | undefined
}

/**
 * A queue within one process. It remembers woken threads only as long as the process lives. So `onWake` also looks
 * through the store for turns that an earlier process left unfinished.
 *
 * @example
 * const book = openBook({ store, queue: localQueue(store), model, window: 4096 })
 * const stop = await book.work()
 */
export function localQueue(store: Store, { pause }: LocalQueueOptions = {}): TurnQueue {
  const locks = createThreadLocks<{ cancel(turn?: string): void }>()
  const runners: Runner[] = []
  /** Threads that were woken and have not begun to run. One run serves all calls that woke the thread. */
  const waiting = new Set<string>()

  const ring = async (thread: string): Promise<void> => {
    if (waiting.has(thread)) return
    waiting.add(thread)
    const controller = new AbortController()
    const leave = await locks.enter(thread, { cancel: (turn) => controller.abort(turn) }, { ifBusy: 'queue' })
    if (runners.length > 0) waiting.delete(thread)
    await runOnce(runners, thread, controller.signal)
    leave?.()
  }
  return {
    wake: async (thread, entries, terms = {}) => {
      const appended = await store.append(thread, entries, terms)
      if (appended.ok) void ring(thread)
      return appended
    },
    onWake: async (run) => {
      const runner: Runner = { run, active: new Set() }
      runners.push(runner)
      const woken = [...waiting]
      waiting.clear()
      for (const thread of woken) void ring(thread)
      const looking = lookFor(store, { ring, pause, isOver: () => !runners.includes(runner) })
      looking.catch(() => undefined)
      return async () => {
        if (runners.includes(runner)) runners.splice(runners.indexOf(runner), 1)
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
async function runOnce(runners: Runner[], thread: string, signal: AbortSignal): Promise<void> {
  for (let tries = runners.length; tries > 0; tries--) {
    const runner = runners.shift()
    if (!runner) return
    runners.push(runner)
    const running = Promise.resolve().then(() => runner.run(thread, signal))
    runner.active.add(running)
    try {
      return await running
    } catch {
      // The runner reports its own errors. Here a rejection only means that the next runner must try.
    } finally {
      runner.active.delete(running)
    }
  }
}

interface Looking extends LocalQueueOptions {
  readonly ring: (thread: string) => Promise<void>
  readonly isOver: () => boolean
}

/** Runs unfinished threads one after the other, so that they do not flood a process that just starts. */
async function lookFor(store: Store, { ring, pause, isOver }: Looking): Promise<void> {
  for (const { thread } of await allThreads(store, pause)) {
    await pause?.()
    if (isOver()) return
    // An unreadable log must not stop the other threads. Its run reports the error.
    if (await needsWork(store, thread).catch(() => true)) await ring(thread)
  }
}

/** Reads the whole list before any thread is used: writing to a thread changes its place in the list. */
export async function allThreads(store: Store, pause?: LocalQueueOptions['pause']): Promise<Listing['threads']> {
  const found: Listing['threads'][number][] = []
  for (let page: Page = {}; ;) {
    const { threads, next: after } = await store.list(page)
    found.push(...threads)
    if (after === undefined) return found
    page = { after }
    await pause?.()
  }
}

/** What to do with a message that comes while a turn runs. See `SendOptions.ifBusy`. */
export type BusyPolicy = 'reject' | 'queue' | 'interrupt'

/** How a turn enters a thread. */
export interface Admission {
  readonly ifBusy: BusyPolicy
  /** The sender's own id for the message. */
  readonly key?: string | undefined
  /** What the sender's developer can do if the thread is busy. */
  readonly advice?: string
}

/**
 * Runs one turn at a time for each thread, within this process. It knows only running and waiting turns: what a dead
 * process left is in the log.
 */
export interface ThreadLocks<T extends CancelHandle = CancelHandle> {
  /** Returns the turn that runs on a thread. */
  running(thread: string): T | undefined
  /** Returns the turn for the message with this key, if it runs or waits. */
  find(thread: string, key: string): T | undefined
  /**
   * Waits until the turn may run. Returns a function to call when it has ended, or undefined if the thread is busy and
   * the turn is rejected.
   */
  enter(thread: string, turn: T, entering: Admission): Promise<(() => void) | undefined>
  /** Cancels the running turn and waits until it has ended. Returns false if none runs. */
  cancel(thread: string): Promise<boolean>
}

export interface CancelHandle {
  cancel(): void
}

export function createThreadLocks<T extends CancelHandle = CancelHandle>(): ThreadLocks<T> {
  const locks = new Map<string, QueuedTurn<T>[]>()
  return {
    running: (thread) => locks.get(thread)?.[0]?.turn,
    find: (thread, key) => locks.get(thread)?.find((entered) => entered.key === key)?.turn,
    enter: async (thread, turn, { ifBusy, key }) => {
      const lane = locks.get(thread) ?? []
      const [current] = lane
      if (current && ifBusy === 'reject') return undefined
      if (ifBusy === 'interrupt') current?.turn.cancel()
      locks.set(thread, lane)
      await new Promise<void>((begin) => {
        lane.push({ turn, key, begin, ends: [] })
        if (!current) begin()
      })
      return () => {
        for (const end of lane.shift()?.ends ?? []) end()
        if (lane.length === 0) locks.delete(thread)
        lane[0]?.begin()
      }
    },
    cancel: async (thread) => {
      const current = locks.get(thread)?.[0]
      if (!current) return false
      const ended = new Promise<void>((end) => current.ends.push(end))
      current.turn.cancel()
      await ended
      return true
    },
  }
}

interface QueuedTurn<T> {
  readonly turn: T
  readonly key: string | undefined
  begin(): void
  /** Called when the turn has ended. */
  readonly ends: (() => void)[]
}
