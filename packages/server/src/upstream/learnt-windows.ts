import { LRUCache } from 'lru-cache'
import type { Store } from 'minutebook'
import type { FoundWindow } from 'minutebook/wire'

/** The place of a window: what one tenant learns, another never sees. */
export interface LearntPlace {
  readonly tenant: string
  /** The address of the upstream. */
  readonly upstream: string
  readonly model: string
  /** `num_ctx` of the requests: an Ollama server has a window of its own for each. */
  readonly numCtx?: number | undefined
}

/** Keeps the windows that upstreams named when they refused a prompt, in the store of the tenant and in memory. */
export interface LearntWindows {
  /**
   * `found`: what the upstream reports now. If that has changed, the model has changed, and what was learnt is dropped.
   */
  find(place: LearntPlace, found: FoundWindow): Promise<number | undefined>
  /** Keeps a window, unless the upstream has lately read more than that: then the window is wrong. */
  learn(place: LearntPlace, found: FoundWindow, window: number): Promise<void>
  /** The upstream has read a prompt of `tokens` tokens, by its own count. */
  read(place: LearntPlace, tokens: number): void
}

interface Kept {
  readonly window: number
  /** What the upstream reported of the model at the time. */
  readonly said: string
  /** In milliseconds, as `now` has it. */
  readonly at: number
}

/**
 * Milliseconds for which something learnt counts: an upstream that reports no window may have been restarted with
 * another size.
 */
const life = 3_600_000
/** Milliseconds after which the store is read again: another instance may have learnt more. */
const asksAgain = 30_000
const most = { max: 1000 }
const recordName = 'window'

export function createLearntWindows(
  storeOf: ((tenant: string) => Pick<Store, 'records'>) | undefined,
  now: () => number,
): LearntWindows {
  const known = new LRUCache<string, { readonly kept: Kept | undefined; readonly readAt: number }>(most)
  /** The largest prompts that upstreams have read. */
  const largest = new LRUCache<string, { readonly tokens: number; readonly at: number }>(most)
  const readLately = (place: LearntPlace): number => {
    const known = largest.get(JSON.stringify([place.tenant, keyOf(place)]))
    return known && now() - known.at < life ? known.tokens : 0
  }
  const kept = async (place: LearntPlace): Promise<Kept | undefined> => {
    const name = JSON.stringify([place.tenant, keyOf(place)])
    const before = known.get(name)
    if (before && now() - before.readAt < asksAgain) return before.kept
    // What cannot be read is learnt again.
    const [record] =
      (await storeOf?.(place.tenant)
        .records.find({ name: recordName, key: keyOf(place), thread: null })
        .catch(() => [])) ?? []
    const value = keptFrom(record?.value)
    known.set(name, { kept: value, readAt: now() })
    return value
  }
  return {
    find: async (place, found) => {
      const value = await kept(place)
      return value && value.said === saidBy(found) && now() - value.at < life && value.window >= readLately(place)
        ? value.window
        : undefined
    },
    learn: async (place, found, window) => {
      if (window < readLately(place)) return
      const value: Kept = { window, said: saidBy(found), at: now() }
      known.set(JSON.stringify([place.tenant, keyOf(place)]), { kept: value, readAt: now() })
      await storeOf?.(place.tenant)
        .records.put(null, [{ name: recordName, key: keyOf(place), value: { ...value } }])
        .catch(() => undefined)
    },
    read: (place, tokens) => {
      if (tokens >= readLately(place)) largest.set(JSON.stringify([place.tenant, keyOf(place)]), { tokens, at: now() })
    },
  }
}

function keyOf({ upstream, model, numCtx }: LearntPlace): string {
  return JSON.stringify([upstream, model, numCtx ?? null])
}

/** What distinguishes a model from another one of the same name. */
function saidBy({ window, limit, version }: FoundWindow): string {
  return JSON.stringify([window ?? null, limit ?? null, version ?? null])
}

function keptFrom(value: unknown): Kept | undefined {
  const { window, said, at } = Object(value) as Partial<Kept>
  return typeof window === 'number' && typeof said === 'string' && typeof at === 'number'
    ? { window, said, at }
    : undefined
}
