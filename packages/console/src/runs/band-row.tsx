import { useMemo, type ReactElement } from 'react'
import { readable } from '../ui/text.ts'
import { captionOf } from './plot-row.tsx'
import { stretchesOf, type BandSeries } from './series.ts'
import type { Columns } from './use-columns.ts'

interface BandRowProps {
  readonly series: BandSeries
  readonly description: string | undefined
  readonly columns: Columns
  readonly at: number | undefined
}

/** A text or a boolean over the rounds, as a band. Its text is there once for all rounds in which it did not change. */
export function BandRow({
  series: { name, texts },
  description,
  columns: { items, sizes, startOf },
  at,
}: BandRowProps): ReactElement {
  const stretches = useMemo(() => stretchesOf(texts), [texts])
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  return (
    <figure
      data-band={name}
      aria-label={readable(
        `${name}: ${texts[0]?.slice(0, most) ?? ''} at the start, ${texts.at(-1)?.slice(0, most) ?? ''} now`,
      )}
      className="relative h-9 border-b border-line"
    >
      {at !== undefined && (
        <div className="absolute inset-y-0 bg-accent-soft" style={{ left: startOf(at), width: sizes.column }} />
      )}
      {stretches.map(({ from, to, text }, index) => {
        if (to < first || from > last) return null
        const shown = readable(text.slice(0, most))
        const [left, right] = [startOf(from), startOf(to + 1)]
        return (
          <div
            key={from}
            title={shown}
            data-stretch={`${from} ${to}`}
            className={`absolute inset-y-1.5 ${bandOf(text, index)}`}
            style={{ left, width: right - left }}
          >
            {right - left >= leastText && (
              <span
                className="sticky block max-w-full truncate px-1.5 font-mono text-xs leading-6"
                style={{ left: sizes.names, width: 'fit-content' }}
              >
                {shown}
              </span>
            )}
          </div>
        )
      })}
      <figcaption className="monitor-name items-center bg-surface" style={{ width: sizes.names }}>
        <span className="truncate text-xs text-muted" title={captionOf(name, description)}>
          {captionOf(name, description)}
        </span>
      </figcaption>
    </figure>
  )
}

/** The most characters of a value. */
const most = 120
/** Pixels: a narrower stretch has its text in the tooltip alone. */
const leastText = 28

/** Neighbours look different; a boolean is filled while it is true. */
function bandOf(text: string, index: number): string {
  if (text === 'true') return 'band-true'
  if (text === 'false') return 'band-false'
  return index % 2 === 0 ? 'band-even' : 'band-odd'
}
