import type { LiveLog } from '../past/live-log.ts'
import type { Store, StoredEntry } from '../log/store.ts'
import type { ThreadHandle } from '../turns/turn-run.ts'
import type { OpenOptions } from './thread-options.ts'
import type { Thread } from './thread.ts'

/** How much is kept open. */
interface ThreadCacheOptions {
  /** How many threads. Default: 64. */
  readonly threads?: number | undefined
  /** About how many characters all of them hold. One thread may hold half of them. Default: 16 million. */
  readonly characters?: number | undefined
}

/** An open thread. */
export interface OpenThread {
  readonly handle: ThreadHandle
  readonly thread: Thread
  /** The logs that it has read: for its turns, and for its relays. */
  readonly logs: readonly LiveLog[]
}

/** How many bytes of their indexes are in memory, at most. A log of a million entries needs about 3 MB in every turn. */
export const heldPieces = 16_000_000

/** Threads that are kept open for several books. Made with `threadCache()`. */
export interface ThreadCache {
  /** How many there are now. */
  readonly count: number
  /** The entries from this seq on, as far as they were read. Undefined if the first of them is not in memory. */
  since(store: Store, thread: string, seq: number): readonly StoredEntry[] | undefined
}

/**
 * Keeps the threads of several books open, all of them together within these limits.
 *
 * @example
 * const heldThreads = threadCache({ threads: 200 })
 * const books = stores.map((store) => openBook({ store, model, window, heldThreads }))
 */
export function threadCache(limits: ThreadCacheOptions = {}): ThreadCache {
  return new OpenThreads(limits)
}

/**
 * Which threads does a book keep open? Those that were opened last. If a thread is opened again with the same options, it
 * is the same object: what was read and counted for one caller is there for the next. With other options, it is another
 * one. The longest unused ones are let go if there are too many, or if they hold too much. Who still uses one of them is
 * not disturbed. Several books may share one. It is a class so that a book knows it when it gets it as a `ThreadCache`.
 */
export class OpenThreads implements ThreadCache {
  /** The one that was opened last is the last. */
  private held: readonly OpenThread[] = []
  private readonly most: number
  private readonly characters: number

  constructor({ threads = 64, characters = 16_000_000 }: ThreadCacheOptions) {
    this.most = threads
    this.characters = characters
  }

  get count(): number {
    return this.held.length
  }

  /** The thread of this store that is held, or a new one. */
  open(store: Store, id: string, options: OpenOptions, create: () => OpenThread): OpenThread {
    const known = this.held.find(
      ({ handle }) => handle.thread === id && handle.store === store && isSame(handle.options, options),
    )
    const found = known && sizeOf(known) <= this.characters / 2 ? known : create()
    const others = this.held.filter((each) => each !== known)
    this.held = newestOf([...others, found], this.most, this.characters)
    return found
  }

  since(store: Store, id: string, seq: number): readonly StoredEntry[] | undefined {
    const logs = this.held.flatMap(({ handle, logs }) => (handle.thread === id && handle.store === store ? logs : []))
    // A log that was read from a checkpoint on may have older messages, which wait, but not what came between.
    const isWhole = (entries: readonly StoredEntry[]): boolean =>
      entries[0]?.seq === seq && entries.at(-1)?.seq === seq + entries.length - 1
    const found = logs.map((log) => log.since(seq)).filter(isWhole)
    return found.toSorted((one, other) => other.length - one.length)[0]
  }

  /** Lets go of a thread that was removed. */
  forget(store: Store, id: string): void {
    this.held = this.held.filter(({ handle }) => handle.thread !== id || handle.store !== store)
  }
}

/** What a book holds: the threads that it shares, or this number of its own. */
export function openThreads(given: ThreadCache | number | undefined): OpenThreads {
  if (given instanceof OpenThreads) return given
  return new OpenThreads({ threads: typeof given === 'number' ? given : undefined })
}

/** The newest of these threads, as many as may be held. */
function newestOf(threads: readonly OpenThread[], most: number, characters: number): OpenThread[] {
  let left = characters
  const first = threads.findLastIndex((each) => (left -= sizeOf(each)) < 0)
  return threads.slice(Math.max(first + 1, threads.length - most))
}

function sizeOf({ logs }: OpenThread): number {
  return logs.reduce((sum, { size }) => sum + size, 0)
}

/** True if a thread was opened with the same options: the same values, and the same objects and functions. */
export function isSame(one: object, other: object): boolean {
  const [left, right] = [new Map<string, unknown>(Object.entries(one)), Object.entries(other)]
  return left.size === right.length && right.every(([name, value]) => left.has(name) && left.get(name) === value)
}
