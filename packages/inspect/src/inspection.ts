import { estimator, type CompileResult, type Entry, type Message, type TokenCounter, type ToolSchema } from 'minutebook'
import { messageTokens, type ThreadDump } from 'minutebook/inspect'
import { verdicts, type Part, type Plan, type Tier, type Verdict } from 'minutebook/compile'
import { readMessage, type Content } from 'minutebook/wire'

/** How can a prompt be drawn? The use of the window, every entry with its verdict, every message with its origin. */
export interface Inspection {
  readonly shares: readonly Share[]
  readonly entries: readonly InspectedEntry[]
  /** In the order of the prompt. */
  readonly messages: readonly InspectedMessage[]
}

/** An entry of the log, and what happened to it. */
export interface InspectedEntry {
  readonly id: string
  readonly seq: number
  readonly kind: Entry['kind']
  readonly verdict: Verdict
  readonly tier: Tier | null
  /** What the whole entry costs, by the counter. */
  readonly tokens: number
  readonly reason: string
}

/** A message of a prompt, with the pieces that it is made of. */
export interface InspectedMessage {
  readonly role: string
  readonly tokens: number
  readonly pieces: readonly InspectedPiece[]
}

/** A piece of a message. */
export interface InspectedPiece {
  readonly label: string
  readonly tier: Tier | null
  /** The ids of the entries that it is or quotes. */
  readonly entries: readonly string[]
  readonly tokens: number
  readonly text: string
}

/** A prompt with the entries that its plan is about. */
export interface InspectionSource {
  readonly plan: Plan
  readonly pieces: CompileResult['pieces']
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly entries: readonly Entry[]
  /** True if it is what a client sent, passed through unchanged. */
  readonly unchanged: boolean
}

/**
 * Prepares a prompt for drawing. `counter`: the one that the prompt was made with.
 *
 * @example
 * const { shares, entries } = inspect({ ...prompt.compiled, ...prompt, entries: prompt.planned() }, estimator)
 */
export function inspect(
  { plan, pieces, messages, tools, entries, unchanged }: InspectionSource,
  counter: TokenCounter,
): Inspection {
  const known = new Map<string, number>()
  const count = (text: string): number => {
    const tokens = known.get(text) ?? (text === '' ? 0 : Math.ceil(counter.count(text)))
    known.set(text, tokens)
    return tokens
  }
  return {
    shares: unchanged ? sharesAsSent({ plan, messages, tools }, counter) : sharesOf(plan),
    entries: [...verdicts(plan, entries)].map(({ index, verdict, tier, reason }) => {
      const { id, seq, kind, raw } = entries[index]!
      return { id, seq, kind, verdict, tier, tokens: messageTokens(counter, raw), reason }
    }),
    messages: messages.map((message, index) => ({
      role: message.role,
      tokens: messageTokens(counter, message),
      pieces: (pieces[index] ?? []).map(({ label, tier, entries: of = [], text }) => ({
        label,
        tier: tier ?? null,
        entries: of.map((place) => entries[place]!.id),
        tokens: count(text),
        text,
      })),
    })),
  }
}

/** A share of the window: how many of its tokens are used for what. */
export interface Share {
  readonly name:
    | 'system'
    | 'tools'
    | 'notes'
    | 'pinned'
    | 'outline'
    | 'verbatim'
    | 'recalled'
    | 'latest'
    | 'free'
    | 'reserve'
  readonly tokens: number
}

/**
 * What the window is used for, in the order of the prompt. The shares add up to the window, or to the prompt if that is
 * larger.
 *
 * @example
 * sharesOf(compile(messages, { window: 4096 }).plan).map(({ name, tokens }) => `${name} ${tokens}`)
 */
export function sharesOf(plan: Plan): Share[] {
  const of = (...tiers: readonly Part['tier'][]): number =>
    plan.parts.reduce((sum, { tier, tokens }) => sum + (tiers.includes(tier) ? tokens : 0), 0)
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

/** What the window is used for by a prompt that was passed through unchanged. */
export function sharesAsSent(sent: SentPrompt, counter: TokenCounter = estimator): Share[] {
  const { costs, tools } = costsAsSent(sent, counter)
  const kinds = sent.messages.map((message) => readMessage(message).kind)
  const latest = kinds.lastIndexOf('user')
  const names = kinds.map(
    (kind, index) => (kind === 'system' ? 'system' : index >= latest ? 'latest' : 'verbatim') as Share['name'],
  )
  const of = (name: Share['name']): Share => ({
    name,
    tokens: names.reduce((sum, other, index) => sum + (other === name ? costs[index]! : 0), 0),
  })
  return withRest(sent.plan, [of('system'), { name: 'tools', tokens: tools }, of('verbatim'), of('latest')])
}

type SentPrompt = Pick<ThreadDump, 'plan' | 'messages' | 'tools'>

/**
 * What each message, and all tools, of an unchanged prompt cost. Such a prompt has no plan with costs, so its predicted
 * total is divided by the weight of its messages.
 */
export function costsAsSent(
  { plan, messages, tools }: SentPrompt,
  counter: TokenCounter = estimator,
): { readonly costs: readonly number[]; readonly tools: number } {
  const weights = messages.map((message) => weightOf(readMessage(message), counter))
  const costs = sharedOut(plan.tokens, [...weights, tools.length === 0 ? 0 : counter.count(JSON.stringify(tools))])
  const ofTools = costs.pop() ?? 0
  return { costs, tools: ofTools }
}

function weightOf({ text, reasoning, sealed, calls, images, attachments }: Content, counter: TokenCounter): number {
  const thoughts = counter.count(reasoning) + sealedTokens(sealed)
  const attached = attachments.reduce(
    (sum, each) => sum + around + each.images * ofImage + sealedTokens(each.sealed),
    images.length * ofImage,
  )
  return [text, ...attachments.map((each) => each.text), ...calls.map((call) => JSON.stringify(call))].reduce(
    (sum, part) => sum + counter.count(part),
    around + thoughts + attached,
  )
}

/** About what a template puts around a message or an attachment, and what an image weighs. */
const around = 5
const ofImage = 768

/** About the tokens of so many characters that only the server can read. */
function sealedTokens(characters: number): number {
  return Math.ceil(characters / 4)
}

function withRest({ window, tokens, reserve }: Plan, used: readonly Share[]): Share[] {
  const free = Math.max(0, window - tokens)
  const kept = Math.min(reserve, free)
  return [...used, { name: 'free' as const, tokens: free - kept }, { name: 'reserve' as const, tokens: kept }].filter(
    (share) => share.tokens > 0,
  )
}

/** Divides a whole number in proportion to weights, into whole numbers that add up to it. */
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
