import { getHeapStatistics } from 'node:v8'

/**
 * What the parts of a server may hold, in bytes but for the last two. What is left is for everything else, and for
 * estimates that are wrong.
 */
export interface HeapShares {
  /** Bodies of requests under way. */
  readonly bodies: number
  /** Threads that requests under way have read. */
  readonly threads: number
  /** Threads that are kept for the next request, of chats; of responses as many again. */
  readonly shelf: number
  /** Of one answer of an upstream. */
  readonly answer: number
  /** Requests of one tenant that may be under way at once: those who follow a thread hold little, but something. */
  readonly requests: number
  /** About how many characters one thread may hold. */
  readonly threadLimit: number
}

/**
 * Shares of the heap that this process may have (`--max-old-space-size`): the same settings serve a small machine and a
 * large one.
 *
 * @example
 * const { bodies } = heapShares()
 */
export function heapShares(heap: number = getHeapStatistics().heap_size_limit): HeapShares {
  const part = (of: number): number => Math.floor(heap / of)
  return {
    bodies: part(4),
    threads: part(8),
    shelf: part(16),
    answer: part(64),
    requests: part(512 << 10),
    threadLimit: Math.min(64 << 20, part(64)),
  }
}
