import { clientKeyOf } from '../log/entry.ts'
import type { StoredEntry } from '../log/store.ts'
import type { Checkpoint } from './checkpoint.ts'
import { coversAllAfter } from './known-entries.ts'
import type { Reader } from './log-reader.ts'

/**
 * What of a log is before its loaded end, and how is more of it had? Whoever needs more asks here, waits, and goes on.
 * If another caller has forgotten it again meanwhile, it asks again.
 */
export interface Past {
  /** The checkpoint that the loaded entries continue. Undefined if all entries are loaded. */
  readonly start: Checkpoint | undefined
  /** Entries before `start`, as far as `earlier` has read them: all of them from the first one on. */
  readonly before: readonly StoredEntry[]
  /** The system entries among the landmarks of `start`. Undefined if they were not read. */
  readonly landmarks: readonly StoredEntry[] | undefined
  /** How often something of the log was erased, as of before it was read. */
  readonly erasures: number
  /** The seq of the newest usable checkpoint with a fold, or -1. */
  readonly foldSeq: number
  /** The same for any checkpoint. */
  readonly checkpointSeq: number
  /** True if the entry is loaded, or if all entries are. */
  has(id: string): boolean
  /** Loads everything that follows an entry (null: the root), if needed. */
  reach(id: string | null): Promise<void>
  /** Loads the whole log, if needed. */
  whole(): Promise<void>
  /**
   * Reads as many more entries before the loaded ones as were read already, at least `least`. If there are none or too
   * many, loads the whole log. For whoever looks for something that may be a little before `start`: ask again until it
   * is found.
   */
  earlier(least?: number): Promise<void>
  /** Returns what was sent under a key, on any branch. Loads it, and everything that followed, if needed. */
  sentUnder(key: string): Promise<readonly StoredEntry[]>
  /**
   * Saves a checkpoint, and uses it. If more than `most` entries are loaded, those before the checkpoint are forgotten,
   * as far as the newest turn does not need them.
   */
  save(checkpoint: Checkpoint, most?: number): Promise<void>
}

/**
 * `exclusively`: runs work while nothing else reads or writes the log. `isElsewhere`: whether a turn branches off from an
 * older entry. Then nothing is forgotten.
 */
export function createPast(
  reader: Reader,
  exclusively: (work: () => Promise<void>) => Promise<void>,
  isElsewhere: () => boolean,
): Past {
  const whole = (): Promise<void> => exclusively(() => reader.whole())
  return {
    get start() {
      return reader.known.start
    },
    get before() {
      return reader.known.before
    },
    get landmarks() {
      return reader.known.landmarks
    },
    get erasures() {
      return reader.erasures ?? 0
    },
    get foldSeq() {
      return reader.foldSeq
    },
    get checkpointSeq() {
      return reader.checkpointSeq
    },
    has: (id) => reader.known.start === undefined || reader.known.byId.has(id),
    reach: async (id) => {
      if (!coversAllAfter(reader.known, id)) await whole()
    },
    whole,
    earlier: (least = fewest) => exclusively(() => reader.earlier(least)),
    sentUnder: async (key) => {
      if (await reader.isForeign(key)) await whole()
      return reader.known.entries.filter((entry) => clientKeyOf(entry) === key)
    },
    save: (checkpoint, most = Infinity) =>
      exclusively(() => reader.save(checkpoint, !isElsewhere() && reader.known.entries.length > most)),
  }
}

/** How many entries before the loaded ones are read at least. */
const fewest = 16
