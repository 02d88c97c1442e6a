import type { Listing, Page, Store } from '../log/store.ts'
import { createLanes } from '../turn/lanes.ts'
import type { Engine } from './engine.ts'
import { needsWork } from './needs-work.ts'

export interface LocalEngineOptions {
  /**
   * Awaited now and then while what was left is looked for: a store that answers at once would keep everything else in
   * the process waiting meanwhile. `setImmediate` of `node:timers/promises` does.
   */
  readonly pause?: (() => Promise<unknown>) | undefined
}

/**
 * The engine of one process. Who was woken is known as long as the process lives; whoever begins to work looks for what
 * was left by the one before.
 *
 * @example
 * const book = openBook({ store, engine: localEngine(store), model, window: 4096, clock: systemClock })
 * const stop = await book.work()
 */
export function localEngine(store: Store, { pause }: LocalEngineOptions = {}): Engine {
  const lanes = createLanes<{ cancel(turn?: string): void }>()
  const runners: Runner[] = []
  /** Woken, and not yet begun: one run does for all that woke it. */
  const waiting = new Set<string>()

  const ring = async (thread: string): Promise<void> => {
    if (waiting.has(thread)) return
    waiting.add(thread)
    const controller = new AbortController()
    const leave = await lanes.enter(thread, { cancel: (turn) => controller.abort(turn) }, { ifBusy: 'queue' })
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
    cancel: async (thread, turn) => lanes.running(thread)?.cancel(turn),
  }
}

interface Runner {
  readonly run: Parameters<Engine['onWake']>[0]
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

interface Looking extends LocalEngineOptions {
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
export async function allThreads(store: Store, pause?: LocalEngineOptions['pause']): Promise<Listing['threads']> {
  const found: Listing['threads'][number][] = []
  for (let page: Page = {}; ; ) {
    const { threads, next: after } = await store.list(page)
    found.push(...threads)
    if (after === undefined) return found
    page = { after }
    await pause?.()
  }
}
