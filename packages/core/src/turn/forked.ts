import { traits } from '../log/kind.ts'
import type { StoredEntry } from '../log/store.ts'
import { ends } from '../record/head.ts'

/**
 * The entries with which a fork of this branch begins, in the order in which they were written. What waits stays behind,
 * and so do the receipts and stops of turns that went another way: a fork stands where its branch ends.
 */
export function forked(branch: readonly StoredEntry[]): StoredEntry[] {
  let after = Infinity
  const kept = branch.toReversed().filter(({ kind, seq }) => {
    if (traits[kind].chained) after = seq
    return kind !== 'pending' && !(ends.has(kind) && seq > after)
  })
  return kept.toSorted((left, right) => left.seq - right.seq)
}
