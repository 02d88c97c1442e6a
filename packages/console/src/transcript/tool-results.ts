import type { Entry } from '../api/entries.ts'

/** Entries as they are shown: a tool's result is with its call, if the call is there. */
export interface Paired {
  readonly rows: readonly Entry[]
  /** The results of an entry's calls, in the order of the calls. Undefined in the place of a call without one. */
  readonly results: ReadonlyMap<string, readonly (Entry | undefined)[]>
  /** The entry that a result is shown with. */
  readonly shownWith: ReadonlyMap<string, string>
}

/**
 * Pairs calls and results by id, or by their order if they have none.
 *
 * @example
 * pairResults([question, calling, result, answer]).rows // [question, calling, answer]
 */
export function pairResults(entries: readonly Entry[]): Paired {
  const results = new Map<string, (Entry | undefined)[]>()
  const shownWith = new Map<string, string>()
  let caller: Entry | undefined
  const rows = entries.filter((entry) => {
    if (entry.kind === 'assistant' || entry.kind === 'user') caller = entry
    if (entry.kind !== 'tool' || !caller) return true
    const own = results.get(caller.id) ?? caller.calls.map(() => undefined)
    const place = placeOf(entry, caller, own)
    if (place < 0) return true
    own[place] = entry
    results.set(caller.id, own)
    shownWith.set(entry.id, caller.id)
    return false
  })
  return { rows, results, shownWith }
}

function placeOf({ answers }: Entry, { calls }: Entry, taken: readonly (Entry | undefined)[]): number {
  return calls.findIndex(
    ({ id }, index) =>
      taken[index] === undefined && (answers?.id === undefined || id === undefined || answers.id === id),
  )
}
