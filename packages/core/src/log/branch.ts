import type { Entry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { traits, type Kind } from './kind.ts'

/**
 * The entries of one branch, oldest first: from the root to `head` (the newest entry by default). Entries that hang off
 * the chain stand right after the entry they belong to; one of them as `head` means that entry. With `after`, only what
 * follows an entry of the branch: so the end of a log is enough.
 *
 * @example
 * const branch = history(log, { head: entry.id })
 */
export function history<E extends Entry>(
  log: readonly E[],
  { head, after = null }: { readonly head?: string; readonly after?: string | null } = {},
): E[] {
  return branchOf(log, head ?? newestChained(log)?.id ?? null, after)
}

/** The same, from what follows `root` on. `fail`: of an entry that is not in the log. */
export function branchOf<E extends Entry>(
  log: readonly E[],
  head: string | null,
  root: string | null,
  fail: (id: string) => MinutebookError = unknownEntry,
): E[] {
  const entries = new Map(log.map((entry) => [entry.id, entry]))
  const hanging = hangingIn(log)
  const chain: E[] = []
  for (let next = head; next !== root;) {
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

/**
 * Where a log stands: at the entry that was chained last, or at the one that the newest receipt, stop or retry hangs
 * off. What a model says twice in one place is one entry, and only its second receipt tells that it was said again.
 */
export function headOf(log: readonly Entry[]): string | null {
  const last = log.findLast(({ kind }) => traits[kind].chained || turnEndKinds.has(kind))
  if (!last) return null
  return traits[last.kind].chained ? last.id : last.parent
}

/** What tells where a turn stands: it ended there, or is to go on from there. */
export const turnEndKinds: ReadonlySet<Kind> = new Set(['receipt', 'stop', 'retry'])

/**
 * The entries of the line of conversation that ends with `head`, with what hangs off them, as far as the first `length`
 * entries of the log tell.
 */
export type BranchReader<E extends Entry> = (head: string | null, length?: number) => readonly E[]

/**
 * `history`, kept up as the log grows: where it only goes on, it costs what is new. `root`: the entry before the first,
 * where the log is only the end of one.
 */
export function followBranch<E extends Entry>(log: readonly E[], root: string | null = null): BranchReader<E> {
  let read = 0
  let tip = root
  let entries: E[] = []
  let chain = new Set<string | null>([root])
  /** What was given out last, while it is still all there is. */
  let given: readonly E[] | undefined

  const start = (head: string | null, length: number): void => {
    entries = branchOf(log.slice(0, length), head, root, notLoadedError)
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

/** What is asked of a log of which only the end was read. */
export function notLoadedError(): MinutebookError {
  return new MinutebookError(
    'not_loaded',
    'Only the end of this log was read, which does not tell; read all of it first.',
  )
}

/** Whether something is not known any more, or was not read: then the whole log tells. */
export function isNotLoaded(error: unknown): boolean {
  return MinutebookError.isInstance(error) && error.code === 'not_loaded'
}
