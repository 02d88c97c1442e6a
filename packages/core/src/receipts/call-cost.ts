import type { Usage } from '../models/model.ts'
import { tokensRead } from '../truncation/truncation.ts'
import type { CacheUsage } from './cache.ts'
import type { Receipt } from './receipt.ts'

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

/**
 * How long did a call take, and what for? In one line. Undefined if nothing of it is known. `cache`: if it is known, it
 * says how many tokens were new.
 *
 * @example
 * callTimeText(receipt, { cost, cache }) // 4.1 s: waited 2.9 s (1,699 new tokens), wrote 1.2 s, 180 tokens, 0.0021 USD
 */
export function callTimeText(
  { time, tokens }: Pick<Receipt, 'time' | 'tokens'>,
  {
    cost,
    cache,
  }: { readonly cost?: CallCost | null | undefined; readonly cache?: CacheCounts | null | undefined } = {},
): string | undefined {
  const { completion } = tokens.reported
  const facts = [
    ...(time?.firstToken === undefined ? [] : [`wrote ${secondsText(time.total - time.firstToken)}`]),
    ...(completion === undefined ? [] : [`${countText(completion)} ${completion === 1 ? 'token' : 'tokens'}`]),
    ...(cost ? [costText(cost)] : []),
  ]
  if (!time) return facts.length === 0 ? undefined : facts.join(', ')
  const fresh = newTokens({ tokens }, cache)
  const waited = time.firstToken === undefined ? '' : `waited ${secondsText(time.firstToken)} `
  const reading = `${waited}(${countText(fresh)} new ${fresh === 1 ? 'token' : 'tokens'})`
  return `${secondsText(time.total)}${waited === '' ? ' ' : ': '}${[reading, ...facts].join(', ')}`
}

type CacheCounts = Pick<CacheUsage, 'total' | 'kept'>

/** The tokens of a prompt that the server had to read: without its cache, or without what the previous prompt had. */
export function newTokens(
  { tokens: { predicted, reused, reported } }: Pick<Receipt, 'tokens'>,
  cache?: CacheCounts | null,
): number {
  if (cache) return cache.total - cache.kept
  const total = tokensRead(reported) ?? predicted
  // What is reused was counted as the prediction was.
  const kept = reported.cached ?? (total * Math.min(reused, predicted)) / Math.max(1, predicted)
  return Math.max(0, Math.round(total - kept))
}

/** A number of milliseconds, for people. */
export function secondsText(milliseconds: number): string {
  return milliseconds < 100 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

function costText({ amount, currency }: CallCost): string {
  const digits = amount < 1 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return `${amount.toLocaleString('en-US', digits)} ${currency}`
}

function countText(count: number): string {
  return count.toLocaleString('en-US')
}
