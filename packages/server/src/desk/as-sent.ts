import { entryOf, estimator, history, traits, type Entry, type Plan, type Span, type StoredEntry, type ThreadDump, type TokenCounter } from 'minutebook'
import { withRest, type Share } from './shares.ts'

/** A model call that went as it came, and the log that it is in. */
export interface SentCall {
  readonly dump: ThreadDump
  readonly log: readonly StoredEntry[]
  /** The estimator unless told. */
  readonly counter?: TokenCounter | undefined
}

/** Why the model saw what it saw. Nobody planned it, so what it was predicted to cost is shared out among its messages by what they weigh. */
export function explainAsSent({ dump, log, counter = estimator }: SentCall): { readonly shares: readonly Share[]; readonly plan: Plan } {
  const { plan, messages, tools } = dump
  const entries = messages.map((message) => entryOf(message))
  const weights = entries.map((entry) => weightOf(entry, counter))
  const costs = sharedOut(plan.tokens, [...weights, tools.length === 0 ? 0 : counter.count(JSON.stringify(tools))])
  const ofTools = costs.pop() ?? 0
  return { shares: sharesOf(plan, entries, costs, ofTools), plan: { ...plan, tools: ofTools, spans: spansOf(dump, log, entries, costs) } }
}

function sharesOf(plan: Plan, entries: readonly Entry[], costs: readonly number[], tools: number): Share[] {
  const latest = entries.findLastIndex(({ kind }) => kind === 'user')
  const names = entries.map(({ kind }, index) => (kind === 'system' ? 'system' : index >= latest ? 'latest' : 'verbatim') as Share['name'])
  const of = (name: Share['name']): Share => ({ name, tokens: names.reduce((sum, other, index) => sum + (other === name ? costs[index]! : 0), 0) })
  return withRest(plan, [of('system'), { name: 'tools', tokens: tools }, of('verbatim'), of('latest')])
}

/** Each stretch with what its messages cost; as they are where it cannot be told which these are. */
function spansOf({ plan: { spans, entries: length }, receipt }: ThreadDump, log: readonly StoredEntry[], entries: readonly Entry[], costs: readonly number[]): readonly Span[] {
  const upto = log.findIndex(({ id }) => id === receipt?.upto) + 1
  const branch = history(log.slice(0, upto), { ...(receipt && { head: receipt.head }) }).filter(({ kind }) => traits[kind].prompted)
  const costOf = costsByEntry(branch, spans, entries, costs)
  if (branch.length !== length || !costOf) return spans
  return spans.map((span) => ({ ...span, tokens: branch.slice(span.from, span.to).reduce((sum, { id }) => sum + (costOf.get(id) ?? 0), 0) }))
}

/** A client sends system messages first, whenever they came; all others are in the order of the log. */
function costsByEntry(branch: readonly StoredEntry[], spans: readonly Span[], entries: readonly Entry[], costs: readonly number[]): Map<string, number> | undefined {
  const sent = spans.filter(({ verdict }) => verdict === 'verbatim').flatMap(({ from, to }) => branch.slice(from, to))
  const isSystem = ({ kind }: { readonly kind: string }): boolean => kind === 'system'
  const found = [...sent.filter(isSystem), ...sent.filter((entry) => !isSystem(entry))]
  const weighed = entries.map((entry, index) => ({ kind: entry.kind, cost: costs[index]! }))
  const ordered = [...weighed.filter(isSystem), ...weighed.filter((one) => !isSystem(one))]
  if (found.length !== ordered.length || found.some(({ kind }, index) => kind !== ordered[index]!.kind)) return undefined
  return new Map(found.map(({ id }, index) => [id, ordered[index]!.cost]))
}

function weightOf({ text, reasoning, calls, images }: Entry, counter: TokenCounter): number {
  return [text, reasoning, ...calls.map((call) => JSON.stringify(call))].reduce((sum, part) => sum + counter.count(part), around + images.length * ofImage)
}

/** What a template puts around a message, and what an image weighs, about. */
const around = 5
const ofImage = 768

/** A whole number in proportion to weights: whole numbers that add up to it. */
function sharedOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((before, weight) => before + weight, 0)
  let weighed = 0
  let given = 0
  return weights.map((weight) => {
    weighed += weight
    const upTo = sum === 0 ? 0 : Math.round((weighed / sum) * total)
    const own = upTo - given
    given = upTo
    return own
  })
}
