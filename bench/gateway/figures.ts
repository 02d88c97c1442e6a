import { median, quantile } from '../median.ts'
import type { MeasuredStream } from './measured-stream.ts'

/** What one turn of everybody came to, in microseconds. */
export interface Round {
  readonly lag50: number
  readonly lag99: number
  readonly first50: number
  readonly first99: number
  readonly end50: number
  /** Of the process in the middle, for each delta. */
  readonly processor: number
}

export function roundOf(streams: readonly MeasuredStream[], processor: number): Round {
  const lags = streams.flatMap((stream) => stream.lags)
  const first = streams.map((stream) => stream.first)
  return {
    lag50: quantile(lags, 0.5),
    lag99: quantile(lags, 0.99),
    first50: quantile(first, 0.5),
    first99: quantile(first, 0.99),
    end50: quantile(
      streams.map(({ end }) => end),
      0.5,
    ),
    processor: processor / Math.max(1, lags.length),
  }
}

/** The median over rounds of what a side adds to the bare upstream in the same round. */
export function added(side: readonly Round[], bare: readonly Round[], field: keyof Round): number {
  return median(side.map((round, index) => round[field] - (bare[index]?.[field] ?? NaN)))
}

/** By round, what one side adds as a multiple of what another adds. */
export function ratios(
  side: readonly Round[],
  other: readonly Round[],
  bare: readonly Round[],
  field: keyof Round,
): number[] {
  return side.map((round, index) => {
    const zero = bare[index]?.[field] ?? NaN
    return (round[field] - zero) / ((other[index]?.[field] ?? NaN) - zero)
  })
}

/** The median of that. */
export function ratio(
  side: readonly Round[],
  other: readonly Round[],
  bare: readonly Round[],
  field: keyof Round,
): number {
  return median(ratios(side, other, bare, field))
}

/** The mean over rounds. */
export function mean(side: readonly Round[], field: keyof Round): number {
  return side.reduce((sum, round) => sum + round[field], 0) / side.length
}
