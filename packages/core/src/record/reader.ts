import type { Pause } from '../log/steps.ts'
import type { Store, StoredEntry } from '../log/store.ts'
import { checkpointFrom, checkpointName, type Checkpoint } from './checkpoint.ts'
import { createKnown, learn, suffices, type Known } from './known.ts'
import { readingWork } from './pauses.ts'

/** How much of a log is read. */
export interface Reading {
  /** The hash of the settings under which prompts will be made, where some will be: the first time, their checkpoint is enough. */
  readonly settings?: string | undefined
  /** Everything is needed. */
  readonly whole?: boolean | undefined
}

/** Reads a log, from a checkpoint on where that is enough. One piece of work at a time. */
export interface Reader {
  readonly known: Known
  /** How often something was erased, as of before the log was read; undefined where it was not read yet. */
  readonly erasures: number | undefined
  /** The seq of the newest checkpoint that is of use; -1 where there is none. */
  readonly kept: number
  /** Reads what is new; everything anew where something was erased. */
  sync(reading: Reading): Promise<void>
  whole(): Promise<void>
  /** Takes in what was appended, with what others have written before it. */
  take(appended: readonly StoredEntry[]): Promise<void>
  /** Whether something was sent under a key of which nothing is known. */
  isForeign(key: string): Promise<boolean>
  keep(checkpoint: Checkpoint): Promise<void>
}

/** How many entries are read at once: first, at most, and as many as are worth so much work. */
const pages = { first: 64, most: 512, work: 250_000 }

export function createReader(store: Store, thread: string, pause: Pause): Reader {
  let known = createKnown()
  let erasures: number | undefined
  let kept = -1
  /** Whether it could not be found out that what is known is enough. */
  let isDoubtful = false

  /** Reads a long log page by page, with others in between. The next `sync` notices what is erased meanwhile. */
  const readPages = async (from: number): Promise<StoredEntry[]> => {
    const read: StoredEntry[] = []
    for (let page = pages.first; ; ) {
      const entries = await store.read(thread, { from: from + read.length, to: from + read.length + page })
      for (const entry of entries) read.push(entry)
      if (entries.length < page) return read
      const work = readingWork(entries)
      await pause(work)
      page = Math.max(1, Math.min(pages.most, Math.floor((page * pages.work) / work)))
    }
  }
  const readFrom = async (start?: Checkpoint): Promise<void> => {
    const read = await readPages(start ? start.seq + 1 : 0)
    known = createKnown(start)
    kept = start?.seq ?? -1
    isDoubtful = false
    await judge(learn(known, read))
  }
  /** Reads everything where what is known is not enough. */
  const judge = async (fresh: readonly StoredEntry[]): Promise<void> => {
    isDoubtful ||= !suffices(known, fresh)
    if (isDoubtful) return readFrom()
    isDoubtful = known.start !== undefined
    if (await isSentBefore(fresh)) return readFrom()
    isDoubtful = false
  }
  /** Whether a message waits under a key that was used long before: then it may wait no longer. */
  const isSentBefore = async (fresh: readonly StoredEntry[]): Promise<boolean> => {
    const keys = known.start ? new Set(fresh.flatMap(({ kind, status, key }) => (kind === 'pending' && status === 'complete' && key !== undefined ? [key] : []))) : []
    return (await Promise.all([...keys].map(isForeign))).includes(true)
  }
  const isForeign = async (key: string): Promise<boolean> => {
    if (!known.start) return false
    const older = await store.read(thread, { key, to: known.start.seq + 1 })
    return older.some(({ id }) => !known.byId.has(id))
  }
  const begin = async ({ settings, whole }: Reading): Promise<void> => {
    const load = whole ? undefined : store.snapshots.load(thread, checkpointName(settings))
    const [standing, snapshot] = await Promise.all([store.standing(thread), load])
    await readFrom(checkpointFrom(snapshot, standing.erasures, standing.length))
    erasures = standing.erasures
  }
  return {
    get known() {
      return known
    },
    get erasures() {
      return erasures
    },
    get kept() {
      return kept
    },
    sync: async (reading) => {
      if (erasures === undefined) return begin(reading)
      const [standing, read] = await Promise.all([store.standing(thread), readPages(known.length)])
      const isEnough = standing.erasures === erasures && !(reading.whole && known.start)
      await (isEnough ? judge(learn(known, read)) : readFrom())
      erasures = standing.erasures
    },
    whole: async () => {
      if (erasures === undefined) return begin({ whole: true })
      if (known.start) await readFrom()
    },
    take: async (appended) => {
      const fresh = learn(known, appended)
      // Others have written in between.
      if (appended.some(({ seq }) => seq >= known.length)) fresh.push(...learn(known, await readPages(known.length)))
      await judge(fresh)
    },
    isForeign,
    keep: async (checkpoint) => {
      const { settings, fold: _, head: id, seq, ...rest } = checkpoint
      const save = (name: string, value: Checkpoint): Promise<void> => store.snapshots.save(thread, name, { id, seq, value }, { erasures: value.erasures, only: true })
      await Promise.all([save(checkpointName(settings), checkpoint), save(checkpointName(undefined), { ...rest, head: id, seq })])
      kept = Math.max(kept, seq)
    },
  }
}
