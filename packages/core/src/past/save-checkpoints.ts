import { traits } from '../log/kind.ts'
import { newestTurn } from '../log/next.ts'
import type { StoredEntry } from '../log/store.ts'
import { inSlices, type Steps } from '../log/time.ts'
import { positionBeforeTurn, type Checkpoint } from './checkpoint.ts'
import type { FoldCache } from './fold-branch.ts'
import type { LiveLog } from './live-log.ts'
import {
  callBefore,
  checkpointOf,
  foldBeforeTurn,
  isErasedIn,
  spacingOf,
  type CheckpointOptions,
  type KnownLog,
} from './make-checkpoint.ts'

/**
 * When is a checkpoint of a growing log made and saved? At the start of a turn it is found out whether one is due, and
 * after the answer it is saved. What saves one never throws: a checkpoint can be lost at any time, and the next turn
 * tries again.
 */
export interface CheckpointSaver {
  /**
   * Returns a function that saves the checkpoint before the newest turn. It does nothing if none is due: the fold passes
   * this point only at the start of a turn, so only there it costs nothing extra.
   */
  beforeTurn(log: LiveLog, moment: KnownLog): Steps<() => Promise<void>>
  /**
   * For a call whose prompt was not folded: returns a function that saves the position before the newest turn, without a
   * fold. Undefined if none is due.
   */
  positionOnly(log: LiveLog, head: string): Promise<(() => Promise<void>) | undefined>
  /** Saves the checkpoint of a log that has grown by much without a turn. */
  ofGrown(log: LiveLog, moment: () => KnownLog): Promise<void>
}

/** `follow`: folds a branch as the prompts do. */
export function createCheckpointSaver(schedule: CheckpointOptions, follow: FoldCache): CheckpointSaver {
  const spacing = spacingOf(schedule)
  let isSaving = false
  /** Never two at once: each would remove segments that the other uses. */
  const save = async (log: LiveLog, make: () => Promise<Checkpoint | undefined>): Promise<void> => {
    if (isSaving) return
    isSaving = true
    try {
      const checkpoint = await make()
      if (checkpoint) await log.past.save(checkpoint, loaded * spacing)
    } catch {
      // The next turn tries again.
    } finally {
      isSaving = false
    }
  }
  return {
    beforeTurn: function* (log, moment) {
      const isDue = isTurnFar(moment.branch, moment.foldSeq, spacing)
      const position = isDue ? yield* foldBeforeTurn(moment, follow, schedule) : undefined
      if (!position) return async () => undefined
      // Relays may run at the same time: then another one may have saved it.
      return () =>
        save(log, async () => (log.past.foldSeq >= position.seq ? undefined : checkpointOf(log, position, schedule)))
    },
    positionOnly: (log, head) =>
      log.line(head, (branch) => {
        const { entries, past } = log
        const { start, erasures, checkpointSeq } = past
        if (!isTurnFar(branch, checkpointSeq, spacing)) return undefined
        const position = positionBeforeTurn(entries, branch, start)
        if (!position || position.seq - checkpointSeq < spacing) return undefined
        const call = callBefore(entries, position.seq, start, schedule.isCall)
        const isErased = isErasedIn(branch, start)
        // What was loaded from a fold stays loaded: the next call may need a prompt.
        const most = start?.settings === undefined ? loaded * spacing : Infinity
        return () =>
          past.save({ version: 2, ...position, erasures, recorded: null, isErased, call }, most).catch(() => undefined)
      }),
    ofGrown: async (log, moment) => {
      if (log.length - log.past.foldSeq <= loaded * spacing) return
      await save(log, async () => {
        const position = await inSlices(foldBeforeTurn(moment(), follow, schedule), log.pause)
        return position && checkpointOf(log, position, schedule)
      })
    },
  }
}

/** True if a turn begins, and it is far enough from the last checkpoint, at `last`. */
function isTurnFar(branch: readonly StoredEntry[], last: number, spacing: number): boolean {
  const turn = newestTurn(branch)
  const first = turn[0]
  if (!first || first.seq - last <= spacing) return false
  return traits[first.kind].opensExchange && turn.every(({ kind }) => beginning.has(kind))
}

/** A log that is short enough stays loaded: this many times the entries after which a checkpoint is due. */
const loaded = 16

/** The kinds of entries that a turn may have before its first model call. */
const beginning: ReadonlySet<string> = new Set(['user', 'system', 'pending', 'revocation', 'pin', 'feedback'])
