import { tokensRead } from 'minutebook/wire'
import { receiptFacts, type Receipt } from './inspection.ts'

/** What was predicted of a prompt's size, beside what the model counted. */
export interface Comparison {
  readonly predicted: number
  readonly reported: number | null
  /** Reported less predicted, as a part of the predicted. */
  readonly off: number | null
  /** Between these the model's count was expected. */
  readonly expected: readonly [number, number] | null
  readonly says: 'as expected' | 'more than expected' | 'less than expected' | 'not reported'
}

/**
 * Without an interval in the receipt only what is a tenth above is more than expected: estimates err on the safe side.
 */
export function comparisonOf(receipt: Receipt): Comparison {
  const { predicted, reported } = receipt.tokens
  const prompt = tokensRead(reported)
  const { low, high } = receiptFacts(receipt)
  const expected = low !== undefined && high !== undefined ? ([low, high] as const) : null
  if (prompt === undefined) return { predicted, reported: null, off: null, expected, says: 'not reported' }
  const [least, most] = expected ?? [0, predicted * 1.1]
  const says = prompt > most ? 'more than expected' : prompt < least ? 'less than expected' : 'as expected'
  return { predicted, reported: prompt, off: predicted === 0 ? 0 : (prompt - predicted) / predicted, expected, says }
}
