import { AsyncLocalStorage } from 'node:async_hooks'
import { MinutebookError } from './log/error.ts'
import type { Thread } from './book/thread.ts'

const carrier: AsyncLocalStorage<Thread> = new AsyncLocalStorage()

/**
 * Runs `run` with a current thread. Everything that it calls and awaits sees it, and nobody else does. A stream or
 * generator that it returns runs where it is consumed: consume it inside.
 *
 * @example
 * await withThread(thread, () => handle(request))
 */
export function withThread<R>(thread: Thread, run: () => R): R {
  return carrier.run(thread, run)
}

/**
 * The thread of the `withThread` that this runs in. Throws `no_current_thread` outside of one: there is no thread to
 * fall back to.
 *
 * @example
 * const found = await currentThread().state(hypothesis)
 */
export function currentThread(): Thread {
  const thread = tryCurrentThread()
  if (thread) return thread
  throw new MinutebookError(
    'no_current_thread',
    'No thread is current here; run this inside withThread(thread, () => …), or pass the thread as an argument. Callbacks of pools and emitters made elsewhere run outside.',
  )
}

/**
 * The current thread, or undefined outside of any.
 *
 * @example
 * const thread = tryCurrentThread() ?? (await book.thread(id))
 */
export function tryCurrentThread(): Thread | undefined {
  return carrier.getStore()
}
