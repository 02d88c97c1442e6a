import { history, type Entry, type TokenCounter } from 'minutebook'
import { costsAsSent, sharesAsSent, type Plan, type Share, type Span, type ThreadDump } from 'minutebook/inspect'
import { entryOf, traits, type StoredEntry } from 'minutebook/store'

/** A model call that was sent unchanged, and the log that it is in. */
export interface SentCall {
  readonly dump: ThreadDump
  readonly log: readonly StoredEntry[]
  /** The estimator unless told. */
  readonly counter?: TokenCounter | undefined
}

/** Why the model saw what it saw: nobody planned it, so all that can be told is what each stretch costs, about. */
export function explainAsSent({ dump, log, counter }: SentCall): {
  readonly shares: readonly Share[]
  readonly plan: Plan
} {
  const { costs, tools } = costsAsSent(dump, counter)
  const entries = dump.messages.map((message) => entryOf(message))
  return {
    shares: sharesAsSent(dump, counter),
    plan: { ...dump.plan, tools, spans: spansOf(dump, log, entries, costs) },
  }
}

/** Each stretch with what its messages cost; as they are where it cannot be told which these are. */
function spansOf(
  { plan: { spans, entries: length }, receipt }: ThreadDump,
  log: readonly StoredEntry[],
  entries: readonly Entry[],
  costs: readonly number[],
): readonly Span[] {
  const upto = log.findIndex(({ id }) => id === receipt?.upto) + 1
  const branch = history(log.slice(0, upto), { ...(receipt && { head: receipt.head }) }).filter(
    ({ kind }) => traits[kind].prompted,
  )
  const costOf = costsByEntry(branch, spans, entries, costs)
  if (branch.length !== length || !costOf) return spans
  return spans.map((span) => ({
    ...span,
    tokens: branch.slice(span.from, span.to).reduce((sum, { id }) => sum + (costOf.get(id) ?? 0), 0),
  }))
}

/** A client sends system messages first, whenever they came; all others are in the order of the log. */
function costsByEntry(
  branch: readonly StoredEntry[],
  spans: readonly Span[],
  entries: readonly Entry[],
  costs: readonly number[],
): Map<string, number> | undefined {
  const sent = spans.filter(({ verdict }) => verdict === 'verbatim').flatMap(({ from, to }) => branch.slice(from, to))
  const isSystem = ({ kind }: { readonly kind: string }): boolean => kind === 'system'
  const found = [...sent.filter(isSystem), ...sent.filter((entry) => !isSystem(entry))]
  const weighed = entries.map((entry, index) => ({ kind: entry.kind, cost: costs[index]! }))
  const ordered = [...weighed.filter(isSystem), ...weighed.filter((one) => !isSystem(one))]
  if (found.length !== ordered.length || found.some(({ kind }, index) => kind !== ordered[index]!.kind))
    return undefined
  return new Map(found.map(({ id }, index) => [id, ordered[index]!.cost]))
}
