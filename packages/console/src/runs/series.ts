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

/** Every variable of a run, numbers first. */
export function seriesOf({ initial, rounds }: Pick<Board, 'initial' | 'rounds'>): readonly Series[] {
  const environments = [initial, ...rounds.map(({ environment }) => environment)]
  const names = [...new Set(environments.flatMap((environment) => Object.keys(environment)))]
  const all = names.map((name) =>
    seriesFor(
      name,
      environments.map((environment) => environment[name]),
    ),
  )
  return [...all.filter(({ kind }) => kind === 'line'), ...all.filter(({ kind }) => kind === 'band')]
}

function seriesFor(name: string, values: readonly (Value | undefined)[]): Series {
  const isLine =
    values.some((value) => typeof value === 'number') &&
    values.every((value) => typeof value === 'number' || value === undefined || value === null)
  if (isLine) return { kind: 'line', name, values: values.map((value) => (typeof value === 'number' ? value : null)) }
  return { kind: 'band', name, texts: values.map((value) => (value === undefined ? '' : valueText(value))) }
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
