import { branchOf, headOf } from '../log/branch.ts'
import { traits } from '../log/kind.ts'
import type { Standing, Store, StoredEntry } from '../log/store.ts'
import { visible, type VisibleEntry } from '../log/visible.ts'

/**
 * The end of a log, for one who reads on from a place in it and needs no more of what was before than the turn that it
 * stands in.
 */
export interface Tail {
  /** How the thread stood before what was read last. */
  readonly standing: Standing
  /** Whether all was read. */
  readonly isWhole: boolean
  /** Reads what follows, so many entries at most. */
  read(most?: number): Promise<void>
  /** What was read, from this seq on. */
  since(seq: number): readonly StoredEntry[]
  /** The turn that the log stands in. */
  turn(): Promise<readonly StoredEntry[]>
  /** Entries that were read, each as people see it; undefined where they do not. */
  view(entries: readonly StoredEntry[]): Promise<readonly (VisibleEntry | undefined)[]>
}

/** How many entries are kept at least. */
const shortest = 256

export function createTail(store: Store, thread: string, from: number): Tail {
  let standing: Standing | undefined
  let start = from
  let entries: StoredEntry[] = []
  let byId = new Map<string, StoredEntry>()

  const end = (): number => start + entries.length
  const keep = (kept: StoredEntry[]): void => {
    start = end() - kept.length
    entries = kept
    byId = new Map(entries.map((entry) => [entry.id, entry]))
  }
  /** Reads what was before, ever more. */
  const widen = async (): Promise<void> => {
    keep([
      ...(await store.read(thread, { from: Math.max(0, start - shortest - 4 * entries.length), to: start })),
      ...entries,
    ])
  }
  /**
   * The first entry on the way back from this one of which `isLast` holds, or the root's; undefined where the way leads
   * to what was not read.
   */
  const wayBack = (id: string | null, isLast: (entry: StoredEntry) => boolean): StoredEntry[] | undefined => {
    const way: StoredEntry[] = []
    for (let next = id; next !== null; next = way[0]!.parent) {
      const entry = byId.get(next)
      if (!entry) return undefined
      way.unshift(entry)
      if (isLast(entry)) break
    }
    return way
  }
  /** The calls that a result may answer, with the results before it. */
  const stepBefore = ({ kind, parent }: StoredEntry): StoredEntry[] | undefined =>
    kind === 'tool' ? wayBack(parent, (entry) => entry.kind !== 'tool') : []

  const tail: Tail = {
    get standing() {
      return standing ?? { head: null, length: 0, term: 0, erasures: 0 }
    },
    get isWhole() {
      return standing !== undefined && end() >= standing.length
    },
    read: async (most = Infinity) => {
      const before = standing
      standing = await store.standing(thread)
      // What was erased says something else by now.
      if (before && before.erasures !== standing.erasures) keep(await store.read(thread, { from: start, to: end() }))
      const fresh = tail.isWhole
        ? []
        : await store.read(thread, { from: end(), ...(most < Infinity && { to: end() + most }) })
      for (const entry of fresh) byId.set(entry.id, entry)
      entries.push(...fresh)
    },
    since: (seq) => entries.slice(Math.max(0, seq - start)),
    turn: async () => {
      for (;;) {
        const head = headOf(entries)
        const way = head === null && start > 0 ? undefined : wayBack(head, ({ kind }) => traits[kind].opensExchange)
        if (!way) {
          await widen()
          continue
        }
        const [first] = way
        if (!first) return []
        const branch = branchOf(entries, head, first.parent)
        forget(first.seq)
        return branch.slice(branch.indexOf(first))
      }
    },
    view: async (viewed) => {
      while (start > 0 && viewed.some((entry) => !stepBefore(entry))) await widen()
      return viewed.map((entry) => visible([...(stepBefore(entry) ?? []), entry]).find(({ id }) => id === entry.id))
    },
  }
  /** Keeps what comes from this seq on, and no less than the shortest tail. */
  const forget = (seq: number): void => {
    const first = Math.min(seq, end() - shortest) - start
    if (first > 3 * shortest) keep(entries.slice(first))
  }
  return tail
}
