import type { Entry } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import { payloadOf, storedFrom } from '../log/payload.ts'
import type { Snapshot, StoredEntry } from '../log/store.ts'
import { newestTurn, openCalls, waitingIn } from './next.ts'
import { withNewestSystemText } from './system-text.ts'

/**
 * Where a branch stood before one of its turns, with all that is still needed of what came before. Plain data, kept beside the
 * log; can be lost at any time. Whatever follows `head` is newer than it.
 */
export interface Checkpoint extends Stand {
  readonly version: 1
  /** The `erasures` from before the log was read that it was made of. */
  readonly erasures: number
  /** The hash of the settings that it is for, and whether the branch has them on record. */
  readonly settings?: string
  readonly hasSettings: boolean
  /** The saved fold of the branch, under these settings. */
  readonly fold?: unknown
}

/** A place on a branch. */
export interface Stand {
  /** The chained entry that it ends with. */
  readonly head: string
  /** The newest entry that went into it. */
  readonly seq: number
  /** How many chained entries the branch has up to here, of system texts only the newest. */
  readonly places: number
  /** What an operator said last, as the system text is compared with; null where nothing. */
  readonly system: string | null
  /** Messages that wait, as they are stored. */
  readonly pending: readonly { readonly seq: number; readonly checksum: string; readonly payload: string }[]
}

/** The place before the newest turn of a branch. Undefined where a log that is read from there on would not tell all that follows. */
export function standBefore(log: readonly StoredEntry[], branch: readonly StoredEntry[], start: Stand | undefined): Stand | undefined {
  const before = branch.slice(0, branch.length - newestTurn(branch).length)
  const chain = before.filter(({ kind }) => traits[kind].chained)
  const head = chain.at(-1)
  if (!head || openCalls(before).length > 0) return undefined
  let seq = head.seq
  for (const entry of before) if (entry.kind !== 'pending' && entry.seq > seq) seq = entry.seq
  // The question, or another branch, before the last that came to what is before it.
  if (log.some((entry) => entry.seq > head.seq && entry.seq <= seq && traits[entry.kind].chained)) return undefined
  const older = log.filter((entry) => entry.seq <= seq)
  return {
    head: head.id,
    seq,
    places: (start?.places ?? 0) + withNewestSystemText(chain).length,
    system: before.findLast(isOperators)?.text ?? start?.system ?? null,
    pending: waitingIn(older).map((entry) => ({ seq: entry.seq, checksum: entry.checksum, payload: payloadOf(entry) })),
  }
}

export function isOperators({ kind, origin }: Entry): boolean {
  return kind === 'system' && origin === 'operator'
}

export function pendingOf({ pending }: Stand): StoredEntry[] {
  return pending.map(storedFrom)
}

/** Without settings: the one for whoever makes no prompts, which has no fold. */
export function checkpointName(settings: string | undefined): string {
  return settings === undefined ? 'fold' : `fold:${settings}`
}

/** Undefined where there is none, or one of another time. */
export function checkpointFrom(snapshot: Snapshot | undefined, erasures: number, length: number): Checkpoint | undefined {
  const kept = snapshot?.value as Partial<Checkpoint> | null | undefined
  return kept?.version === 1 && kept.erasures === erasures && snapshot!.seq < length ? (kept as Checkpoint) : undefined
}
