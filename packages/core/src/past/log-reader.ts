import type { Checkpoint } from './checkpoint.ts'
import {
  addEntries,
  continued,
  coversNewestTurn,
  createKnown,
  landmarkSeqs,
  mayBeSettled,
  type KnownEntries,
} from './known-entries.ts'
import type { Standing, Store, StoredEntry } from '../log/store.ts'
import { checkpointFrom, checkpointName, type StoredLog } from './stored-log.ts'

/** How much of a log must be read. */
export interface ReadOptions {
  /**
   * The hash of the settings under which prompts will be made, if any. The first read then starts at the checkpoint for
   * these settings.
   */
  readonly settings?: string | undefined
  /**
   * True if a client's history will be placed. The landmarks are read too, and a checkpoint without a fold will do: the
   * first read starts at the newer one.
   */
  readonly history?: boolean | undefined
  /** True if everything is needed. */
  readonly whole?: boolean | undefined
  /**
   * Makes newer checkpoints with a fold, if the newest one that will do is long before the end of the log. Returns the
   * newest.
   */
  readonly catchUp?: ((from: Checkpoint | undefined, standing: Standing) => Promise<Checkpoint | undefined>) | undefined
}

/** How much of a log must be loaded? Reads a log from a checkpoint on, if that is enough. One operation at a time. */
export interface Reader {
  readonly known: KnownEntries
  /** How often something was erased, as of before the log was read. Undefined if it was not read yet. */
  readonly erasures: number | undefined
  /** The seq of the newest usable checkpoint with a fold, or -1. */
  readonly foldSeq: number
  /** The same for any checkpoint. */
  readonly checkpointSeq: number
  /** Reads what is new. If something was erased, reads everything again. Returns how far the thread had come before. */
  sync(reading: ReadOptions): Promise<Standing>
  whole(): Promise<void>
  /**
   * Reads as many more entries before those that are loaded as were read before them already, at least `least`; or
   * everything, if there are none or too many.
   */
  earlier(least: number): Promise<void>
  /** Adds entries that were appended, and those that others wrote before them. */
  take(appended: readonly StoredEntry[]): Promise<void>
  /** True if older entries that are not loaded were sent under this key. */
  isForeign(key: string): Promise<boolean>
  /** Saves a checkpoint. With `forget`, forgets what came before it, if that is not needed. */
  save(checkpoint: Checkpoint, forget: boolean): Promise<void>
}

export function createReader(store: Store, thread: string, stored: StoredLog): Reader {
  let known = createKnown()
  let erasures: number | undefined
  let foldSeq = -1
  let checkpointSeq = -1
  /** Set while it is unclear whether the loaded part is enough. The next sync then reads everything. */
  let isDoubtful = false
  /** Set once a client's history is placed in the log: whatever is loaded then needs its landmarks. */
  let isPlacing = false

  /** If something is erased meanwhile, the next `sync` notices. */
  const readFrom = async (start?: Checkpoint): Promise<void> => {
    const read = await stored.read({ from: start ? start.seq + 1 : 0 })
    known = createKnown(start)
    checkpointSeq = start?.seq ?? -1
    foldSeq = start?.settings === undefined ? -1 : start.seq
    isDoubtful = false
    await judge(addEntries(known, read))
  }
  /** Reads everything if the loaded part is not enough. */
  const judge = async (fresh: readonly StoredEntry[]): Promise<void> => {
    isDoubtful ||= !coversNewestTurn(known, fresh)
    if (isDoubtful) return readFrom()
    isDoubtful = known.start !== undefined
    if (await mayBeSettled(known, fresh, stored)) return readFrom()
    isDoubtful = false
  }
  const isForeign = async (key: string): Promise<boolean> => {
    if (!known.start) return false
    const older = await stored.sentAs(key, known.start.seq + 1)
    return older.some(({ id }) => !known.byId.has(id))
  }
  const readLandmarks = async (): Promise<void> => {
    if (known.landmarks || (known.start && !known.start.landmarks)) return
    const seqs = landmarkSeqs(known.start)
    known.landmarks = seqs.length > 0 ? await stored.entries(seqs) : []
  }
  /** False if what is loaded was read from the checkpoint of other settings. */
  const isEnough = ({ whole, settings, history }: ReadOptions): boolean =>
    !known.start || (!whole && (history === true || settings === undefined || settings === known.start.settings))
  const begin = async ({ settings, whole, history, catchUp }: ReadOptions): Promise<Standing> => {
    const names = whole ? [] : history ? [settings, undefined] : [settings]
    const load = Promise.all(names.map((name) => store.snapshots.load(thread, checkpointName(name))))
    const [standing, snapshots] = await Promise.all([store.standing(thread), load])
    const [newest, other] = snapshots.map((each) => checkpointFrom(each, standing.erasures, standing.length))
    const isNear = other !== undefined && standing.length - other.seq <= mostBehind
    const own = whole || !catchUp || isNear ? newest : await catchUp(newest, standing)
    await readFrom(own && (other?.seq ?? -1) - own.seq <= mostBehind ? own : (other ?? own))
    erasures = standing.erasures
    return standing
  }
  const syncRead = async (reading: ReadOptions): Promise<Standing> => {
    const standing = await store.standing(thread)
    if (standing.erasures !== erasures || !isEnough(reading)) return begin(reading)
    // Mostly no other process has written anything.
    await judge(addEntries(known, standing.length > known.length ? await stored.read({ from: known.length }) : []))
    return standing
  }
  return {
    get known() {
      return known
    },
    get erasures() {
      return erasures
    },
    get foldSeq() {
      return foldSeq
    },
    get checkpointSeq() {
      return checkpointSeq
    },
    sync: async (reading) => {
      const standing = erasures === undefined ? await begin(reading) : await syncRead(reading)
      isPlacing ||= reading.history === true
      if (isPlacing) await readLandmarks()
      return standing
    },
    whole: async () => {
      if (erasures === undefined) await begin({ whole: true })
      else if (known.start) await readFrom()
    },
    earlier: async (least) => {
      const { start, before } = known
      if (!start) return
      const to = before[0]?.seq ?? start.seq + 1
      const more = Math.max(least, before.length)
      if (to === 0 || more > mostBefore) return readFrom()
      const read = await stored.read({ from: Math.max(0, to - more), to })
      // The thread may have been removed since.
      if (read.at(-1)?.seq !== to - 1) return readFrom()
      known.before = [...read, ...before]
    },
    take: async (appended) => {
      const fresh = addEntries(known, appended)
      // Others have written in between.
      if (appended.some(({ seq }) => seq >= known.length))
        fresh.push(...addEntries(known, await stored.read({ from: known.length })))
      await judge(fresh)
    },
    isForeign,
    save: async (checkpoint, forget) => {
      await stored.save(checkpoint)
      checkpointSeq = Math.max(checkpointSeq, checkpoint.seq)
      if (checkpoint.settings !== undefined) foldSeq = Math.max(foldSeq, checkpoint.seq)
      if (forget) known = continued(checkpoint, known)
    },
  }
}

/** A checkpoint with a fold is used if it is not older than another by more than this many entries. */
const mostBehind = 512

/** More entries before the loaded ones are not read: the whole log is. */
const mostBefore = 65_536
