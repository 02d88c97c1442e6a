import { outlined, path, rounded, short, words, type Shape } from '../picture/shape.ts'
import { heightOf, type Range } from '../runs/axis.ts'
import { lookOf, type FigureLine, type Point } from './lines.ts'

/** Of the plot, without its titles: pixels from the top, and high. */
export const top = 30
export const plotHeight = 240

/** Where the plot is, and the values at its edges. */
export interface Frame {
  readonly left: number
  readonly right: number
  readonly bottom: number
  /** The last round. */
  readonly last: number
  readonly range: Range
}

export function x(round: number, { left, right, last }: Frame): number {
  return rounded(left + (round / last) * (right - left))
}

export function y(value: number, { range }: Frame): number {
  return rounded(top + heightOf(value, range, plotHeight))
}

/** A band, a line, the mark of a fork, and a dot at its end. From where some of its runs are over, a mean is dotted. */
export function lineShapes({ id, look, points, band, whole, leaves }: FigureLine, frame: Frame): readonly Shape[] {
  const { colour, dash } = lookOf(look)
  const end = points.at(-1)!
  const drawn = { 'stroke-width': 2, 'stroke-linejoin': 'round' }
  const [all, some] = [points.filter(([round]) => round <= whole), points.filter(([round]) => round >= whole)]
  const place = ([round, value]: Point): string => `${x(round, frame)} ${y(value, frame)}`
  const shapes: readonly Shape[] = [
    ...(band && band.length > 1
      ? [
          {
            tag: 'path' as const,
            at: {
              d: `M${band.map(([round, , high]) => place([round, high])).join('L')}L${band
                .toReversed()
                .map(([round, low]) => place([round, low]))
                .join('L')}Z`,
              'fill-opacity': 0.16,
            },
            fill: colour,
          },
        ]
      : []),
    ...(all.length > 1
      ? [path(`M${all.map(place).join('L')}`, { ...drawn, ...(dash !== '' && { 'stroke-dasharray': dash }) }, colour)]
      : []),
    ...(some.length > 1
      ? [path(`M${some.map(place).join('L')}`, { ...drawn, 'stroke-dasharray': '1 3', 'stroke-width': 1.5 }, colour)]
      : []),
    { tag: 'circle', at: { cx: x(end[0], frame), cy: y(end[1], frame), r: 3 }, fill: colour },
    ...(leaves
      ? [
          {
            tag: 'path' as const,
            at: { d: `M${place(leaves)}m-5 0l5 -5l5 5l-5 5z`, 'stroke-width': 1.5 },
            stroke: colour,
            fill: 'surface' as const,
          },
        ]
      : []),
  ]
  return shapes.map((shape) => ({ ...shape, line: id }))
}

/** The names of the lines at their ends, none on another. */
export function nameShapes(lines: readonly FigureLine[], frame: Frame): readonly Shape[] {
  const ends = lines
    .map(({ id, label, look, points }) => ({ id, label, look, end: points.at(-1)! }))
    .toSorted((one, other) => y(one.end[1], frame) - y(other.end[1], frame))
  const heights = spread(
    ends.map(({ end }) => y(end[1], frame)),
    12,
    [top + 4, frame.bottom - 2],
  )
  return ends.flatMap(({ id, label, look, end }, index) => {
    const { colour } = lookOf(look)
    const [from, height] = [[x(end[0], frame), y(end[1], frame)] as const, heights[index]!]
    const isFar = Math.abs(height - from[1]) > 6 || frame.right - from[0] > 8
    return [
      ...(isFar
        ? [
            {
              ...path(`M${from[0] + 3} ${from[1]}L${frame.right + 5} ${height}`, { 'stroke-width': 0.5 }, colour),
              line: id,
            },
          ]
        : []),
      { ...outlined(words(endName(label), frame.right + 7, rounded(height + 3.5), {}, colour)), line: id },
    ]
  })
}

/**
 * Heights that are at least `gap` apart, as near as possible to the wanted ones, which are in order.
 *
 * @example
 * spread([10, 11], 12, [0, 100]) // [10, 22]
 */
export function spread(
  wanted: readonly number[],
  gap: number,
  [least, most]: readonly [least: number, most: number],
): readonly number[] {
  const placed: number[] = []
  for (const height of wanted) placed.push(Math.max(height, placed.length === 0 ? least : placed.at(-1)! + gap))
  for (let index = placed.length - 1; index >= 0; index--)
    placed[index] = Math.min(placed[index]!, index === placed.length - 1 ? most : placed[index + 1]! - gap)
  return placed
}

/** The name at the end of a line: of a fork, only its own. */
export function endName(label: string): string {
  return short(label.replace(/, (?:fork of|mean of) .*$/, ''), 22)
}
