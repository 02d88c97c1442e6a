import type { Board, Value } from '@minutebook/experiment/run'

/** A variable over the rounds: at the start, then after each. */
type Series = LineSeries | BandSeries

export interface LineSeries {
  readonly kind: 'line'
  readonly name: string
  readonly values: readonly (number | null)[]
}

/** For values that are not numbers. */
export interface BandSeries {
  readonly kind: 'band'
  readonly name: string
  readonly texts: readonly string[]
}

/** A variable that always had the same value. */
export interface Constant {
  readonly name: string
  readonly text: string
}

export interface Variables {
  /** In the order in which they first changed, so that a run that goes on only adds some at the end; numbers first. */
  readonly changing: readonly Series[]
  readonly constant: readonly Constant[]
}

/** Every variable of a run. */
export function variablesOf({ initial, rounds }: Pick<Board, 'initial' | 'rounds'>): Variables {
  const environments = [initial, ...rounds.map(({ environment }) => environment)]
  const names = [...new Set(environments.flatMap((environment) => Object.keys(environment)))]
  const all = names.map((name) => {
    const values = environments.map((environment) => environment[name])
    const texts = values.map((value) => (value === undefined ? '' : valueText(value)))
    return { series: seriesFor(name, values, texts), text: texts[0]!, changed: changeIn(values) }
  })
  return {
    changing: all
      .filter(({ changed }) => changed !== -1)
      .toSorted(
        (one, other) =>
          one.changed - other.changed || Number(one.series.kind === 'band') - Number(other.series.kind === 'band'),
      )
      .map(({ series }) => series),
    constant: all.filter(({ changed }) => changed === -1).map(({ series: { name }, text }) => ({ name, text })),
  }
}

function seriesFor(name: string, values: readonly (Value | undefined)[], texts: readonly string[]): Series {
  const isLine =
    values.some((value) => typeof value === 'number') &&
    values.every((value) => typeof value === 'number' || value === undefined || value === null)
  if (isLine) return { kind: 'line', name, values: values.map((value) => (typeof value === 'number' ? value : null)) }
  return { kind: 'band', name, texts }
}

/** The first round after which the value differs from the initial one; -1 if it never does. */
function changeIn(values: readonly (Value | undefined)[]): number {
  const first = JSON.stringify(values[0])
  return values.findIndex((value) => value !== values[0] && JSON.stringify(value) !== first)
}

/** Rounds with the same value, one after another: from column to column, both included. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Equal neighbours as one.
 *
 * @example
 * stretchesOf(['sunny', 'sunny', 'rainy']) // [{ from: 0, to: 1, text: 'sunny' }, { from: 2, to: 2, text: 'rainy' }]
 */
export function stretchesOf(texts: readonly string[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const [index, text] of texts.entries()) {
    const last = stretches.at(-1)
    if (last?.text === text) stretches[stretches.length - 1] = { ...last, to: index }
    else stretches.push({ from: index, to: index, text })
  }
  return stretches
}

/** A value for people. */
export function valueText(value: Value): string {
  if (typeof value === 'number') return numberText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** At most four decimals. */
export function numberText(value: number): string {
  return Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-4)
    ? value.toExponential(2)
    : value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 100 ? 2 : 4 })
}
