import { headOf } from '../log/branch.ts'
import type { NewEntry } from '../log/entry.ts'
import { next } from '../log/next.ts'
import type { Appended, AppendTerms, Listing, Page, Store } from '../log/store.ts'
import { createThreadLocks } from './thread-locks.ts'

/**
 * Says which threads need work, to whoever can do it: one at a time for each thread over all instances, and again
 * elsewhere where an instance dies. The log remains the journal of what was done; a queue only rings.
 */
export interface TurnQueue {
  /** Appends entries and says that the thread needs work: both or neither. Without entries it only says so. */
  wake(thread: string, entries: readonly NewEntry[], terms?: AppendTerms): Promise<Appended>
  /**
   * From now on this instance runs threads that were woken. `run` does some work and wakes the thread again where there
   * is more; it rejects only where it is to be tried again. The answer ends that: no further runs begin, those under
   * way are waited for.
   */
  onWake(run: (thread: string, signal: AbortSignal) => Promise<void>): Promise<() => Promise<void>>
  /**
   * Asks whoever runs this turn (the id of its user entry) to stop: aborts the signal of the thread's run, with the
   * turn as reason. Only a hint: it may come too late, or to nobody.
   */
  cancel(thread: string, turn: string): Promise<void>
}

/** What `localQueue` can be given. */
export interface LocalQueueOptions {
  /**
   * Awaited now and then while what was left is looked for: a store that answers at once would keep everything else in
   * the process waiting meanwhile. `setImmediate` of `node:timers/promises` does.
   */
  readonly pause?: (() => Promise<unknown>) | undefined
}

/**
 * The queue of one process. Who was woken is known as long as the process lives; whoever begins to work looks for what
 * was left by the one before.
 *
 * @example
 * const book = openBook({ store, queue: localQueue(store), model, window: 4096 })
 * const stop = await book.work()
 */
export function localQueue(store: Store, { pause }: LocalQueueOptions = {}): TurnQueue {
  const locks = createThreadLocks<{ cancel(turn?: string): void }>()
  const runners: Runner[] = []
  /** Woken, and not yet begun: one run does for all that woke it. */
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

/** Each in its turn; where one cannot, the next. Where none can, the thread waits to be woken again. */
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
      // It is said so by whoever runs; here it only means that someone else must try.
    } finally {
      runner.active.delete(running)
    }
  }
}

interface Looking extends LocalQueueOptions {
  readonly ring: (thread: string) => Promise<void>
  readonly isOver: () => boolean
}

/** One after the other: a process that starts must not be flooded by what was left. */
async function lookFor(store: Store, { ring, pause, isOver }: Looking): Promise<void> {
  for (const { thread } of await allThreads(store, pause)) {
    await pause?.()
    if (isOver()) return
    // A log that cannot be read must not keep the others waiting: its run will say so.
    if (await needsWork(store, thread).catch(() => true)) await ring(thread)
  }
}

/** All of them at once: their order changes as they are written to. */
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

/** As much of a log as tells whether its newest turn is over and nothing waits. */
const tailLength = 256

/**
 * Whether a turn of this thread was cut short, or a message waits that was sent not long before. Reads no more than the
 * end of the log.
 */
export async function needsWork(store: Store, thread: string): Promise<boolean> {
  const recent = await store.read(thread, { last: tailLength })
  const head = headOf(recent)
  const branch = head === null ? [] : await store.read(thread, { head, last: tailLength })
  return next(branch, recent).do !== 'rest'
}
