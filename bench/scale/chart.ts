import { placeLabels, type Box, type Mark } from '../labels.ts'
import { escaped, rounded, style as sharedStyle } from '../svg.ts'
import type { Measured } from './measure.ts'
import { grouped, medianOf, milliseconds } from './report.ts'

/** One play: its processor time at each size at which it was played. */
interface Line {
  readonly play: string
  readonly points: readonly { readonly size: number; readonly time: number }[]
}

function linesOf(measured: Measured, sizes: readonly number[]): Line[] {
  return [...measured.cells.keys()].map((play) => ({
    play,
    points: sizes.flatMap((size) => {
      const time = medianOf(measured, play, size)
      return time === undefined ? [] : [{ size, time: Math.max(time, shortest) }]
    }),
  }))
}

/** Milliseconds: a logarithmic axis has no zero. */
const shortest = 0.1

/** The powers of ten around all times of these lines, with 1 and 10 ms in any case. */
function decades(lines: readonly Line[]): number[] {
  const times = lines.flatMap(({ points }) => points.map(({ time }) => Math.log10(time)))
  const [low, high] = [Math.floor(Math.min(0, ...times)), Math.ceil(Math.max(1, ...times))]
  return Array.from({ length: high - low + 1 }, (_, index) => low + index)
}

/** The times on one store for a terminal: a letter for each play, both axes logarithmic. */
export function plotText(measured: Measured, sizes: readonly number[]): string {
  const lines = linesOf(measured, sizes)
  const exponents = decades(lines)
  const rowOf = (time: number): number => Math.round((exponents.at(-1)! - Math.log10(time)) * rowsADecade)
  const rows = Array.from({ length: (exponents.length - 1) * rowsADecade + 1 }, (_, row) => {
    const cells = sizes.map((size) =>
      lines
        .map(({ points }, index) =>
          points.some((point) => point.size === size && rowOf(point.time) === row) ? letter(index) : '',
        )
        .join('')
        .padEnd(columnWidth),
    )
    const isDecade = row % rowsADecade === 0
    const scale = isDecade ? milliseconds(10 ** exponents.at(-1 - row / rowsADecade)!) : ''
    return `${scale.padStart(scaleWidth)} ${isDecade ? '┼' : '│'} ${cells.join('')}`.trimEnd()
  })
  return [
    ...rows,
    `${' '.repeat(scaleWidth)} └${'─'.repeat(columnWidth * sizes.length)}`,
    `${' '.repeat(scaleWidth + 3)}${sizes.map((size) => grouped(size).padEnd(columnWidth)).join('')}entries`,
    '',
    ...lines.map(({ play }, index) => `${' '.repeat(scaleWidth + 1)}${letter(index)}  ${play}`),
  ].join('\n')
}

const rowsADecade = 3
const columnWidth = 13
const scaleWidth = 9

function letter(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index)
}

/** The same as an SVG, with a legend, in the reader's own light or dark. */
export function drawScale(measured: Measured, sizes: readonly number[]): string {
  const lines = linesOf(measured, sizes)
  const width = panel.width + legendWidth
  const placed = [drawPanel(measured.name, lines, sizes, decades(lines)), drawLegend(lines)].map(
    (cell, index) => `<g transform="translate(${index * panel.width} ${title})">${cell}</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${title + panel.height}" width="${width}" height="${title + panel.height}" role="img" aria-label="Processor time of a turn, a relay and a dump by the length of the log">
<style>${style}</style>
<rect class="ground" width="${width}" height="${title + panel.height}"/>
<text class="title" x="${plot.left}" y="26">Processor time by the length of the log, window 8,192</text>
${placed.join('\n')}
</svg>
`
}

const title = 40
const panel = { width: 420, height: 350 }
const legendWidth = 240
const plot: Box = { left: 64, top: 40, width: 330, height: 250 }

const style = `${sharedStyle}
  .line { fill: none; stroke-width: 2 } .first { stroke: #cf222e } .turn { stroke: #0969da } .dump { stroke: #1a7f37 } .relay { stroke: #9a6700 }
  .object { stroke-dasharray: 6 3 } .held { stroke-dasharray: 2 3 }
  @media (prefers-color-scheme: dark) { .first { stroke: #ff7b72 } .turn { stroke: #58a6ff } .dump { stroke: #3fb950 } .relay { stroke: #d29922 } }
`

function drawPanel(
  name: string,
  lines: readonly Line[],
  sizes: readonly number[],
  exponents: readonly number[],
): string {
  const across = (size: number): number => {
    const [low, high] = [Math.log10(sizes[0]!), Math.log10(sizes.at(-1)!)]
    return plot.left + (plot.width * (Math.log10(size) - low)) / Math.max(high - low, 1)
  }
  const down = (time: number): number =>
    plot.top + (plot.height * (exponents.at(-1)! - Math.log10(time))) / Math.max(exponents.length - 1, 1)
  const ends: Mark[] = lines.flatMap(({ points }, index) => {
    const last = points.at(-1)
    return last ? [{ x: across(last.size), y: down(last.time), text: letter(index) }] : []
  })
  return [
    `<text class="heading" x="${plot.left}" y="22">${escaped(name)}</text>`,
    ...sizes.map((size) => drawColumn(across(size), grouped(size))),
    ...exponents.map((exponent) => drawRow(down(10 ** exponent), milliseconds(10 ** exponent))),
    `<text class="quiet" x="${plot.left + plot.width / 2}" y="${plot.top + plot.height + 38}" text-anchor="middle">entries</text>`,
    ...lines.map(
      ({ play, points }) =>
        `<polyline class="line ${classOf(play)}" points="${points.map(({ size, time }) => `${rounded(across(size))},${rounded(down(time))}`).join(' ')}"/>`,
    ),
    ...placeLabels(ends, panel.width - 4).map(
      ({ marks, box }) =>
        `<text class="label strong" x="${rounded(box.left)}" y="${rounded(box.top + 11)}">${marks.map(({ text }) => text).join(' ')}</text>`,
    ),
  ].join('\n')
}

function drawColumn(x: number, text: string): string {
  return `<line class="grid" x1="${rounded(x)}" x2="${rounded(x)}" y1="${plot.top}" y2="${plot.top + plot.height}"/><text class="quiet" x="${rounded(x)}" y="${plot.top + plot.height + 18}" text-anchor="middle">${text}</text>`
}

function drawRow(y: number, text: string): string {
  return `<line class="grid" x1="${plot.left}" x2="${plot.left + plot.width}" y1="${rounded(y)}" y2="${rounded(y)}"/><text class="quiet" x="${plot.left - 8}" y="${rounded(y + 4)}" text-anchor="end">${text}</text>`
}

function drawLegend(lines: readonly Line[]): string {
  return lines
    .map(({ play }, index) => {
      const y = plot.top + 20 * index
      return `<line class="line ${classOf(play)}" x1="8" x2="36" y1="${y - 4}" y2="${y - 4}"/><text x="44" y="${y}"><tspan class="strong">${letter(index)}</tspan> ${escaped(play)}</text>`
    })
    .join('\n')
}

/** The colour tells what is played, the dashes who plays. */
function classOf(play: string): string {
  const [kind = ''] = play.split(' ', 1)
  return `${kind}${play.endsWith('fresh thread object') ? ' object' : play.endsWith('held thread object') ? ' held' : ''}`
}
