import type { Entry } from 'minutebook'
import { verdicts, verdictTraits, type Plan, type Span, type Verdict } from 'minutebook/compile'

/** True if the model sees the text of an entry with this verdict, or a part of it. */
export function isSeen(verdict: Verdict | null): boolean {
  return verdict !== null && verdictTraits[verdict].sends !== 'nothing'
}

/** True if the prompt of a call does not have the text of the entry, although it could. */
export function isWithout(verdict: Verdict | null): boolean {
  return verdict !== null && !verdictTraits[verdict].isHidden && !isSeen(verdict)
}

/** What a plan says of the entry with this id. `entries`: those that it is about. Undefined if it is not one of them. */
export function verdictOf(
  plan: Plan,
  entries: readonly Entry[],
  id: string,
): (Pick<Span, 'verdict' | 'reason'> & { readonly index: number }) | undefined {
  const place = entries.findIndex((entry) => entry.id === id)
  const spans = plan.spans.filter(({ from, to }) => from <= place && place < to)
  return [...verdicts({ ...plan, spans }, entries)].find(({ index }) => index === place)
}
