import type { Entry } from './entry.ts'
import { traits } from './kind.ts'

/** An entry that stands in the same place on another branch, and the newest entry of that branch. */
export interface SiblingEntry {
  readonly id: string
  /** Pass it as `head` to see the branch. If the branch divides again, this is its newest end. */
  readonly head: string
}

/**
 * Which other entries could stand in an entry's place? Returns, for each chained entry whose parent has several, all of
 * them in the order of the log, with the entry itself: an edited message next to the one that it replaced, an answer next
 * to the other answers.
 */
export function siblingsIn(log: readonly Entry[]): ReadonlyMap<string, readonly SiblingEntry[]> {
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
  const siblings = new Map<string, readonly SiblingEntry[]>()
  for (const entries of places.values()) {
    if (entries.length < 2) continue
    const all = entries.map(({ id }) => ({ id, head: heads.get(id)! }))
    for (const { id } of entries) siblings.set(id, all)
  }
  return siblings
}
