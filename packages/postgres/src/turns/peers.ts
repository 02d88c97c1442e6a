/** The other instances of a database, and which threads they follow. Each place is one thread of one tenant. */
export interface Peers {
  /** How many there are. */
  readonly size: number
  has(instance: string): boolean
  /** It gave a sign of life. */
  heard(instance: string): void
  /** It follows a thread from now on. Returns true if something was published there just now. */
  joined(instance: string, place: string): boolean
  left(instance: string, place: string): void
  /** The instances on which a thread is followed. */
  following(place: string): readonly string[]
  /** Something was published about a thread. */
  published(place: string): void
  forget(instance: string): void
  /** Forgets instances that gave no sign for a while. */
  bury(): void
  clear(): void
}

/** Milliseconds after which an instance without a sign of life is taken for dead. */
const silence = 60_000

/** Milliseconds for which it is remembered that something was published: a message to all takes less. */
const justNow = 1000

/** How many threads each of them may follow, and how many are remembered as just published. Others are late. */
const mostFollowed = 100_000
const mostPublished = 10_000

export function createPeers(now: () => number = () => performance.now()): Peers {
  const instances = new Map<string, { heardAt: number; readonly places: Set<string> }>()
  const followers = new Map<string, Set<string>>()
  const newest = new Map<string, number>()
  const left = (instance: string, place: string): void => {
    instances.get(instance)?.places.delete(place)
    const others = followers.get(place)
    others?.delete(instance)
    if (others?.size === 0) followers.delete(place)
  }
  const forget = (instance: string): void => {
    for (const place of instances.get(instance)?.places ?? []) left(instance, place)
    instances.delete(instance)
  }
  return {
    get size() {
      return instances.size
    },
    has: (instance) => instances.has(instance),
    heard: (instance) => {
      const known = instances.get(instance)
      if (known) known.heardAt = now()
      else instances.set(instance, { heardAt: now(), places: new Set() })
    },
    joined: (instance, place) => {
      const places = instances.get(instance)?.places
      if (!places || places.size >= mostFollowed) return false
      places.add(place)
      followers.set(place, (followers.get(place) ?? new Set()).add(instance))
      return now() - (newest.get(place) ?? -Infinity) < justNow
    },
    left,
    following: (place) => [...(followers.get(place) ?? [])],
    published: (place) => {
      // To the end, so that the first is the one that was published the longest ago.
      newest.delete(place)
      newest.set(place, now())
      const [oldest] = newest.keys()
      if (newest.size > mostPublished && oldest !== undefined) newest.delete(oldest)
    },
    forget,
    bury: () => {
      for (const [instance, { heardAt }] of instances) if (now() - heardAt > silence) forget(instance)
    },
    clear: () => {
      instances.clear()
      followers.clear()
    },
  }
}
