import { AsyncLocalStorage } from 'node:async_hooks'
import type { Thread, ThreadContext } from './book/thread.ts'
import { MinutebookError } from './log/error.ts'

const storage: AsyncLocalStorage<Thread> = new AsyncLocalStorage()

/**
 * Option of a book whose turns use `currentThread`.
 *
 * @example
 * const book = openBook({ store, model, window: 4096, tools, threadContext })
 */
export const threadContext: ThreadContext = storage

/**
 * Which thread is this code working for? Returns the thread of the turn that runs the code: in a tool, in a model, and
 * in all that they call and await. The book that runs the turn sets it, on any instance, if it was opened with
 * `threadContext`. The caller of `send` or `retry` need not. Throws `no_current_thread` outside of a turn: there is no
 * default.
 *
 * @example
 * const found = await currentThread().state(hypothesis)
 */
export function currentThread(): Thread {
  const thread = storage.getStore()
  if (thread) return thread
  throw new MinutebookError(
    'no_current_thread',
    'No thread is current here.',
    'Call it in a tool of a book that was opened with threadContext, or pass the thread as an argument. Callbacks of pools and emitters made elsewhere run outside of the turn.',
  )
}
