// Shapes of the drawings in this folder. Each is a text of SVG, in the colours of one theme.

/** The colours of a theme: those of the console. */
export interface Palette {
  readonly page: string
  readonly surface: string
  readonly sunken: string
  readonly border: string
  readonly strong: string
  readonly ink: string
  readonly muted: string
  readonly accent: string
  readonly good: string
  readonly bad: string
  readonly verbatim: string
  readonly clipped: string
  readonly digested: string
  readonly recalled: string
  readonly outlined: string
  readonly omitted: string
  readonly hidden: string
  readonly system: string
  readonly pinned: string
}

export const light: Palette = {
  page: '#ffffff',
  surface: '#ffffff',
  sunken: '#f0f0ed',
  border: '#dcdcd6',
  strong: '#868b90',
  ink: '#1c1e21',
  muted: '#565b61',
  accent: '#2456c7',
  good: '#0f6b4f',
  bad: '#b3261e',
  verbatim: '#2456c7',
  clipped: '#a35c00',
  digested: '#7b3fa0',
  recalled: '#0f6b4f',
  outlined: '#75598a',
  omitted: '#6a6f75',
  hidden: '#a8324a',
  system: '#3f4a57',
  pinned: '#006d77',
}

export const dark: Palette = {
  page: '#131517',
  surface: '#1a1d20',
  sunken: '#23272b',
  border: '#33383d',
  strong: '#7b838b',
  ink: '#e7e9eb',
  muted: '#a6adb4',
  accent: '#8fb2ff',
  good: '#6fd0ac',
  bad: '#ff9b93',
  verbatim: '#8fb2ff',
  clipped: '#f0b75e',
  digested: '#d0a3ee',
  recalled: '#6fd0ac',
  outlined: '#b8a2c8',
  omitted: '#99a1a9',
  hidden: '#ff9db0',
  system: '#b4bfca',
  pinned: '#6cc9d2',
}

export type Colour = keyof Palette

/** A drawing before it has colours. */
export interface Drawing {
  readonly width: number
  readonly height: number
  /** For people who do not see it. */
  readonly title: string
  readonly shapes: readonly Shape[]
}

export type Shape = (palette: Palette) => string

interface TextStyle {
  readonly colour?: Colour
  readonly size?: number
  readonly bold?: boolean
  readonly mono?: boolean
  readonly at?: 'start' | 'middle' | 'end'
}

/** A line of text. `y` is its baseline. */
export function text(x: number, y: number, words: string, style: TextStyle = {}): Shape {
  const { colour = 'ink', size = 13, bold = false, mono = false, at = 'start' } = style
  const family = mono ? ' font-family="ui-monospace, Menlo, Consolas, monospace"' : ''
  const weight = bold ? ' font-weight="600"' : ''
  return (palette) =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${palette[colour]}" text-anchor="${at}"${weight}${family}>${escaped(words)}</text>`
}

interface BoxStyle {
  readonly fill?: Colour
  readonly line?: Colour
  /** How much of the fill covers what is below it, from 0 to 1. */
  readonly cover?: number
  readonly dashed?: boolean
  readonly round?: number
}

export function box(x: number, y: number, width: number, height: number, style: BoxStyle = {}): Shape {
  const { fill = 'surface', line = 'strong', cover = 1, dashed = false, round = 5 } = style
  const dashes = dashed ? ' stroke-dasharray="4 3"' : ''
  return (palette) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}" fill="${palette[fill]}" fill-opacity="${cover}" stroke="${palette[line]}"${dashes}/>`
}

/** A box with lines of text in its middle. The first is bold if there are several. */
export function card(
  x: number,
  y: number,
  width: number,
  height: number,
  lines: readonly string[],
  style: BoxStyle = {},
): Shape {
  const first = y + height / 2 - (lines.length - 1) * 8.5 + 4.5
  const words = lines.map((line, index) =>
    text(x + width / 2, first + index * 17, line, {
      at: 'middle',
      size: index === 0 ? 13 : 12,
      bold: index === 0 && lines.length > 1,
      colour: index === 0 ? 'ink' : 'muted',
    }),
  )
  return group([box(x, y, width, height, style), ...words])
}

/** A coloured piece of a strip, with a letter or a short word in it. */
export function piece(x: number, y: number, width: number, height: number, colour: Colour, word = ''): Shape {
  return group([
    box(x, y, width, height, { fill: colour, line: colour, cover: 0.22, round: 2 }),
    text(x + width / 2, y + height / 2 + 4.5, word, { at: 'middle', size: 12, bold: true, colour }),
  ])
}

interface LineStyle {
  readonly colour?: Colour
  readonly dashed?: boolean
  readonly head?: boolean
}

/** A straight line, by default with an arrow at its end. */
export function arrow(x1: number, y1: number, x2: number, y2: number, style: LineStyle = {}): Shape {
  const { colour = 'strong', dashed = false, head = true } = style
  const dashes = dashed ? ' stroke-dasharray="4 3"' : ''
  const turn = Math.atan2(y2 - y1, x2 - x1)
  const tip = [-0.45, 0.45].map(
    (by) => `L${round(x2 - 9 * Math.cos(turn + by))} ${round(y2 - 9 * Math.sin(turn + by))}`,
  )
  return (palette) => {
    const line = `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${palette[colour]}" stroke-width="1.5" fill="none"${dashes}/>`
    return head ? `${line}<path d="M${x2} ${y2}${tip.join('')}Z" fill="${palette[colour]}"/>` : line
  }
}

export function line(x1: number, y1: number, x2: number, y2: number, style: LineStyle = {}): Shape {
  return arrow(x1, y1, x2, y2, { ...style, head: false })
}

export function group(shapes: readonly Shape[]): Shape {
  return (palette) => shapes.map((shape) => shape(palette)).join('')
}

/** What is seen for some seconds. */
export interface Scene {
  readonly seconds: number
  readonly shapes: readonly Shape[]
}

/**
 * Scenes one after the other, again and again. The last one is what is seen if nothing moves: on paper, in a viewer
 * without animations, or by people who asked for less motion.
 */
export function film(scenes: readonly Scene[]): Shape {
  const whole = scenes.reduce((sum, { seconds }) => sum + seconds, 0)
  let begun = 0
  const rules = scenes.map(({ seconds }, index) => {
    const [from, to] = [round((100 * begun) / whole), round((100 * (begun + seconds)) / whole)]
    begun += seconds
    const before = from > 0 ? '0%{opacity:0}' : ''
    const after = to < 100 ? `${to}%{opacity:0}` : ''
    return `@keyframes s${index}{${before}${from}%{opacity:1}${after}}#s${index}{animation:s${index} ${round(whole)}s step-end infinite}`
  })
  const style = `<style>@media(prefers-reduced-motion:no-preference){${rules.join('')}}</style>`
  return (palette) => {
    const groups = scenes.map(({ shapes }, index) => {
      const hidden = index === scenes.length - 1 ? '' : ' opacity="0"'
      return `<g id="s${index}"${hidden}>${group(shapes)(palette)}</g>`
    })
    return [style, ...groups].join('\n')
  }
}

/** The drawing in the colours of a theme, as a file. */
export function svgOf({ width, height, title, shapes }: Drawing, palette: Palette): string {
  const opening = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif">`
  const back = `<rect width="${width}" height="${height}" rx="8" fill="${palette.page}"/>`
  return [
    opening,
    `<title>${escaped(title)}</title>`,
    back,
    ...shapes.map((shape) => shape(palette)),
    '</svg>',
    '',
  ].join('\n')
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
