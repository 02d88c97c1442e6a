import type { Entry } from '../log/entry.ts'
import { branchOf } from '../log/history.ts'
import { traits } from '../log/kind.ts'
import { unread } from './forgotten.ts'

/** The entries of the line of conversation that ends with `head`, with what hangs off them, as far as the first `length` entries of the log tell. */
export type Line<E extends Entry> = (head: string | null, length?: number) => readonly E[]

/** `history`, kept up as the log grows: where it only goes on, it costs what is new. `root`: the entry before the first, where the log is only the end of one. */
export function createLine<E extends Entry>(log: readonly E[], root: string | null = null): Line<E> {
  let read = 0
  let tip = root
  let entries: E[] = []
  let chain = new Set<string | null>([root])
  /** What was given out last, while it is still all there is. */
  let given: readonly E[] | undefined

  const start = (head: string | null, length: number): void => {
    entries = branchOf(log.slice(0, length), head, root, unread)
    chain = new Set([root, ...entries.filter(({ kind }) => traits[kind].chained).map(({ id }) => id)])
    read = length
    tip = head
    given = undefined
  }
  /** False where an entry belongs before the end of the line. */
  const goOn = (length: number): boolean => {
    for (; read < length; read++) {
      const entry = log[read]!
      const { chained } = traits[entry.kind]
      if (entry.parent === tip) {
        entries.push(entry)
        given = undefined
      } else if (!chained && chain.has(entry.parent)) return false
      if (entry.parent === tip && chained) chain.add((tip = entry.id))
    }
    return true
  }
  return (head, length = log.length) => {
    if (length < read || !goOn(length) || tip !== head) start(head, length)
    return (given ??= entries.slice())
  }
}
