import type { Verdict } from '../inspector/inspection.ts'

/** An entry whose verdict would have been another. */
export interface VerdictChange {
  readonly id: string
  readonly before: Verdict | null
  readonly after: Verdict | null
}

type Judged = { readonly id: string; readonly verdict: Verdict }

/** The entries that became something else, in the order of the log. */
export function verdictChanges(before: readonly Judged[], after: readonly Judged[]): VerdictChange[] {
  const [earlier, later] = [byId(before), byId(after)]
  const ids = [...new Set([...before, ...after].map(({ id }) => id))]
  return ids
    .map((id) => ({ id, before: earlier.get(id) ?? null, after: later.get(id) ?? null }))
    .filter((change) => change.before !== change.after)
}

function byId(entries: readonly Judged[]): Map<string, Verdict> {
  return new Map(entries.map(({ id, verdict }) => [id, verdict]))
}

/** Whether the model sees the words of such an entry. */
export function isSeen(verdict: Verdict | null): boolean {
  return verdict === 'verbatim' || verdict === 'clipped' || verdict === 'recalled'
}
