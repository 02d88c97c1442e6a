import type { Store } from '../log/store.ts'
import { headOf } from '../record/head.ts'
import { next } from '../record/next.ts'

/** As much of a log as tells whether its newest turn is over and nothing waits. */
const tailLength = 256

/** Whether a turn of this thread was cut short, or a message waits that was sent not long before. Reads no more than the end of the log. */
export async function needsWork(store: Store, thread: string): Promise<boolean> {
  const recent = await store.read(thread, { last: tailLength })
  const head = headOf(recent)
  const branch = head === null ? [] : await store.read(thread, { head, last: tailLength })
  return next(branch, recent).do !== 'rest'
}
