import { laneSummary, verdictText, withoutText } from '@minutebook/inspect'
import type { Lane, LaneCall } from '../api/message-lane.ts'
import type { Verdict } from '../api/calls.ts'
import type { Entry } from '../api/entries.ts'
import { path, short, words, wrapped, type Colour, type Drawing, type Shape } from '../picture/shape.ts'
import { numberText, readable } from '../ui/text.ts'
import { isLabelled } from './lane-boxes.tsx'
import { verdictLooks } from './verdict.tsx'

/** Pixels. */
const width = 720
const margin = 12
const [boxWidth, boxHeight, column, row] = [26, 28, 30, 50] as const
const perRow = Math.floor((width - 2 * margin) / column)

/** The lane of a message: one box for each call, what the boxes mean, and why the newest call did not have it. */
export function laneDrawing(lane: Lane, entry: Entry | undefined): Drawing {
  const { calls, earlier, without } = lane
  const shapes: Shape[] = [words(titleOf(entry), margin, 22, { 'font-size': 14, 'font-weight': 600 }, 'text')]
  let top = 38
  for (const line of wrapped(entry ? `“${short(readable(entry.text).trim(), 200)}”` : '', width - 2 * margin)) {
    shapes.push(words(line, margin, top, {}, 'text'))
    top += 15
  }
  for (const [index, call] of calls.entries())
    shapes.push(
      ...boxShapes(call, {
        left: margin + (index % perRow) * column,
        top: top + Math.floor(index / perRow) * row,
        isLabelled: isLabelled(calls, index),
        isWithout: call.receipt === without?.receipt,
      }),
    )
  top += Math.ceil(calls.length / perRow) * row + 12
  const told = calls.find(({ receipt }) => receipt === without?.receipt)
  const says = [
    ...(earlier > 0 ? [`${earlier} earlier calls are left out.`] : []),
    ...laneSummary(calls).map(({ verdict, turns }) => `${letterOf(verdict)}  ${verdictText(verdict)}: turn ${turns}`),
    ...(told ? [`Turn ${told.turn} was answered without it. ${withoutText(told)}`] : []),
  ]
  for (const line of says.flatMap((text) => wrapped(readable(text), width - 2 * margin))) {
    shapes.push(words(line, margin, top))
    top += 15
  }
  return { width, height: top, shapes }
}

function titleOf(entry: Entry | undefined): string {
  if (!entry) return 'Did the model have it?'
  const turn = entry.turn === undefined ? '' : `, turn ${entry.turn}`
  return `Did the model have ${numberText(entry) || 'it'}? (${entry.kind}${turn})`
}

interface Place {
  readonly left: number
  readonly top: number
  readonly isLabelled: boolean
  readonly isWithout: boolean
}

function boxShapes({ verdict, turn }: LaneCall, { left, top, ...is }: Place): readonly Shape[] {
  const colour: Colour = verdict === null ? 'muted' : `verdict-${verdict}`
  const box = `M${left} ${top}h${boxWidth}v${boxHeight}h${-boxWidth}z`
  const middle = left + boxWidth / 2
  const isSent = verdict === 'verbatim' || verdict === 'clipped' || verdict === 'recalled'
  return [
    { tag: 'path', at: { d: box, 'fill-opacity': isSent ? 0.34 : 0.08 }, fill: colour },
    path(
      box,
      { 'stroke-width': is.isWithout ? 2.5 : 1, ...(!isSent && !is.isWithout && { 'stroke-dasharray': '3 2' }) },
      is.isWithout ? 'bad' : colour,
    ),
    words(letterOf(verdict), middle, top + 18, { 'text-anchor': 'middle', 'font-weight': 700 }, 'text'),
    ...(is.isLabelled
      ? [words(String(turn), middle, top + boxHeight + 13, { 'text-anchor': 'middle', 'font-size': 10 })]
      : []),
  ]
}

function letterOf(verdict: Verdict | null): string {
  return verdict === null ? '?' : verdictLooks[verdict].letter
}
