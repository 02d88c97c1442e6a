import type { Entry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { traits } from './kind.ts'

/**
 * The entries of one branch, oldest first: from the root to `head` (the newest entry by default).
 * Entries that hang off the chain stand right after the entry they belong to; one of them as `head` means that entry.
 * With `after`, only what follows an entry of the branch: so the end of a log is enough.
 *
 * @example
 * const branch = history(log, { head: entry.id })
 */
export function history<E extends Entry>(log: readonly E[], { head, after = null }: { readonly head?: string; readonly after?: string | null } = {}): E[] {
  return branchOf(log, head ?? newestChained(log)?.id ?? null, after)
}

/** The same, from what follows `root` on. `fail`: of an entry that is not in the log. */
export function branchOf<E extends Entry>(log: readonly E[], head: string | null, root: string | null, fail: (id: string) => MinutebookError = unknownEntry): E[] {
  const entries = new Map(log.map((entry) => [entry.id, entry]))
  const hanging = hangingIn(log)
  const chain: E[] = []
  for (let next = head; next !== root; ) {
    const entry = entries.get(next ?? '')
    if (!entry) throw fail(next ?? '')
    if (traits[entry.kind].chained) chain.push(entry)
    next = entry.parent
  }
  return [hanging.get(root) ?? [], ...chain.reverse().map((entry) => [entry, ...(hanging.get(entry.id) ?? [])])].flat()
}

/** What every store throws that is asked for a branch it does not have. */
export function unknownEntry(id: string): MinutebookError {
  return new MinutebookError('unknown_entry', `The log has no entry ${id}; pass the id of one of its entries.`)
}

/** What hangs off each entry, and off the root. */
function hangingIn<E extends Entry>(log: readonly E[]): Map<string | null, E[]> {
  const hanging = new Map<string | null, E[]>()
  for (const entry of log) {
    if (traits[entry.kind].chained) continue
    const others = hanging.get(entry.parent)
    if (others) others.push(entry)
    else hanging.set(entry.parent, [entry])
  }
  return hanging
}

/** The newest entry of the chain, on whatever branch. */
export function newestChained<E extends Entry>(log: readonly E[]): E | undefined {
  return log.findLast((entry) => traits[entry.kind].chained)
}
