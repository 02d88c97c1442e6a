import type { Feed, News } from './feed.ts'

/**
 * A feed for one process.
 *
 * @example
 * const book = openBook({ store, engine: localEngine(store), feed: localFeed(), model, window: 4096, clock: systemClock })
 */
export function localFeed(): Feed {
  const listeners = new Map<string, Set<(news: News) => void>>()
  return {
    publish: (thread, news) => {
      for (const hear of listeners.get(thread) ?? []) hear(news)
    },
    listen: async (thread, hear) => {
      const hearing = listeners.get(thread) ?? new Set()
      // Two that pass the same function are still two.
      const own = (news: News): void => hear(news)
      listeners.set(thread, hearing.add(own))
      return () => {
        hearing.delete(own)
        if (hearing.size === 0 && listeners.get(thread) === hearing) listeners.delete(thread)
      }
    },
  }
}
