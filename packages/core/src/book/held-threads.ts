import type { LiveLog } from '../log/log.ts'
import type { ThreadHandle } from '../turns/turn-run.ts'
import type { OpenOptions } from './thread-options.ts'
import type { Thread } from './thread.ts'

/**
 * Which threads does a book keep open? Those that were opened last. If a thread is opened again with the same options, it
 * is the same object: what was read and counted for one caller is there for the next. With other options, it is another
 * one. The longest unused ones are let go if there are too many, or if they hold too much. Who still uses one of them is
 * not disturbed.
 */
export interface OpenThreads {
  /** The thread that is held, or a new one. */
  open(id: string, options: OpenOptions, create: () => OpenThread): OpenThread
  /** Lets go of a thread that was removed. */
  forget(id: string): void
}

/** An open thread. */
export interface OpenThread {
  readonly handle: ThreadHandle
  readonly thread: Thread
  /** The logs that it has read: for its turns, and for its relays. */
  readonly logs: readonly LiveLog[]
}

/** How many threads are held by default. */
export const usuallyHeld = 64
/** How many bytes of their indexes are in memory, at most. A log of a million entries needs about 3 MB in every turn. */
export const heldPieces = 16_000_000
/** About how many characters all of them hold, at most. One thread may hold half of them. */
const mostCharacters = 16_000_000

export function createHeldThreads(most: number): OpenThreads {
  /** The one that was opened last is the last. */
  let held: OpenThread[] = []
  return {
    open: (id, options, create) => {
      const known = held.find(({ handle }) => handle.thread === id && isSame(handle.options, options))
      const found = known && sizeOf(known) <= mostCharacters / 2 ? known : create()
      held = newestOf([...held.filter((each) => each !== known), found], most)
      return found
    },
    forget: (id) => {
      held = held.filter(({ thread }) => thread.id !== id)
    },
  }
}

/** The newest of these threads, as many as may be held. */
function newestOf(threads: readonly OpenThread[], most: number): OpenThread[] {
  let left = mostCharacters
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
