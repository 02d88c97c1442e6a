import { branchOf, headOf } from '../log/branch.ts'
import { traits } from '../log/kind.ts'
import type { Standing, Store, StoredEntry } from '../log/store.ts'
import { visible, type VisibleEntry } from '../log/visible.ts'

/**
 * How does a watcher read only the end of a long log? Holds the entries from a position on, and loads older ones only
 * as far as the newest turn or a tool result needs them.
 */
export interface Tail {
  /** The version of the thread, taken just before the last read of its entries. */
  readonly standing: Standing
  /** True if everything was read that the thread had at that version. */
  readonly isWhole: boolean
  /** Reads the entries that follow, at most `most`. Default: all. */
  read(most?: number): Promise<void>
  /** The loaded entries from this seq on. */
  since(seq: number): readonly StoredEntry[]
  /** The entries of the newest turn. */
  turn(): Promise<readonly StoredEntry[]>
  /** Each of these loaded entries as people see it. Undefined for an entry that they do not see. */
  view(entries: readonly StoredEntry[]): Promise<readonly (VisibleEntry | undefined)[]>
}

/** The lowest number of entries that stay loaded. */
const shortest = 256

/** Creates a tail that begins at the seq `from`. Nothing is read yet. */
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
  /** Loads entries before the first loaded one. Each call loads more than the one before. */
  const widen = async (): Promise<void> => {
    keep([
      ...(await store.read(thread, { from: Math.max(0, start - shortest - 4 * entries.length), to: start })),
      ...entries,
    ])
  }
  /**
   * Follows the parents back from `id`, up to the first entry for which `isLast` is true, or up to the root. Returns
   * these entries, oldest first, or undefined if a parent is not loaded.
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
  /** For a tool result: the entry with its calls, and the results before it. Undefined if they are not loaded. */
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
      // Something was erased: load the same entries again.
      if (before && before.erasures !== standing.erasures) keep(await store.read(thread, { from: start, to: end() }))
      // Not beyond that version: an entry of a later term, taken for one of this term, would go on with a text of another
      // runner.
      const to = Math.min(standing.length, end() + most)
      const fresh = tail.isWhole ? [] : await store.read(thread, { from: end(), to })
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
  /** Drops entries before this seq from memory, but keeps at least `shortest` of them. */
  const forget = (seq: number): void => {
    const first = Math.min(seq, end() - shortest) - start
    if (first > 3 * shortest) keep(entries.slice(first))
  }
  return tail
}
