import type { Entry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { traits } from './kind.ts'

/**
 * The entries of one branch, oldest first: from the root to `head` (the newest entry by default).
 * Entries that hang off the chain stand right after the entry they belong to.
 *
 * @example
 * const branch = history(log, { head: entry.id })
 */
export function history<E extends Entry>(log: readonly E[], options: { readonly head?: string } = {}): E[] {
  const chain = new Map<string, E>()
  const hanging = new Map<string | null, E[]>()
  for (const entry of log) {
    if (traits[entry.kind].chained) chain.set(entry.id, entry)
    else hanging.set(entry.parent, [...(hanging.get(entry.parent) ?? []), entry])
  }
  const branch: E[] = []
  let next = options.head ?? newest(log)?.id ?? null
  while (next !== null) {
    const entry = chain.get(next)
    if (!entry) throw new MinutebookError('unknown_entry', `The log has no entry ${next}; pass an id from this log as head.`)
    branch.push(...(hanging.get(entry.id) ?? []).toReversed(), entry)
    next = entry.parent
  }
  return branch.reverse()
}

function newest<E extends Entry>(log: readonly E[]): E | undefined {
  return log.findLast((entry) => traits[entry.kind].chained)
}
