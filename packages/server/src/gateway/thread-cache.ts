import { createCacheMeter, type CacheMeter } from '@minutebook/inspect'
import { LRUCache } from 'lru-cache'
import { memoryStore, openBook, type Book, type Model, type Thread, type ThreadOptions } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import type { TruncationFinding } from 'minutebook/wire'
import type { Caller } from '../config/caller.ts'
import { heapShares } from '../config/settings.ts'
import { weightOf, type ThreadSize } from '../stores/thread-weight.ts'

/** A thread that was opened for a chat, what measures the cache use of its calls, and how the last one ended. */
export interface CachedThread {
  readonly thread: Thread
  readonly cacheOf: CacheMeter
  readonly calls: { truncated?: TruncationFinding }
}

/** How a thread is opened. */
export interface ThreadOpening {
  readonly options: ThreadOptions
  /** Equal if all of the options are equal. */
  readonly signature: string
  /** The approximate size of the thread before it is read: what the client sends of it. */
  readonly size: ThreadSize
}

/** Threads that chats used lately: what one chat has read and counted, the next need not. */
export interface ThreadCache {
  open(book: Book, tenant: string, id: string, opening: ThreadOpening): CachedThread
  /**
   * Approximate bytes of memory of a cached thread. Undefined if it is not cached with the same options, or not read
   * yet: to open it then reads it from the store.
   */
  weight(tenant: string, id: string, opening: Pick<ThreadOpening, 'signature'>): number | undefined
  /** A thread that is not stored. */
  scratch(opening: ThreadOpening): CachedThread
}

export function createThreadCache(
  limits: ThreadCacheLimits = { threads: 1000, bytes: heapShares().cache },
): ThreadCache {
  const cache = new LRUCache<string, CacheEntry>({
    max: limits.threads,
    maxSize: limits.bytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
  })
  /** The reader of a thread reports its size: a client may send very little to a thread that holds much. */
  const weigh = (place: string, thread: Thread, held: ThreadSize): void => {
    const known = cache.peek(place)
    if (known?.thread === thread) cache.set(place, { ...known, bytes: weightOf(held), isRead: true })
  }
  return {
    open: (book, tenant, id, opening) => {
      const place = placeOf(tenant, id)
      const known = cache.get(place)
      const isSame = known?.signature === opening.signature
      const thread = isSame
        ? known.thread
        : weighed(book.thread(id, opening.options), (held) => weigh(place, thread, held))
      const cacheOf = isSame ? known.cacheOf : cacheMeterFor(opening)
      const cached = { signature: opening.signature, thread, cacheOf, calls: known?.calls ?? {} }
      const bytes = Math.max(weightOf(opening.size), known?.bytes ?? 0)
      cache.set(place, { ...cached, bytes, isRead: isSame && known.isRead })
      return cached
    },
    weight: (tenant, id, { signature }) => {
      const known = cache.peek(placeOf(tenant, id))
      return known?.isRead === true && known.signature === signature ? known.bytes : undefined
    },
    scratch: (opening) => ({
      thread: openBook({ store: memoryStore() }).thread('scratch', opening.options),
      cacheOf: cacheMeterFor(opening),
      calls: {},
    }),
  }
}

function cacheMeterFor({ options: { counter } }: ThreadOpening): CacheMeter {
  return createCacheMeter({ counter, clock: systemClock })
}

interface CacheEntry extends CachedThread, Pick<ThreadOpening, 'signature'> {
  /** Of memory, about. */
  readonly bytes: number
  /** Whether the thread was read, so that its size is known. */
  readonly isRead: boolean
}

function placeOf(tenant: string, id: string): string {
  return JSON.stringify([tenant, id])
}

function weighed(thread: Thread, weigh: (held: ThreadSize) => void): Thread {
  return {
    ...thread,
    relay: async (...given) => {
      const relay = await thread.relay(...given)
      weigh(relay.held)
      return relay
    },
  }
}

export interface ThreadCacheLimits {
  readonly threads: number
  readonly bytes: number
}

/** A model that is known only by its name: the gateway calls it. */
export function namedModel(model: string, wire: NonNullable<Model['wire']>): Model {
  const call = (): never => {
    throw new TypeError('A relayed model is called by the gateway.')
  }
  return Object.assign(call, { model, wire })
}

/**
 * Runs requests of one caller under one name one after the other, so the second finds the result of the first. Requests
 * without a name run at once.
 */
export type OneAtATime = (caller: Caller, lane: RequestKey, run: () => Promise<void>) => Promise<void>

/**
 * Requests under one id, or on one conversation. A request may wait in one queue of each kind, and these are never the
 * same.
 */
export interface RequestKey {
  readonly kind: 'id' | 'conversation'
  readonly name: string | undefined
}

export function createOneAtATime(): OneAtATime {
  const oneAtATime = new Map<string, Promise<void>>()
  return (caller, { kind, name }, run) => {
    if (name === undefined) return run()
    const lane = JSON.stringify([caller.tenant, caller.name, kind, name])
    const running = (oneAtATime.get(lane) ?? Promise.resolve()).then(run)
    const over = running.catch(() => undefined)
    oneAtATime.set(lane, over)
    void over.then(() => {
      if (oneAtATime.get(lane) === over) oneAtATime.delete(lane)
    })
    return running
  }
}
