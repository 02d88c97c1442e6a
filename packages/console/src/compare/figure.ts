import type { GoalLine } from '@minutebook/experiment/run'
import { outlined, path, rounded, short, widthOf, words, type Drawing, type Shape } from '../picture/shape.ts'
import { rangeOf, roundStep, ticksOf } from '../runs/axis.ts'
import { numberText } from '../runs/series.ts'
import { readable } from '../ui/text.ts'
import { endName, lineShapes, nameShapes, plotHeight, top, x, y, type Frame } from './line-shapes.ts'
import { lookOf, type FigureLine } from './lines.ts'

/** A variable of several runs over their rounds, on one pair of axes. */
export interface Figure {
  readonly title: string
  /** Of the vertical axis. */
  readonly unit: string
  readonly lines: readonly FigureLine[]
  readonly goals: readonly GoalLine[]
}

/** Pixels. */
const rowHeight = 16
const axisHeight = 38
/** More lines have no room for a name at their ends. */
const mostNames = 10

/**
 * A figure as shapes.
 *
 * @example
 * const { shapes } = drawingOf({ title: 'cash', unit: 'cash, in dollars', lines, goals }, 720)
 */
export function drawingOf(figure: Figure, width: number): Drawing {
  const { title, lines, goals } = figure
  const range = rangeOf(
    [...lines.flatMap(({ points }) => points.map(([, value]) => value)), ...lines.flatMap(bandValues)],
    goals.map(({ value }) => value),
  )
  const ticks = ticksOf(range, 5)
  const isNamed = width >= 520 && lines.length > 1 && lines.length <= mostNames
  const names = isNamed ? Math.min(150, Math.max(...lines.map(({ label }) => widthOf(endName(label)))) + 12) : 12
  const left = 26 + Math.max(...ticks.map(({ text }) => widthOf(text)), 12)
  const frame: Frame = {
    left,
    right: width - names,
    bottom: top + plotHeight,
    last: Math.max(1, ...lines.map(({ points }) => points.at(-1)?.[0] ?? 0)),
    range,
  }
  const legend = legendOf(figure, width, frame.bottom + axisHeight)
  return {
    width,
    height: legend.bottom + 6,
    shapes: [
      words(title, 8, 18, { 'font-size': 13, 'font-weight': 600 }, 'text'),
      ...axesOf(figure, frame, ticks),
      ...goals.flatMap((goal) => goalShapes(goal, frame)),
      ...lines.flatMap((line) => lineShapes(line, frame)),
      ...(isNamed ? nameShapes(lines, frame) : []),
      ...legend.shapes,
    ],
  }
}

function bandValues({ band = [] }: FigureLine): readonly number[] {
  return band.flatMap(([, low, high]) => [low, high])
}

function axesOf({ unit }: Figure, frame: Frame, ticks: ReturnType<typeof ticksOf>): readonly Shape[] {
  const { left, right, bottom, last } = frame
  const step = roundStep((right - left) / last, 44)
  const rounds = Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step)
  const middle = top + plotHeight / 2
  return [
    ...ticks.flatMap(({ value, text }) => [
      path(`M${left} ${y(value, frame)}H${right}`, { 'stroke-width': 1 }, 'border'),
      words(text, left - 6, y(value, frame) + 3.5, { 'text-anchor': 'end' }),
    ]),
    path(`M${left} ${top}V${bottom}H${right}`, { 'stroke-width': 1 }, 'border-strong'),
    ...rounds.flatMap((round) => [
      path(`M${x(round, frame)} ${bottom}v4`, { 'stroke-width': 1 }, 'border-strong'),
      words(String(round), x(round, frame), bottom + 15, { 'text-anchor': 'middle' }),
    ]),
    words('round', (left + right) / 2, bottom + 30, { 'text-anchor': 'middle' }),
    words(short(unit, 40), 11, middle, { 'text-anchor': 'middle', transform: `rotate(-90 11 ${middle})` }),
  ]
}

function goalShapes({ kind, name, sign, value }: GoalLine, frame: Frame): readonly Shape[] {
  const colour = kind === 'success' ? 'good' : 'bad'
  const height = y(value, frame)
  const dash = kind === 'success' ? '4 4' : '1 3'
  const label = `${kind === 'success' ? '⚑' : '✕'} ${short(readable(name), 24)} ${sign} ${numberText(value)}`
  const above = height - 4 < top + 8 ? height + 12 : height - 4
  return [
    path(`M${frame.left} ${height}H${frame.right}`, { 'stroke-width': 1, 'stroke-dasharray': dash }, colour),
    outlined(words(label, frame.left + 5, above, {}, colour)),
  ]
}

/** The name of each line, in rows below the plot. */
function legendOf(
  { lines }: Figure,
  width: number,
  from: number,
): { readonly shapes: readonly Shape[]; readonly bottom: number } {
  const shapes: Shape[] = []
  let [left, height] = [10, from + 10]
  if (lines.length > 1 || lines.some(({ band }) => band))
    for (const { id, label, look, band } of lines) {
      const text = short(label, Math.floor((width - 60) / widthOf('x')))
      const room = 30 + widthOf(text) + 16
      if (left > 10 && left + room > width) [left, height] = [10, height + rowHeight]
      const { colour, dash } = lookOf(look)
      const at = { 'stroke-width': 2, ...(dash !== '' && { 'stroke-dasharray': dash }) }
      if (band)
        shapes.push({
          tag: 'path',
          at: { d: `M${left} ${height - 9}h24v11h-24z`, 'fill-opacity': 0.16 },
          fill: colour,
          line: id,
        })
      shapes.push({ ...path(`M${left} ${height - 3.5}h24`, at, colour), line: id })
      shapes.push({ ...words(text, left + 30, height, {}, 'text'), line: id })
      left = rounded(left + room)
    }
  const note = noteOf(lines)
  if (note !== '') {
    height += shapes.length > 0 ? rowHeight : 0
    shapes.push(words(note, 10, height))
  }
  return { shapes, bottom: shapes.length > 0 ? height + 4 : from }
}

/** How means and forks are to be read. */
function noteOf(lines: readonly FigureLine[]): string {
  const isDotted = lines.some(({ band, points, whole }) => band && points.some(([round]) => round > whole))
  return [
    ...(lines.some(({ band }) => band) ? ['Band: least to largest value.'] : []),
    ...(isDotted ? ['Dotted: some of the runs are over.'] : []),
    ...(lines.some(({ leaves }) => leaves) ? ['◇ A fork leaves its parent.'] : []),
  ].join(' ')
}
