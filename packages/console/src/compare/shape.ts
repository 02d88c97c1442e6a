import { heightOf, type Range } from '../runs/axis.ts'
import type { LineColour } from './lines.ts'

/** The colours of a figure, by their names in the theme. */
export type Colour = LineColour | 'page' | 'surface' | 'border' | 'border-strong' | 'text' | 'muted' | 'good' | 'bad'

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

/** Of the plot, without its titles: pixels from the top, and high. */
export const top = 30
export const plotHeight = 240
const letter = 7

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
