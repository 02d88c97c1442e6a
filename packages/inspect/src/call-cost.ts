import type { Usage } from 'minutebook'
import { tokensRead } from 'minutebook/wire'

/** What a model costs for a million tokens. Prices change, so they are never recorded. */
export interface ModelPrice {
  /** Tokens of the prompt. */
  readonly input: number
  /** Tokens of the prompt that the server had in its cache. Default: as `input`. */
  readonly cached?: number | undefined
  /** Tokens of the prompt that the server wrote to its cache. Default: as `input`. */
  readonly written?: number | undefined
  /** Tokens of the answer. */
  readonly output: number
  /** The currency of these prices, such as `EUR`. */
  readonly currency: string
}

/** What a call cost. */
export interface CallCost {
  readonly amount: number
  readonly currency: string
}

/**
 * What did a call cost? By the tokens that the server reported. Undefined if the price is not known, or if the server
 * reported no tokens.
 *
 * @example
 * callCost({ prompt: 1699, completion: 180 }, { input: 0.25, output: 2, currency: 'USD' }) // 0.00078475 USD
 */
export function callCost(reported: Usage, price: ModelPrice | undefined): CallCost | undefined {
  const read = tokensRead(reported)
  if (!price || (read === undefined && reported.completion === undefined)) return undefined
  const { input, output, currency } = price
  const { cached = 0, written = 0, completion = 0 } = reported
  const usual = Math.max(0, (read ?? 0) - cached - written)
  const amount =
    usual * input + cached * (price.cached ?? input) + written * (price.written ?? input) + completion * output
  return { amount: amount / 1e6, currency }
}
