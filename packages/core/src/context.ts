import { AsyncLocalStorage } from 'node:async_hooks'
import { MinutebookError } from './log/error.ts'
import type { Thread } from './book/thread.ts'

const carrier: AsyncLocalStorage<Thread> = new AsyncLocalStorage()

/**
 * Which thread is this code working for? Runs `run` with a current thread. Everything that it calls and awaits sees
 * that thread, and no other code does. A stream or generator that it returns must be consumed inside, or it runs
 * without the thread.
 *
 * @example
 * await withThread(thread, () => handle(request))
 */
export function withThread<R>(thread: Thread, run: () => R): R {
  return carrier.run(thread, run)
}

/**
 * The thread of the surrounding `withThread`. Throws `no_current_thread` outside of one: there is no default.
 *
 * @example
 * const found = await currentThread().state(hypothesis)
 */
export function currentThread(): Thread {
  const thread = tryCurrentThread()
  if (thread) return thread
  throw new MinutebookError(
    'no_current_thread',
    'No thread is current here.',
    'Run this inside withThread(thread, () => …), or pass the thread as an argument. Callbacks of pools and emitters made elsewhere run outside.',
  )
}

/**
 * The current thread, or undefined outside of `withThread`.
 *
 * @example
 * const thread = tryCurrentThread() ?? (await book.thread(id))
 */
export function tryCurrentThread(): Thread | undefined {
  return carrier.getStore()
}
