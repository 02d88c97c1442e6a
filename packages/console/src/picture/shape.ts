/** What pictures are made of: shapes in the colours of the theme. */
export const colours = [
  'line-1',
  'line-2',
  'line-3',
  'line-4',
  'line-5',
  'line-6',
  'line-7',
  'surface',
  'border',
  'border-strong',
  'text',
  'muted',
  'accent',
  'good',
  'bad',
  'pane-system',
  'pane-tools',
  'pane-pinned',
  'verdict-verbatim',
  'verdict-clipped',
  'verdict-digested',
  'verdict-recalled',
  'verdict-outlined',
  'verdict-omitted',
  'verdict-hidden',
] as const

/** A colour, by its name in the theme. */
export type Colour = (typeof colours)[number]

/** A part of a drawing. The page and the SVG file are made of the same parts. */
export interface Shape {
  readonly tag: 'path' | 'text' | 'circle'
  readonly at: Readonly<Record<string, string | number>>
  readonly stroke?: Colour
  readonly fill?: Colour
  readonly text?: string
  /** The line that it belongs to. */
  readonly line?: string
}

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly shapes: readonly Shape[]
}

const letter = 7

export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

export function path(d: string, at: Shape['at'], stroke: Colour): Shape {
  return { tag: 'path', at: { d, ...at }, stroke }
}

export function words(
  text: string,
  left: number,
  baseline: number,
  at: Shape['at'] = {},
  fill: Colour = 'muted',
): Shape {
  return { tag: 'text', at: { x: left, y: baseline, 'font-size': 11, ...at }, fill, text }
}

/** With an edge in the colour of the ground, so that no line runs through the letters. */
export function outlined(shape: Shape): Shape {
  return {
    ...shape,
    at: { ...shape.at, 'paint-order': 'stroke', 'stroke-width': 3, 'stroke-linejoin': 'round' },
    stroke: 'surface',
  }
}

export function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text
}

/** About how wide a text is; letters of some scripts take two places. */
export function widthOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (character > '\u1100' ? 2 : 1) * letter, 0)
}

/**
 * A text in lines of at most `width` pixels.
 *
 * @example
 * wrapped('one two three', 56) // ['one two', 'three']
 */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(short(word, Math.floor(width / letter)))
  }
  return lines
}
