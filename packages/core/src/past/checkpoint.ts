import { withNewestSystemText, type Entry } from '../log/entry.ts'
import { landmarksOf, type Landmarks } from './landmarks.ts'
import { traits, type Kind } from '../log/kind.ts'
import { newestTurn, waitingIn } from '../log/next.ts'
import { openCalls } from '../log/open-call.ts'
import { pinnedIn } from '../log/pins.ts'
import type { StoredEntry } from '../log/store.ts'
import { payloadOf } from '../log/stored-entry.ts'

/**
 * How can a log be used without reading all of it? A checkpoint is the position of a branch before one of its turns, with
 * everything that is still needed from before. Plain data, stored next to the log. It can be lost at any time.
 * Everything that follows `head` is newer than it.
 */
export interface Checkpoint extends BranchPosition {
  readonly version: 2
  /** The thread's `erasures` from before the log was read. */
  readonly erasures: number
  /** The hash of the settings of its fold. Absent without a fold. */
  readonly settings?: string
  /** The seq of the entry of the branch that recorded these settings. Null if there is none. */
  readonly recorded: number | null
  /** True if an entry of the branch before the position was erased. */
  readonly isErased: boolean
  /** The seq of the newest call of a model before the position, on any branch. Null if there was none. */
  readonly call: number | null
  /** The saved fold of the branch, under these settings. */
  readonly fold?: unknown
}

/** A position on a branch. */
export interface BranchPosition {
  /** The chained entry at the position. */
  readonly head: string
  /** The seq of the newest entry before the position. */
  readonly seq: number
  /** The number of chained entries up to the position. Of system texts, only the newest counts. */
  readonly places: number
  /** The operator's last system text, or null. A new one is compared with it. */
  readonly system: string | null
  /** Waiting messages, as they are stored. */
  readonly pending: readonly { readonly seq: number; readonly checksum: string; readonly payload: string }[]
  /** The ids of the pinned entries up to the position. Absent if there are none. */
  readonly pins?: readonly string[]
  /** What must be known of the entries up to the position to place a client's history. Absent if that is too much. */
  readonly landmarks?: Landmarks
}

/**
 * The position before the newest turn of a branch. Undefined if a log that is read from there on would miss something.
 */
export function positionBeforeTurn(
  log: readonly StoredEntry[],
  branch: readonly StoredEntry[],
  start: BranchPosition | undefined,
): BranchPosition | undefined {
  const before = branch.slice(0, branch.length - newestTurn(branch).length)
  const chain = before.filter(({ kind }) => traits[kind].chained)
  const head = chain.at(-1)
  if (!head || openCalls(newestTurn(before)).length > 0) return undefined
  let seq = head.seq
  for (const entry of before) if (!loose.has(entry.kind) && entry.seq > seq) seq = entry.seq
  // The question, or an entry of another branch, was written before the last entry that hangs off the older part.
  if (log.some((entry) => entry.seq > head.seq && entry.seq <= seq && traits[entry.kind].chained)) return undefined
  const older = log.filter((entry) => entry.seq <= seq)
  const landmarks = landmarksOf(older, before, start)
  const pins = [...(start?.pins ?? []), ...pinnedIn(before)]
  return {
    head: head.id,
    seq,
    places: (start?.places ?? 0) + withNewestSystemText(chain).length,
    system: before.findLast(isOperatorMessage)?.text ?? start?.system ?? null,
    pending: waitingIn(older).map((entry) => ({ seq: entry.seq, checksum: entry.checksum, payload: payloadOf(entry) })),
    ...(pins.length > 0 && { pins }),
    ...(landmarks && { landmarks }),
  }
}

/** Entries that may be written later than what follows the entry that they hang off. No prompt needs them. */
export const loose: ReadonlySet<Kind> = new Set(['pending', 'form', 'feedback'])

export function isOperatorMessage({ kind, origin }: Entry): boolean {
  return kind === 'system' && origin === 'operator'
}
