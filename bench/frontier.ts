import type { Box, Label, Mark } from './labels.ts'
import { placeLabels } from './labels.ts'
import { percent, table } from './markdown.ts'
import { retention, reuse } from './measurement.ts'
import type { Results } from './results.ts'
import { escaped, rounded, style as sharedStyle } from './svg.ts'

/** Retention against reuse in one window: what recall gains and what it costs. */
export interface Frontier {
  readonly dataset: string
  /** The default policy as recall goes from off to eager. */
  readonly steps: readonly Point[]
  readonly others: readonly Point[]
}

export interface Point {
  readonly name: string
  readonly reuse: number
  readonly retention: number
}

/** The rows of the frontier are known by this prefix; the oracle knows the answers and is left out. */
const stepPrefix = 'default, recall '

export function frontier(results: Results, window = 8192): Frontier[] {
  return results.datasets.flatMap((dataset) => {
    const points = results.rows
      .filter((row) => !row.startsWith('oracle') && results.get(row, dataset, window).questions > 0)
      .map((name) => ({
        name,
        reuse: reuse(results.get(name, dataset, window)),
        retention: retention(results.get(name, dataset, window)),
      }))
    if (points.length === 0) return []
    const isStep = ({ name }: Point): boolean => name.startsWith(stepPrefix)
    return [{ dataset, steps: points.filter(isStep), others: points.filter((point) => !isStep(point)) }]
  })
}

export function frontierTable(frontiers: readonly Frontier[]): string {
  const rows = frontiers.flatMap(({ dataset, steps }) =>
    steps.map(({ name, retention: kept, reuse: reused }) => [
      `${dataset}, ${name.slice('default, '.length)}`,
      percent(kept),
      percent(reused),
    ]),
  )
  return `## Frontier at 8k\n\n${table(['dataset and step', 'retention', 'reuse'], rows)}`
}

/**
 * The frontier as an SVG: one panel a dataset and a legend, in the reader's own light or dark. The default policy's
 * points bear the name of their recall, all others the number of their row.
 */
export function drawFrontier(frontiers: readonly Frontier[]): string {
  const others = [...new Set(frontiers.flatMap((one) => one.others.map(({ name }) => name)))]
  const cells = [...frontiers.map((one) => drawPanel(one, others)), drawLegend(others)]
  const columns = Math.min(3, Math.ceil(Math.sqrt(cells.length)))
  const width = columns * panel.width
  const height = title + Math.ceil(cells.length / columns) * panel.height
  const placed = cells.map(
    (cell, index) =>
      `<g transform="translate(${(index % columns) * panel.width} ${title + Math.floor(index / columns) * panel.height})">${cell}</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Retention against prompt reuse at a window of 8192 tokens">
<style>${style}</style>
<rect class="ground" width="${width}" height="${height}"/>
<text class="title" x="${plot.left}" y="26">Evidence kept against prompt reused, window 8,192</text>
${placed.join('\n')}
</svg>
`
}

const title = 40
const panel = { width: 400, height: 350 }
const plot: Box = { left: 56, top: 48, width: 324, height: 240 }
const ticks = [0, 25, 50, 75, 100]

const style = `${sharedStyle}
  .path { stroke: #0969da; stroke-width: 2; fill: none } .step { fill: #0969da } .other { fill: none; stroke: #9a6700; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) { .path { stroke: #58a6ff } .step { fill: #58a6ff } .other { stroke: #d29922 } }
`

interface PlotMark extends Mark {
  readonly isStep: boolean
}

function drawPanel({ dataset, steps, others }: Frontier, numbered: readonly string[]): string {
  const mark = (point: Point, text: string, isStep: boolean): PlotMark => ({
    x: across(point.reuse),
    y: down(point.retention),
    text,
    isStep,
  })
  const stepMarks = steps.map((point) => mark(point, point.name.slice(stepPrefix.length), true))
  const marks = [...stepMarks, ...others.map((point) => mark(point, numberOf(point.name, numbered), false))]
  return [
    `<text class="heading" x="${plot.left}" y="22">${escaped(dataset)}</text>`,
    ...ticks.map(drawTick),
    `<text class="quiet" x="${plot.left + plot.width / 2}" y="${plot.top + plot.height + 38}" text-anchor="middle">reuse: % of prompt tokens that repeat the prompt before</text>`,
    `<text class="quiet" transform="translate(16 ${plot.top + plot.height / 2}) rotate(-90)" text-anchor="middle">retention: % of evidence verbatim</text>`,
    `<polyline class="path" points="${stepMarks.map(({ x, y }) => `${rounded(x)},${rounded(y)}`).join(' ')}"/>`,
    ...marks.map(drawMark),
    ...placeLabels(marks, panel.width - 4).map(drawLabel),
  ].join('\n')
}

function drawLegend(numbered: readonly string[]): string {
  const rows = [
    { text: 'off, gated, eager: the default policy by its recall', isStep: true },
    ...numbered.map((name) => ({ text: `${numberOf(name, numbered)}: ${name}`, isStep: false })),
  ]
  const notes = ['Up and to the right is better.', 'Points close together share a label, from left to right.']
  return [
    ...rows.map(
      ({ text, isStep }, index) =>
        `${drawMark({ x: plot.left, y: legendLine(index) - 4, isStep })}<text x="${plot.left + 14}" y="${legendLine(index)}">${escaped(text)}</text>`,
    ),
    ...notes.map(
      (text, index) =>
        `<text class="quiet" x="${plot.left - 5}" y="${legendLine(rows.length + 0.5 + index)}">${text}</text>`,
    ),
  ].join('\n')
}

function legendLine(index: number): number {
  return plot.top + 20 * index
}

function drawTick(value: number): string {
  const x = across(value)
  const y = down(value)
  return [
    `<line class="grid" x1="${x}" x2="${x}" y1="${plot.top}" y2="${plot.top + plot.height}"/>`,
    `<line class="grid" x1="${plot.left}" x2="${plot.left + plot.width}" y1="${y}" y2="${y}"/>`,
    `<text class="quiet" x="${x}" y="${plot.top + plot.height + 18}" text-anchor="middle">${value}</text>`,
    `<text class="quiet" x="${plot.left - 10}" y="${y + 4}" text-anchor="end">${value}</text>`,
  ].join('')
}

function drawMark({ x, y, isStep }: Omit<PlotMark, 'text'>): string {
  return `<circle class="${isStep ? 'step' : 'other'}" cx="${rounded(x)}" cy="${rounded(y)}" r="${isStep ? 5 : 4}"/>`
}

function drawLabel({ marks, box }: Label<PlotMark>): string {
  const texts = marks.map(({ text, isStep }) => (isStep ? `<tspan class="strong">${text}</tspan>` : text))
  return `<text class="label" x="${rounded(box.left)}" y="${rounded(box.top + 11)}">${texts.join(' ')}</text>`
}

function numberOf(name: string, numbered: readonly string[]): string {
  return String(numbered.indexOf(name) + 1)
}

function across(value: number): number {
  return plot.left + (plot.width * value) / 100
}

function down(value: number): number {
  return plot.top + plot.height * (1 - value / 100)
}
