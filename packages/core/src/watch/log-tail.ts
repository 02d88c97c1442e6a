import { branchOf, headOf, turnEndKinds } from '../log/log.ts'
import { MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { Standing, Store, StoredEntry } from '../log/store.ts'
import { visible, type VisibleEntry } from '../log/visible.ts'

/**
 * How does a watcher read only the end of a long log? Holds the entries from a position on, and loads older ones only
 * as far as the newest turn or a tool result needs them.
 */
export interface LogTail {
  /** The version of the thread, taken just before the last read of its entries. */
  readonly standing: Standing
  /** True if everything was read that the thread had at that version. */
  readonly isWhole: boolean
  /** Reads the entries that follow, at most `most`. Default: all. */
  read(most?: number): Promise<void>
  /** The loaded entries from this seq on. */
  since(seq: number): readonly StoredEntry[]
  /** The entries of the newest turn, as of the entries before `seq`. Default: of all entries. */
  turn(seq?: number): Promise<readonly StoredEntry[]>
  /**
   * Compares the newest branch before the entry `seq` with the newest branch now. Returns undefined if the log only
   * became longer.
   */
  change(seq: number): Promise<BranchChange | undefined>
  /** Each of these loaded entries as people see it. Undefined for an entry that they do not see. */
  view(entries: readonly StoredEntry[]): Promise<readonly (VisibleEntry | undefined)[]>
}

/** How the newest branch became another one: what follows `after` is replaced by `entries`. */
export interface BranchChange {
  /** The last visible entry that both branches have. Null if they have none. */
  readonly after: string | null
  /** True if the branch before had visible entries after it. */
  readonly drops: boolean
  readonly entries: readonly VisibleEntry[]
}

/** The lowest number of entries that stay loaded. */
const shortest = 256

/** How many entries before its position a tail reads at once: mostly all that is needed of them. */
const before = 16

/** Creates a tail that begins at the seq `from`. Nothing is read yet. */
export function createTail(store: Store, thread: string, from: number): LogTail {
  let standing: Standing | undefined
  let start = Math.max(0, from - before)
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
    const from = Math.max(0, start - shortest - 4 * entries.length)
    const older = await store.read(thread, { from, to: start })
    if (older.length === 0 || older.length < start - from) throw threadRemovedError()
    keep([...older, ...entries])
  }
  /**
   * Follows the parents back from `id`, up to the first entry for which `isLast` is true, or up to the root. Returns
   * these entries, oldest first, or undefined if a parent is not loaded.
   */
  const wayBack = (id: string | null, isLast: (entry: StoredEntry) => boolean): StoredEntry[] | undefined => {
    const way: StoredEntry[] = []
    for (let next = id; next !== null; next = way.at(-1)!.parent) {
      const entry = byId.get(next)
      if (!entry) return undefined
      way.push(entry)
      if (isLast(entry)) break
    }
    return way.reverse()
  }
  /** For a tool result: the entry with its calls, and the results before it. Undefined if they are not loaded. */
  const stepBefore = ({ kind, parent }: StoredEntry): StoredEntry[] | undefined =>
    kind === 'tool' ? wayBack(parent, (entry) => entry.kind !== 'tool') : []

  /** The head that the log had before the entry `seq`. */
  const headBefore = async (seq: number): Promise<string | null> => {
    for (;;) {
      const head = headOf(entries.slice(0, Math.max(0, seq - start)))
      if (head !== null || start === 0) return head
      await widen()
    }
  }
  /**
   * The newest question that both branches have, and that everything new hangs off. Undefined if they share no question:
   * then the branches must be compared from the beginning.
   */
  const sharedQuestion = async (
    one: string | null,
    other: string | null,
    fresh: readonly StoredEntry[],
  ): Promise<StoredEntry | undefined> => {
    const places = fresh.map(({ parent }) => parent)
    while (start > 0 && places.some((parent) => parent !== null && !byId.has(parent))) await widen()
    let lowest = Math.min(...places.map((parent) => byId.get(parent ?? '')?.seq ?? -1))
    for (let step = 1; lowest >= 0; step *= 2) {
      const isLast = ({ seq, kind }: StoredEntry): boolean => seq <= lowest && traits[kind].opensExchange
      const [first, second] = [wayBack(one, isLast)?.[0], wayBack(other, isLast)?.[0]]
      if (first && first.id === second?.id && isLast(first)) return first
      if (start > 0 && !(first && second)) await widen()
      else lowest -= step
    }
    return undefined
  }

  const tail: LogTail = {
    get standing() {
      return standing ?? { head: null, length: 0, term: 0, erasures: 0 }
    },
    get isWhole() {
      return standing !== undefined && end() >= standing.length
    },
    read: async (most = Infinity) => {
      const last = standing
      const next = end()
      // Asked for together, and in this order: a database answers both at once.
      const [now, read] = await Promise.all([
        store.standing(thread),
        store.read(thread, { from: next, to: next + most }),
      ])
      standing = now
      // Something was erased: load the same entries again.
      if (last && last.erasures !== now.erasures) {
        const known = entries
        keep(await store.read(thread, { from: start, to: end() }))
        if (known.some(({ id }, index) => entries[index]?.id !== id)) throw threadRemovedError()
      }
      // Not beyond that version: an entry of a later term, taken for one of this term, would go on with a text of another
      // runner.
      const fresh = read.filter(({ seq }) => seq < now.length)
      for (const entry of fresh) byId.set(entry.id, entry)
      entries.push(...fresh)
    },
    since: (seq) => entries.slice(Math.max(0, seq - start)),
    turn: async (seq = Infinity) => {
      for (;;) {
        const known = seq < end() ? entries.slice(0, Math.max(0, seq - start)) : entries
        const head = headOf(known)
        const way = head === null && start > 0 ? undefined : wayBack(head, ({ kind }) => traits[kind].opensExchange)
        if (!way) {
          await widen()
          continue
        }
        const [first] = way
        if (!first) return []
        const branch = branchOf(known, head, first.parent)
        if (known === entries) forget(first.seq)
        return branch.slice(branch.indexOf(first))
      }
    },
    change: async (seq) => {
      const fresh = tail.since(seq)
      // Without a new entry, nothing older need be loaded to say so.
      if (fresh.length === 0) return undefined
      const before = await headBefore(seq)
      if (isContinued(fresh, before)) return undefined
      const now = headOf(entries)
      const question = await sharedQuestion(before, now, fresh)
      while (!question && start > 0) await widen()
      const shown = async (log: readonly StoredEntry[], head: string | null): Promise<VisibleEntry[]> =>
        (await tail.view(branchOf(log, head, question?.id ?? null))).filter((entry) => entry !== undefined)
      const [old, all] = [await shown(entries.slice(0, seq - start), before), await shown(entries, now)]
      // What answers a question that was asked again counts as new, even if the words are the same.
      const again = new Set(fresh.flatMap(({ kind, parent }) => (kind === 'retry' ? [parent] : [])))
      const differs = old.findIndex(
        ({ id }, index) => id !== all[index]?.id || again.has(old[index - 1]?.id ?? question?.id ?? null),
      )
      const same = differs < 0 ? old.length : differs
      return {
        after: all[same - 1]?.id ?? question?.id ?? null,
        drops: same < old.length,
        entries: all.slice(same),
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

function threadRemovedError(): MinutebookError {
  return new MinutebookError(
    'thread_removed',
    'This thread was removed.',
    'Stop watching. If a new thread has its name, watch that one from its start.',
  )
}

/** True if each of these entries belongs to the branch that had this head, or hangs off its last entry. */
function isContinued(fresh: readonly StoredEntry[], head: string | null): boolean {
  return fresh.every((entry) => {
    const { chained } = traits[entry.kind]
    if (!chained && !turnEndKinds.has(entry.kind)) return true
    const goesOn = entry.parent === head
    if (chained) head = entry.id
    return goesOn
  })
}
