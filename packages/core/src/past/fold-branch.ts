import { advanceInSteps, createFold, type Fold, type KnownTokens } from '../compiler/fold.ts'
import type { CompileOptions } from '../compiler/settings.ts'
import { changesPrompts } from '../log/log.ts'
import { isSystemText, type Entry } from '../log/entry.ts'
import { notLoadedError } from '../log/error.ts'
import { numbered } from '../log/numbers.ts'
import { pinnedSteps } from '../log/pins.ts'
import { itemWork, type Steps } from '../log/time.ts'
import type { Checkpoint } from './checkpoint.ts'
import { loadFold, type SavedFold } from './saved-fold.ts'

/**
 * A fold that grows with its branch. It starts over if the branch is another one, or if an entry in it was revoked,
 * pinned, unpinned, erased or replaced. `start`: the checkpoint that the branch continues.
 */
export type FoldCache = (branch: readonly Entry[], start?: Checkpoint) => Steps<Fold>

/** `known`: what the texts of entries are known to cost. */
export function createFoldCache(options: CompileOptions, known?: KnownTokens): FoldCache {
  let reached: { readonly followed: readonly Entry[]; readonly fold?: Fold; readonly places: number } = {
    followed: [],
    places: 0,
  }
  return function* (branch, start) {
    const { followed } = reached
    // After another start the entries are other objects, because they were read again.
    const from = isGrown(branch, followed) ? followed.length : 0
    // A newer system text replaces one that is already folded in; only the whole log can tell.
    if (start && branch.slice(from).some(isSystemText)) throw notLoadedError()
    let { fold, places } =
      from > 0 && reached.fold
        ? { ...reached, fold: reached.fold }
        : start
          ? { fold: loaded(start, options), places: start.places }
          : { fold: createFold(options), places: 0 }
    const revoked = new Set(
      branch
        .slice(from)
        .filter(({ kind }) => kind === 'revocation')
        .map(({ text }) => text),
    )
    const pinned = pinnedSteps(branch.slice(from))
    for (const [entry, place] of numbered(branch.slice(from), places)) {
      places = place + 1
      const facts = { place, ...(pinned.has(entry.id) && { pinned: true as const }) }
      if (!revoked.has(entry.id)) fold = yield* advanceInSteps(fold, { ...entry, ...facts }, known)
      yield itemWork
    }
    // Set only now: another call may have followed another branch in between, and each continues its own.
    reached = { followed: branch, fold, places }
    return fold
  }
}

/** A checkpoint that cannot be loaded counts as none. */
function loaded({ fold }: Checkpoint, options: CompileOptions): Fold {
  try {
    return loadFold(fold as SavedFold, options)
  } catch {
    throw notLoadedError()
  }
}

/** True if the branch only got longer. An entry that was erased since is another object. */
function isGrown(branch: readonly Entry[], before: readonly Entry[]): boolean {
  if (
    before.length > branch.length ||
    branch.slice(before.length).some((entry) => changesPrompts(entry) || isSystemText(entry))
  )
    return false
  return before.every((entry, index) => entry === branch[index])
}
