import type { Box, Label, Labelled } from './labels.ts'
import { boxesAlong, placeLabels } from './labels.ts'
import { percent, table } from './markdown.ts'
import { retention, reuse } from './measurement.ts'
import type { Results } from './results.ts'

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
      .map((name) => ({ name, reuse: reuse(results.get(name, dataset, window)), retention: retention(results.get(name, dataset, window)) }))
    if (points.length === 0) return []
    const isStep = ({ name }: Point): boolean => name.startsWith(stepPrefix)
    return [{ dataset, steps: points.filter(isStep), others: points.filter((point) => !isStep(point)) }]
  })
}

export function frontierTable(frontiers: readonly Frontier[]): string {
  const rows = frontiers.flatMap(({ dataset, steps }) => steps.map(({ name, retention: kept, reuse: reused }) => [`${dataset}, ${name.slice('default, '.length)}`, percent(kept), percent(reused)]))
  return `## Frontier at 8k\n\n${table(['dataset and step', 'retention', 'reuse'], rows)}`
}

/** The frontier as an SVG: one panel a dataset, in the reader's own light or dark. */
export function drawFrontier(frontiers: readonly Frontier[]): string {
  const columns = Math.min(3, Math.max(1, frontiers.length))
  const width = columns * panel.width
  const height = title + Math.ceil(frontiers.length / columns) * panel.height
  const panels = frontiers.map((one, index) => `<g transform="translate(${(index % columns) * panel.width} ${title + Math.floor(index / columns) * panel.height})">${drawPanel(one)}</g>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Retention against prompt reuse at a window of 8192 tokens">
<style>${style}</style>
<rect class="ground" width="${width}" height="${height}"/>
<text class="title" x="${plot.left}" y="26">Evidence kept against prompt reused, window 8,192: up and to the right is better</text>
${panels.join('\n')}
</svg>
`
}

const title = 40
const panel = { width: 400, height: 340 }
const plot: Box = { left: 56, top: 34, width: 324, height: 244 }
const labelBounds: Box = { left: plot.left + 2, top: plot.top + 2, width: plot.width + 14, height: plot.height - 4 }
const ticks = [0, 25, 50, 75, 100]

const style = `
  .ground { fill: #ffffff } text { fill: #1f2328; font: 12px system-ui, sans-serif } .title { font-size: 15px; font-weight: 600 } .heading { font-weight: 600; font-size: 13px }
  .quiet { fill: #59636e } .grid { stroke: #d1d9e0; stroke-width: 1 } .path { stroke: #0969da; stroke-width: 2; fill: none } .step { fill: #0969da } .other { fill: none; stroke: #9a6700; stroke-width: 1.5 } .leader { stroke: #818b98; stroke-width: 1 } .strong { font-weight: 600 }
  @media (prefers-color-scheme: dark) { .ground { fill: #0d1117 } text { fill: #f0f6fc } .quiet { fill: #9198a1 } .grid { stroke: #30363d } .path { stroke: #58a6ff } .step { fill: #58a6ff } .other { stroke: #d29922 } .leader { stroke: #656c76 } }
`

function drawPanel({ dataset, steps, others }: Frontier): string {
  const place = ({ name, reuse: reused, retention: kept }: Point, strong: boolean): Labelled => ({ x: across(reused), y: down(kept), text: shortName(name), strong })
  const stepPlaces = steps.map((point) => place(point, true))
  const otherPlaces = others.map((point) => place(point, false))
  const labels = placeLabels([...stepPlaces, ...otherPlaces], labelBounds, boxesAlong(stepPlaces))
  return [
    `<text class="heading" x="${plot.left}" y="22">${dataset}</text>`,
    ...ticks.map(drawTick),
    `<text class="quiet" x="${plot.left + plot.width / 2}" y="${plot.top + plot.height + 38}" text-anchor="middle">reuse: % of prompt tokens that repeat the prompt before</text>`,
    `<text class="quiet" transform="translate(16 ${plot.top + plot.height / 2}) rotate(-90)" text-anchor="middle">retention: % of evidence verbatim</text>`,
    ...labels.map(drawLeader),
    stepPlaces.length === 0 ? '' : `<polyline class="path" points="${stepPlaces.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')}"/>`,
    ...stepPlaces.map(({ x, y }) => `<circle class="step" cx="${round(x)}" cy="${round(y)}" r="5"/>`),
    ...otherPlaces.map(({ x, y }) => `<circle class="other" cx="${round(x)}" cy="${round(y)}" r="4"/>`),
    ...labels.map(drawLabel),
  ].join('\n')
}

function drawTick(value: number): string {
  const x = across(value)
  const y = down(value)
  return [
    `<line class="grid" x1="${x}" x2="${x}" y1="${plot.top}" y2="${plot.top + plot.height}"/>`,
    `<line class="grid" x1="${plot.left}" x2="${plot.left + plot.width}" y1="${y}" y2="${y}"/>`,
    `<text class="quiet" x="${x}" y="${plot.top + plot.height + 18}" text-anchor="middle">${value}</text>`,
    `<text class="quiet" x="${plot.left - 8}" y="${y + 4}" text-anchor="end">${value}</text>`,
  ].join('')
}

function drawLabel({ box, text, strong }: Label): string {
  return `<text${strong ? ' class="strong"' : ''} x="${round(box.left + box.width / 2)}" y="${round(box.top + 11)}" text-anchor="middle">${text}</text>`
}

function drawLeader({ leader: [from, to] }: Label): string {
  if (from === undefined || to === undefined) return ''
  return `<line class="leader" x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}"/>`
}

function shortName(name: string): string {
  return name.startsWith(stepPrefix) ? `recall ${name.slice(stepPrefix.length)}` : (name.split(/[ (]/)[0] ?? name)
}

function across(value: number): number {
  return plot.left + (plot.width * value) / 100
}

function down(value: number): number {
  return plot.top + plot.height * (1 - value / 100)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
