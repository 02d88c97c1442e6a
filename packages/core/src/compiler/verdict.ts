/**
 * What happened to an entry, as the parts of the prompt tell? `verbatim`: sent whole. `clipped`: sent with its head and
 * tail. `recalled`: quoted. `digested`: its exchange or step has its own line. `outlined`: counted in a line for several.
 * `omitted`: none of these. `hidden`: not meant for the prompt, or what it says is there already.
 */
export type Verdict = 'verbatim' | 'clipped' | 'recalled' | 'digested' | 'outlined' | 'omitted' | 'hidden'

/** What a verdict says of an entry. */
export interface VerdictTraits {
  /** How much of the entry's own text is in the prompt. */
  readonly sends: 'all' | 'part' | 'nothing'
  /** True if a line of the prompt covers the entry. */
  readonly isTold: boolean
  /** True if the entry is not meant for the prompt, or if what it says is there already. */
  readonly isHidden: boolean
}

/** Every verdict, in the order of a legend. */
export const verdictTraits: Readonly<Record<Verdict, VerdictTraits>> = {
  verbatim: { sends: 'all', isTold: false, isHidden: false },
  clipped: { sends: 'part', isTold: false, isHidden: false },
  recalled: { sends: 'all', isTold: false, isHidden: false },
  digested: { sends: 'nothing', isTold: true, isHidden: false },
  outlined: { sends: 'nothing', isTold: true, isHidden: false },
  omitted: { sends: 'nothing', isTold: false, isHidden: false },
  hidden: { sends: 'nothing', isTold: false, isHidden: true },
}

/** True if an entry with this verdict is in the prompt in full, or is not meant for it. */
export function isWhole(verdict: Verdict): boolean {
  return verdictTraits[verdict].sends === 'all' || verdictTraits[verdict].isHidden
}

/** True if a line of the prompt covers an entry with this verdict. */
export function isTold(verdict: Verdict): boolean {
  return verdictTraits[verdict].isTold
}

/** Neighbouring entries with one verdict. `notes`: how many of them are notes. */
interface Judged {
  readonly from: number
  readonly to: number
  readonly verdict: Verdict
  readonly notes: number
}

/**
 * The reason for a span's verdict in words. If the span is digested or outlined, it also says how many notes are left
 * out.
 */
export function whyOf({
  verdict,
  reason,
  notes,
}: Pick<Judged, 'verdict' | 'notes'> & { readonly reason: string }): string {
  return isTold(verdict) && notes > 0 ? `${reason}, without ${notes} ${notes === 1 ? 'note' : 'notes'}` : reason
}

/** How many entries have each verdict. */
export type VerdictCounts = Readonly<Partial<Record<Verdict, number>>>

/** How many entries of a plan have each verdict. */
export function verdictCounts(plan: { readonly spans: readonly Judged[] }): VerdictCounts {
  const counts: Partial<Record<Verdict, number>> = {}
  const count = (verdict: Verdict, entries: number): void => {
    if (entries > 0) counts[verdict] = (counts[verdict] ?? 0) + entries
  }
  for (const { verdict, from, to, notes } of plan.spans) {
    const omitted = isTold(verdict) ? notes : 0
    count(verdict, to - from - omitted)
    count('omitted', omitted)
  }
  return counts
}

/** How many messages are not in the prompt in full: clipped, digested, outlined or omitted. Notes are not counted. */
export function countNotWhole({ spans }: { readonly spans: readonly Judged[] }): number {
  return spans.reduce((sum, { verdict, from, to, notes }) => (isWhole(verdict) ? sum : sum + to - from - notes), 0)
}
