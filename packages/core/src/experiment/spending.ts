import type { Begun, Played, RunEvent } from './event.ts'

/** What model calls took. */
export interface Spending {
  readonly calls: number
  readonly prompt: number
  readonly completion: number
  /** Undefined where a model has no price. */
  readonly cost?: number
}

/** What a run took so far, or one participant of it. */
export function spendingOf({ participants, prices }: Pick<Begun, 'participants' | 'prices'>, events: readonly RunEvent[], only?: string): Spending {
  const played = events.filter((event): event is Played => event.type === 'played' && (only === undefined || event.participant === only))
  let [calls, prompt, completion, cost]: [number, number, number, number | undefined] = [0, 0, 0, 0]
  for (const { participant, calls: made } of played) {
    const price = prices[participants[participant] ?? '']
    for (const call of made) {
      calls++
      prompt += call.prompt
      completion += call.completion
      cost = price && cost !== undefined ? cost + (call.prompt * price.input + call.completion * price.output) / 1e6 : undefined
    }
  }
  const isPriced = Object.keys(prices).length > 0
  return { calls, prompt, completion, ...(isPriced && cost !== undefined && { cost }) }
}
