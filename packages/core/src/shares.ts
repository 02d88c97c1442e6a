import { estimator } from './count/estimator.ts'
import type { TokenCounter } from './count/tokens.ts'
import { readMessage, type Content } from './log/message.ts'
import type { Part } from './plan/part.ts'
import type { Plan } from './plan/plan.ts'
import type { ThreadDump } from './thread-dump.ts'

/** A share of the window: what so many of its tokens are used for. */
export interface Share {
  readonly name: 'system' | 'tools' | 'notes' | 'pinned' | 'outline' | 'verbatim' | 'recalled' | 'latest' | 'free' | 'reserve'
  readonly tokens: number
}

/**
 * What the window is used for, in the order of the prompt. The shares add up to the window, or to the prompt where that is larger.
 *
 * @example
 * sharesOf(compile(messages, { window: 4096 }).plan).map(({ name, tokens }) => `${name} ${tokens}`)
 */
export function sharesOf(plan: Plan): Share[] {
  const of = (...tiers: readonly Part['tier'][]): number => plan.parts.reduce((sum, { tier, tokens }) => sum + (tiers.includes(tier) ? tokens : 0), 0)
  return withRest(plan, [
    { name: 'system', tokens: of('system') + plan.overhead },
    { name: 'tools', tokens: plan.tools },
    { name: 'notes', tokens: of('notes') },
    { name: 'pinned', tokens: of('pinned') },
    { name: 'outline', tokens: of('outline', 'marker') },
    { name: 'verbatim', tokens: of('verbatim') },
    { name: 'recalled', tokens: of('recall') },
    { name: 'latest', tokens: of('current') },
  ])
}

/** The same of a prompt that was sent as it came. */
export function sharesAsSent(sent: SentPrompt, counter: TokenCounter = estimator): Share[] {
  const { costs, tools } = costsAsSent(sent, counter)
  const kinds = sent.messages.map((message) => readMessage(message).kind)
  const latest = kinds.lastIndexOf('user')
  const names = kinds.map((kind, index) => (kind === 'system' ? 'system' : index >= latest ? 'latest' : 'verbatim') as Share['name'])
  const of = (name: Share['name']): Share => ({ name, tokens: names.reduce((sum, other, index) => sum + (other === name ? costs[index]! : 0), 0) })
  return withRest(sent.plan, [of('system'), { name: 'tools', tokens: tools }, of('verbatim'), of('latest')])
}

type SentPrompt = Pick<ThreadDump, 'plan' | 'messages' | 'tools'>

/** What each message of a prompt that was sent as it came costs, and its tools. Nobody planned it, so what it was predicted to cost is shared out by what they weigh. */
export function costsAsSent({ plan, messages, tools }: SentPrompt, counter: TokenCounter = estimator): { readonly costs: readonly number[]; readonly tools: number } {
  const weights = messages.map((message) => weightOf(readMessage(message), counter))
  const costs = sharedOut(plan.tokens, [...weights, tools.length === 0 ? 0 : counter.count(JSON.stringify(tools))])
  const ofTools = costs.pop() ?? 0
  return { costs, tools: ofTools }
}

function weightOf({ text, reasoning, calls, images }: Content, counter: TokenCounter): number {
  return [text, reasoning, ...calls.map((call) => JSON.stringify(call))].reduce((sum, part) => sum + counter.count(part), around + images.length * ofImage)
}

/** What a template puts around a message, and what an image weighs, about. */
const around = 5
const ofImage = 768

function withRest({ window, tokens, reserve }: Plan, used: readonly Share[]): Share[] {
  const free = Math.max(0, window - tokens)
  const kept = Math.min(reserve, free)
  return [...used, { name: 'free' as const, tokens: free - kept }, { name: 'reserve' as const, tokens: kept }].filter((share) => share.tokens > 0)
}

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
