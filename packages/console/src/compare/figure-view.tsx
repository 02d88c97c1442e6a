import { seriesCsv, type OutcomeTable, type RunSeries } from '@minutebook/experiment/run'
import { createElement, useEffect, useMemo, useRef, useState, type ReactElement } from 'react'
import { CopyPicture, SaveButton } from '../picture/picture.tsx'
import type { Colour, Shape } from '../picture/shape.ts'
import { paperColours, svgText } from '../picture/svg.ts'
import { CopyButton } from '../ui/copy.tsx'
import { readable } from '../ui/text.ts'
import { drawingOf, type Figure } from './figure.ts'

interface FigureViewProps {
  readonly name: string
  readonly figure: Figure
  readonly table: OutcomeTable
  /** Of this variable. */
  readonly series: readonly RunSeries[]
}

/** The width of a figure in a file, in pixels: that of a page with one column. */
const paper = 720

/** A variable of all chosen runs, with buttons that save it as a picture or as numbers. */
export function FigureView({ name, figure, table, series }: FigureViewProps): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const { height, shapes } = useMemo(() => drawingOf(figure, Math.max(280, width)), [figure, width])
  const svg = (): string => svgText(drawingOf(figure, paper), { title: figure.title, colourOf: paperColours() })
  return (
    <figure data-figure={name} className="rounded-md border border-line bg-surface">
      <figcaption className="flex flex-wrap items-center gap-1 border-b border-line px-3 py-1">
        <h2 className="grow font-medium [overflow-wrap:anywhere]">{readable(figure.unit)}</h2>
        {/* Together on the next line if there is no room. */}
        <span className="flex gap-1">
          <CopyPicture
            name={name}
            label={`Copy picture of ${name}`}
            picture={() => ({ title: figure.title, drawing: drawingOf(figure, paper) })}
          />
          <CopyButton text={svg} name="Copy SVG" label={`Copy SVG of ${name}`} />
          <SaveButton name={`${name}.svg`} type="image/svg+xml" text={svg} label={`Save SVG of ${name}`}>
            SVG
          </SaveButton>
          <SaveButton
            name={`${name}.csv`}
            type="text/csv"
            text={() => [...seriesCsv(table, series), ''].join('\n')}
            label={`Save CSV of ${name}`}
          >
            CSV
          </SaveButton>
        </span>
      </figcaption>
      <div ref={box} className="p-2">
        {width > 0 && (
          <svg
            role="img"
            aria-label={spokenOf(figure)}
            width={Math.max(280, width)}
            height={height}
            className="block max-w-full"
          >
            {shapes.map(drawn)}
          </svg>
        )}
      </div>
    </figure>
  )
}

function drawn({ tag, at, stroke, fill, text, line }: Shape, index: number): ReactElement {
  const attributes = Object.fromEntries(
    Object.entries(at).map(([name, value]) => [name.replace(/-(\w)/g, (_, next: string) => next.toUpperCase()), value]),
  )
  return createElement(
    tag,
    {
      key: index,
      ...attributes,
      fill: fill === undefined ? 'none' : inTheme(fill),
      ...(stroke !== undefined && { stroke: inTheme(stroke) }),
      ...(line !== undefined && { 'data-line': line }),
    },
    text,
  )
}

function inTheme(colour: Colour): string {
  return `var(--${colour})`
}

function spokenOf({ unit, lines }: Figure): string {
  const ends = lines.map(({ label, points }) => {
    const [round, value] = points.at(-1)!
    return `${label}: ${value} at round ${round}`
  })
  return `${readable(unit)} over the rounds. ${ends.join('; ')}`
}
