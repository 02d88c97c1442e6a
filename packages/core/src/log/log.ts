import type { Entry } from './entry.ts'
import { fail, MinutebookError } from './error.ts'
import { traits, type Kind } from './kind.ts'

/**
 * Which entries belong to a branch? Returns them oldest first, from the root to `head`. Default: the newest chained
 * entry. Entries that hang off the chain follow directly after the entry they belong to; if `head` is one of them, its
 * parent is meant. With `after`, only the entries that follow that entry: for this, the end of a log is enough.
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

/** The same for what follows `root`. */
export function branchOf<E extends Entry>(log: readonly E[], head: string | null, root: string | null): E[] {
  return lineOf(log, head, root) ?? fail(unknownEntry(missingIn(log, head)))
}

/** The same. Undefined if the log does not have all of it. */
export function lineOf<E extends Entry>(log: readonly E[], head: string | null, root: string | null): E[] | undefined {
  const entries = new Map(log.map((entry) => [entry.id, entry]))
  const hanging = hangingIn(log)
  const chain: E[] = []
  for (let next = head; next !== root;) {
    const entry = entries.get(next ?? '')
    if (!entry) return undefined
    if (traits[entry.kind].chained) chain.push(entry)
    next = entry.parent
  }
  return [hanging.get(root) ?? [], ...chain.reverse().map((entry) => [entry, ...(hanging.get(entry.id) ?? [])])].flat()
}

/** The first entry of the way from `head` to the root that a log does not have. */
function missingIn(log: readonly Entry[], head: string | null): string {
  const parents = new Map(log.map(({ id, parent }) => [id, parent]))
  let next = head
  while (next !== null && parents.has(next)) next = parents.get(next)!
  return next ?? ''
}

/** The same as far as the log goes back. Empty if it does not have `head`. */
export function endOf<E extends Entry>(log: readonly E[], head: string): E[] {
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  let root: string | null = head
  for (let next = byId.get(head); next; next = byId.get(root ?? '')) root = next.parent
  return branchOf(log, head, root).filter(({ parent, kind }) => parent !== root || traits[kind].chained)
}

/** The error that every store throws if it is asked for a branch that it does not have. */
export function unknownEntry(id: string): MinutebookError {
  return new MinutebookError('unknown_entry', `The log has no entry ${id}.`, 'Pass the id of one of its entries.')
}

/** The entries that hang off each entry, and off the root. */
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

/** The newest chained entry, on any branch. */
export function newestChained<E extends Entry>(log: readonly E[]): E | undefined {
  return log.findLast((entry) => traits[entry.kind].chained)
}

/**
 * Returns the current head of a log: the newest chained entry, or the entry that a newer receipt, stop or retry hangs
 * off. If a model gives the same answer twice, that is only one entry, and only its second receipt shows that it was
 * given again.
 */
export function headOf(log: readonly Entry[]): string | null {
  const last = log.findLast(({ kind }) => traits[kind].chained || turnEndKinds.has(kind))
  if (!last) return null
  return traits[last.kind].chained ? last.id : last.parent
}

/**
 * The newest entry by seq. It need not be the last of the branch: a side entry comes right after its parent, and may be
 * newer than the entries behind it.
 */
export function newestOf(branch: readonly Entry[]): string {
  let newest: Entry | undefined
  for (const entry of branch)
    if ((traits[entry.kind].prompted || changesPrompts(entry)) && entry.seq > (newest?.seq ?? -1)) newest = entry
  return newest?.id ?? ''
}

/** True if an entry tells which other entries are in prompts. */
export function changesPrompts({ kind }: Entry): boolean {
  return kind === 'revocation' || kind === 'pin'
}

/** Entries that tell where a turn is: it ended there, or it continues from there. */
export const turnEndKinds: ReadonlySet<Kind> = new Set(['receipt', 'stop', 'retry'])

/**
 * Returns the entries of the branch that ends with `head`, with what hangs off them, as of the first `length` entries
 * of the log. Undefined if the log does not have all of them.
 */
export type BranchReader<E extends Entry> = (head: string | null, length?: number) => readonly E[] | undefined

/**
 * Like `history`, but updated as the log grows: if a branch only gets longer, only new entries are read. `root`: the
 * entry before the first, if the log is only the end of one.
 */
export function followBranch<E extends Entry>(log: readonly E[], root: string | null = null): BranchReader<E> {
  let read = 0
  let tip = root
  let entries: E[] = []
  let chain = new Set<string | null>([root])
  /** The list that was returned last, while it is still complete. */
  let given: readonly E[] | undefined

  /** Returns false if a part of the branch is missing. What is known of another branch then stays. */
  const start = (head: string | null, length: number): boolean => {
    const found = lineOf(log.slice(0, length), head, root)
    if (!found) return false
    entries = found
    chain = new Set([root, ...entries.filter(({ kind }) => traits[kind].chained).map(({ id }) => id)])
    read = length
    tip = head
    given = undefined
    return true
  }
  /** Returns false if a new entry hangs off an entry before the end of the branch. */
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
    if ((length < read || !goOn(length) || tip !== head) && !start(head, length)) return undefined
    return (given ??= entries.slice())
  }
}

/** An entry that another branch has in the same place, and the newest entry of that branch. */
export interface BranchLink {
  readonly id: string
  /** Pass it as `head` to see the branch. If the branch divides again, this is its newest end. */
  readonly head: string
}

/**
 * Which other entries do branches have in an entry's place? Returns, for each chained entry whose parent has several, all
 * of them in the order of the log, with the entry itself: an edited message next to the one that it replaced, an answer
 * next to the other answers.
 */
export function siblingsIn(log: readonly Entry[]): ReadonlyMap<string, readonly BranchLink[]> {
  const chain = log.filter(({ kind }) => traits[kind].chained)
  const heads = new Map<string, string>()
  for (const { id, parent } of chain.toReversed()) {
    const head = heads.get(id) ?? id
    heads.set(id, head)
    if (parent !== null && !heads.has(parent)) heads.set(parent, head)
  }
  const places = new Map<string | null, Entry[]>()
  for (const entry of chain) {
    const others = places.get(entry.parent)
    if (others) others.push(entry)
    else places.set(entry.parent, [entry])
  }
  const siblings = new Map<string, readonly BranchLink[]>()
  for (const entries of places.values()) {
    if (entries.length < 2) continue
    const all = entries.map(({ id }) => ({ id, head: heads.get(id)! }))
    for (const { id } of entries) siblings.set(id, all)
  }
  return siblings
}
