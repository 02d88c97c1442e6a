import type { Feed } from 'minutebook'
import { boardOf, type Board } from './board.ts'
import { isOver, standingOf } from './next-move.ts'
import type { ExperimentRuntime } from './play-turn.ts'
import { runThread, type RunLog } from './run-log.ts'

/** The board of a run whenever something has happened, until the run is over or the signal aborts. */
export async function* watchRun(log: RunLog, options: NewsOptions): AsyncGenerator<Board> {
  const news = await newsOf(runThread(log.run), options)
  try {
    for (let seen = -1; ;) {
      const { begun, events } = await log.begun()
      if (events.length !== seen) yield boardOf(log.run, begun, events)
      seen = events.length
      if (isOver(standingOf(events).status) || options.signal?.aborted) return
      await news.next()
    }
  } finally {
    news.leave()
  }
}

interface News {
  /** Resolves when something may have happened since the last call, or since it is followed. */
  readonly next: () => Promise<void>
  readonly leave: () => void
}

interface NewsOptions {
  /** Default: none. Then it is time to look again four times a second. */
  readonly feed: Feed | undefined
  readonly clock: ExperimentRuntime['clock']
  readonly signal: AbortSignal | undefined
}

/** Follows the news of a thread. Whatever is told between two calls of `next` is not missed. */
export async function newsOf(thread: string, { feed, clock, signal }: NewsOptions): Promise<News> {
  let told = new AbortController()
  const tell = (): void => told.abort()
  signal?.addEventListener('abort', tell)
  const leave = await feed?.listen(thread, tell)
  return {
    next: async () => {
      if (!told.signal.aborted && !signal?.aborted) await clock.after(feed ? seldom : often, told.signal)
      told = new AbortController()
    },
    leave: () => {
      leave?.()
      signal?.removeEventListener('abort', tell)
    },
  }
}

/** Milliseconds: with a feed, and without. */
const seldom = 2000
const often = 250
