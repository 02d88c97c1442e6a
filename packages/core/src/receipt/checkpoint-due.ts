import { condensed } from '../fold/condensed.ts'
import type { Fold } from '../fold/fold.ts'
import { saveFold } from '../fold/saved-fold.ts'
import { traits } from '../log/kind.ts'
import type { Steps } from '../log/steps.ts'
import { standBefore, type Checkpoint } from '../record/checkpoint.ts'
import type { StoredEntry } from '../log/store.ts'
import type { LiveLog } from '../record/live-log.ts'
import { newestTurn } from '../record/next.ts'
import type { Follower } from './follower.ts'

/** When checkpoints are made, and under which settings. */
export interface Cadence {
  readonly settingsText: string
  readonly settingsHash: string
  /** After so many entries; 64 or as many as a checkpoint holds unless told. */
  readonly every?: number | undefined
}

export type CheckpointDue = () => Checkpoint | undefined

/** A log as it stands at one moment. */
export interface Moment extends Pick<LiveLog, 'start' | 'erasures' | 'kept'> {
  readonly entries: readonly StoredEntry[]
  readonly branch: readonly StoredEntry[]
}

/**
 * Makes the checkpoint before the newest turn, when its answer is on record; undefined where none is due. Only when a turn
 * begins: then whoever follows the branch comes by there anyway.
 */
export function* checkpointDue({ entries, branch, start, erasures, kept }: Moment, follow: Follower, { settingsText, settingsHash: settings, every }: Cadence): Steps<CheckpointDue | undefined> {
  const turn = newestTurn(branch)
  const begins = turn[0] !== undefined && traits[turn[0].kind].opensExchange && turn.every(({ kind }) => beginning.has(kind))
  if (!begins || turn[0]!.seq - kept <= (every ?? usual) || (start && start.settings !== settings)) return undefined
  const stand = standBefore(entries, branch, start)
  if (!stand || stand.seq - kept < (every ?? usual)) return undefined
  const before = branch.slice(0, branch.length - turn.length)
  const fold = yield* follow(before, start)
  if (fold.settings.policy.recall) return undefined
  const hasSettings = before.some(({ kind, text }) => kind === 'settings' && text === settingsText) || (start?.hasSettings ?? false)
  return () => {
    const small = condensed(fold)
    // One that knows everything saves nobody the reading.
    if (every === undefined && (small === fold || stand.seq - kept < sizeOf(small))) return undefined
    return { version: 1, ...stand, erasures, settings, hasSettings, fold: saveFold(small) }
  }
}

const usual = 64

/** What stands in a turn before its first model call. */
const beginning: ReadonlySet<string> = new Set(['user', 'system', 'pending', 'revocation'])

function sizeOf({ columns: { entries } }: Fold): number {
  return entries.values.length + entries.older.length
}
