import { path, rounded, short, widthOf, words, type Colour, type Drawing, type Shape } from '../picture/shape.ts'
import { grouped, percentOf } from '../ui/text.ts'
import type { Share } from '../api/calls.ts'
import { sections } from './geometry.ts'
import { isPane, paneLooks, type PaneName } from './pane.ts'

/** A window as a picture shows it. */
export interface PicturedWindow {
  readonly title: string
  readonly shares: readonly Share[]
  readonly window: number
  readonly tokens: number
}

/** Pixels. */
const width = 720
const margin = 12
const stripHeight = 44
const rowHeight = 18

/** Windows above each other, to the same scale, each with the names and tokens of its parts. No text of messages. */
export function windowDrawing(windows: readonly PicturedWindow[]): Drawing {
  const largest = Math.max(...windows.map(({ window, tokens }) => Math.max(window, tokens)))
  const shapes: Shape[] = []
  let top = 0
  for (const { title, shares, window, tokens } of windows) {
    const own = (width - 2 * margin) * Math.max(0.2, Math.max(window, tokens) / largest)
    const numbers = `${grouped(tokens)} of ${grouped(window)} tokens, ${percentOf(tokens, window)}`
    shapes.push(
      words(title, margin, top + 22, { 'font-size': 14, 'font-weight': 600 }, 'text'),
      words(numbers, width - margin, top + 22, { 'text-anchor': 'end' }),
      ...stripShapes(shares, own, top + 32),
    )
    const legend = legendShapes(shares, top + 32 + stripHeight + 18)
    shapes.push(...legend.shapes)
    top = legend.bottom + 8
  }
  return { width, height: top + 4, shapes }
}

function panesIn(shares: readonly Share[]): readonly { readonly name: PaneName; readonly tokens: number }[] {
  return shares.flatMap(({ name, tokens }) => (isPane(name) ? [{ name, tokens }] : []))
}

function stripShapes(shares: readonly Share[], own: number, top: number): readonly Shape[] {
  const panes = panesIn(shares)
  const places = sections(
    panes.map(({ tokens }) => tokens),
    own,
    6,
  )
  return [
    ...panes.flatMap(({ name, tokens }, index) => {
      const { from, width: wide } = places[index]!
      const left = rounded(margin + from)
      const { letter, title } = paneLooks[name]
      const number = grouped(tokens)
      const isNamed = wide >= Math.max(widthOf(title), widthOf(number)) + 6
      return [
        ...groundOf(name, left, top, rounded(wide)),
        path(`M${rounded(left + wide)} ${top}v${stripHeight}`, { 'stroke-width': 1 }, 'surface'),
        ...(isNamed
          ? [
              words(title, left + 4, top + 20, { 'font-weight': 600 }, 'text'),
              words(number, left + 4, top + 35, {}, 'text'),
            ]
          : wide >= 10
            ? [words(letter, rounded(left + wide / 2), top + 20, { 'text-anchor': 'middle' }, 'text')]
            : []),
      ]
    }),
    path(`M${margin} ${top}h${rounded(own)}v${stripHeight}h${-rounded(own)}z`, { 'stroke-width': 1 }, 'border-strong'),
  ]
}

/** The ground of a part, with a bar in its colour above. What is free has none, what is kept is hatched. */
function groundOf(name: PaneName, left: number, top: number, wide: number): readonly Shape[] {
  const colour = colourOf[name]
  if (name === 'reserve') {
    const hatches = Array.from({ length: Math.floor(wide / 8) }, (_, index) => {
      const from = left + index * 8
      return `M${rounded(from)} ${top + stripHeight}l8 -${stripHeight}`
    })
    return hatches.length === 0 ? [] : [path(hatches.join(''), { 'stroke-width': 1 }, 'border')]
  }
  if (!colour) return []
  return [
    { tag: 'path', at: { d: `M${left} ${top}h${wide}v${stripHeight}h${-wide}z`, 'fill-opacity': 0.24 }, fill: colour },
    { tag: 'path', at: { d: `M${left} ${top}h${wide}v3h${-wide}z` }, fill: colour },
  ]
}

/** As in the style sheet of the inspector. */
const colourOf: Readonly<Partial<Record<PaneName, Colour>>> = {
  system: 'pane-system',
  tools: 'pane-tools',
  notes: 'verdict-hidden',
  pinned: 'pane-pinned',
  outline: 'verdict-digested',
  verbatim: 'verdict-verbatim',
  recalled: 'verdict-recalled',
  latest: 'accent',
}

function legendShapes(
  shares: readonly Share[],
  from: number,
): { readonly shapes: readonly Shape[]; readonly bottom: number } {
  const shapes: Shape[] = []
  let [left, height] = [margin, from]
  for (const { name, tokens } of panesIn(shares)) {
    const { letter, title } = paneLooks[name]
    const text = short(`${letter}  ${title} ${grouped(tokens)}`, 40)
    const room = 18 + widthOf(text) + 12
    if (left > margin && left + room > width) [left, height] = [margin, height + rowHeight]
    const colour = colourOf[name]
    const box = `M${left} ${height - 10}h12v12h-12z`
    if (colour) shapes.push({ tag: 'path', at: { d: box, 'fill-opacity': 0.3 }, fill: colour })
    shapes.push(path(box, { 'stroke-width': 1 }, colour ?? 'border-strong'), words(text, left + 17, height, {}, 'text'))
    left += room
  }
  return { shapes, bottom: height }
}
