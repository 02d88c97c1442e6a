import type { Receipt } from 'minutebook/inspect'
import { tokensRead } from 'minutebook/wire'
import type { CacheCause } from './cache-cause.ts'
import type { CacheUsage } from './cache.ts'
import type { CallCost } from './call-cost.ts'

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

/**
 * Where and why the cache of a server broke, in words. `message`: the index of the first message that differs. Not used
 * if the cause is outside of the prompt.
 */
export function cacheBreakText(cause: CacheCause, why: string, message?: number): string {
  const place = message === undefined || outside.has(cause) ? '' : ` at message ${message + 1}`
  return `the cache broke${place}: ${why}`
}

const outside: ReadonlySet<CacheCause> = new Set(['title', 'thread', 'model', 'option', 'server'])
