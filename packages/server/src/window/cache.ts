/** Keeps answers for a while; whoever asks meanwhile waits for the same one. */
export interface Cache<T> {
  get(name: string, find: () => Promise<T | undefined>): Promise<T | undefined>
}

const most = 1000

/** `lifeOf`: milliseconds that an answer, or the lack of one, is kept. What throws is a lack. */
export function createCache<T>(now: () => number, lifeOf: (value: T | undefined) => number): Cache<T> {
  const kept = new Map<string, { readonly answer: Promise<T | undefined>; until: number }>()
  return {
    get: (name, find) => {
      const known = kept.get(name)
      if (known && known.until > now()) return known.answer
      const answer = find().catch(() => undefined)
      const entry = { answer, until: Infinity }
      // Names come from requests: the oldest makes room.
      kept.delete(name)
      for (const oldest of kept.keys()) {
        if (kept.size < most) break
        kept.delete(oldest)
      }
      kept.set(name, entry)
      return answer.then((value) => {
        entry.until = now() + lifeOf(value)
        return value
      })
    },
  }
}
