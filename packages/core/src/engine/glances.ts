import type { News } from '../feed/feed.ts'
import type { Clock } from '../record/clock.ts'
import type { Holding } from '../turn/holding.ts'
import { mayPass } from './passing.ts'

/** Milliseconds between two looks at a log that nobody says anything about. */
const pollInterval = 2000

/** What is looked at, and with what. Without a clock only news lead to another look. */
export interface Glanced extends Pick<Holding, 'thread' | 'feed' | 'refresh'> {
  readonly clock?: Clock | undefined
}

/**
 * Reads a log whenever it may have grown, the first time at once, until it is left or the signal aborts: that ends it after one
 * last look. `hear` says of other news whether they are a reason to read, too.
 */
export async function* glances({ thread, feed, refresh, clock }: Glanced, signal: AbortSignal, hear: (news: News) => boolean = () => false): AsyncGenerator<void, void, void> {
  let bell = new AbortController()
  const ring = (): void => bell.abort()
  const heard = (news: News): void => {
    if (news.type === 'grown' || hear(news)) ring()
  }
  const stop = await feed.listen(thread, heard).catch(() => () => undefined)
  signal.addEventListener('abort', ring, { once: true })
  try {
    for (let isLast = false; !isLast; ) {
      isLast = signal.aborted
      bell = new AbortController()
      const isRead = await refresh().then(() => true, (error: unknown) => {
        if (!clock || !mayPass(error)) throw error
        return false
      })
      if (isRead) yield
      if (!signal.aborted && !bell.signal.aborted) await pause(clock, bell.signal)
    }
  } finally {
    stop()
    signal.removeEventListener('abort', ring)
  }
}

function pause(clock: Clock | undefined, signal: AbortSignal): Promise<void> {
  if (clock) return clock.after(pollInterval, signal)
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
}
