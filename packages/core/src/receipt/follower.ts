import { advancing, createFold, type Fold } from '../fold/fold.ts'
import { loadFold, type SavedFold } from '../fold/saved-fold.ts'
import type { Entry } from '../log/entry.ts'
import { traits } from '../log/kind.ts'
import { itemWork, type Steps } from '../log/steps.ts'
import type { CompileOptions } from '../policy/settings.ts'
import type { Checkpoint } from '../record/checkpoint.ts'
import { unread } from '../record/forgotten.ts'
import { isSystemText, withNewestSystemText } from '../record/system-text.ts'

/** A fold that grows with its branch, and starts over where that is another, or where something in it was revoked, erased or replaced. `start`: what the branch goes on from. */
export type Follower = (branch: readonly Entry[], start?: Checkpoint) => Steps<Fold>

export function createFollower(options: CompileOptions): Follower {
  let reached: { readonly followed: readonly Entry[]; readonly fold?: Fold; readonly places: number } = { followed: [], places: 0 }
  return function* (branch, start) {
    const { followed } = reached
    // After another start the entries are others, too: they were read anew.
    const from = isGrown(branch, followed) ? followed.length : 0
    // What it would stand for is in the fold already.
    if (start && branch.slice(from).some(isSystemText)) throw unread()
    let { fold, places } = from > 0 && reached.fold ? { ...reached, fold: reached.fold } : start ? { fold: loaded(start, options), places: start.places } : { fold: createFold(options), places: 0 }
    const revoked = new Set(branch.slice(from).filter(isRevocation).map(({ text }) => text))
    for (const entry of withNewestSystemText(branch.slice(from))) {
      if (traits[entry.kind].chained) places++
      // Prompts tell the numbers of entries: these are their places on the branch, the same in every fork of it.
      if (!revoked.has(entry.id)) fold = yield* advancing(fold, { ...entry, seq: places - 1 })
      yield itemWork
    }
    // Only now: others may have followed another branch in between, and each goes on from its own.
    reached = { followed: branch, fold, places }
    return fold
  }
}

/** One that cannot be loaded is as good as none. */
function loaded({ fold }: Checkpoint, options: CompileOptions): Fold {
  try {
    return loadFold(fold as SavedFold, options)
  } catch {
    throw unread()
  }
}

/** Whether nothing has happened but that more was said. An entry that was erased is another one by now. */
function isGrown(branch: readonly Entry[], before: readonly Entry[]): boolean {
  if (before.length > branch.length || branch.slice(before.length).some((entry) => isRevocation(entry) || isSystemText(entry))) return false
  return before.every((entry, index) => entry === branch[index])
}

function isRevocation({ kind }: Entry): boolean {
  return kind === 'revocation'
}
