import { createBoundedMap } from '../bounded-map.ts'

/** Keeps answers for a while; whoever asks meanwhile waits for the same one. */
export interface Cache<T> {
  get(name: string, find: () => Promise<T | undefined>): Promise<T | undefined>
  /** The same, but never what is kept. */
  renew(name: string, find: () => Promise<T | undefined>): Promise<T | undefined>
}

const limits = { entries: 1000 }

/** `lifeOf`: milliseconds that an answer, or the lack of one, is kept. What throws is a lack. */
export function createCache<T>(now: () => number, lifeOf: (value: T | undefined) => number): Cache<T> {
  const kept = createBoundedMap<{ readonly answer: Promise<T | undefined>; until: number }>(limits)
  const renew: Cache<T>['renew'] = (name, find) => {
    const answer = find().catch(() => undefined)
    const entry = { answer, until: Infinity }
    // Names come from requests: what nobody asked for makes room.
    kept.set(name, entry)
    return answer.then((value) => {
      entry.until = now() + lifeOf(value)
      return value
    })
  }
  return {
    renew,
    get: (name, find) => {
      const known = kept.get(name)
      return known && known.until > now() ? known.answer : renew(name, find)
    },
  }
}
