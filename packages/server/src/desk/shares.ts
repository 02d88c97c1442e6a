import type { Part, Plan } from 'minutebook'

/** A share of the window: what so many of its tokens are used for. */
export interface Share {
  readonly name: 'system' | 'tools' | 'notes' | 'pinned' | 'outline' | 'verbatim' | 'recalled' | 'latest' | 'free' | 'reserve'
  readonly tokens: number
}

/** What the window is used for, in the order of the prompt. The shares add up to the window, or to the prompt where that is larger. */
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

/** What is left of the window goes to nobody, and to the answer. Shares of nothing are left out. */
export function withRest({ window, tokens, reserve }: Plan, used: readonly Share[]): Share[] {
  const free = Math.max(0, window - tokens)
  const kept = Math.min(reserve, free)
  return [...used, { name: 'free' as const, tokens: free - kept }, { name: 'reserve' as const, tokens: kept }].filter((share) => share.tokens > 0)
}
