import { history, type Entry } from 'minutebook'
import { headOf } from '../../src/log/log.ts'

/** The entries that `thread.entries()` returns. */
export function newestBranch<E extends Entry>(log: readonly E[]): readonly E[] {
  const head = headOf(log)
  return head === null ? [] : history(log, { head })
}
