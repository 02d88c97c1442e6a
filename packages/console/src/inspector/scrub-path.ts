/** What a chart needs of a call. */
export interface Scrubbed {
  readonly receipt: { readonly epoch: number; readonly tokens: { readonly predicted: number; readonly reused: number } }
  readonly window: number | null
}

/** Bars one wide and at most a hundred high, and the places where a new epoch began. */
export interface ScrubPath {
  readonly used: string
  readonly reused: string
  readonly epochs: readonly number[]
}

/**
 * How full the window was at each call, as paths of an SVG: at the bottom what was reused, above it what was new.
 *
 * @example
 * scrubPath([{ window: 100, receipt: { epoch: 0, tokens: { predicted: 50, reused: 20 } } }]).used // 'M0 100V50H1V100Z'
 */
export function scrubPath(calls: readonly Scrubbed[]): ScrubPath {
  const largest = Math.max(1, ...calls.map(({ receipt }) => receipt.tokens.predicted))
  const height = (tokens: number, window: number | null): number =>
    round(100 - Math.min(100, (100 * tokens) / Math.max(1, window ?? largest)))
  const bar = (tokens: number, window: number | null, index: number): string =>
    `M${index} 100V${height(tokens, window)}H${index + 1}V100Z`
  return {
    used: calls.map(({ receipt, window }, index) => bar(receipt.tokens.predicted, window, index)).join(''),
    reused: calls.map(({ receipt, window }, index) => bar(receipt.tokens.reused, window, index)).join(''),
    epochs: calls.flatMap(({ receipt }, index) =>
      index > 0 && receipt.epoch > calls[index - 1]!.receipt.epoch ? [index] : [],
    ),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
