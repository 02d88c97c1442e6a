import type { ReactElement } from 'react'
import { readable } from '../ui/text.ts'
import type { BandSeries } from './series.ts'
import type { Columns } from './use-columns.ts'

interface BandRowProps {
  readonly series: BandSeries
  readonly columns: Columns
  readonly at: number | undefined
}

/** A text or a boolean over the rounds, as a band. */
export function BandRow({ series: { name, texts }, columns: { items, sizes }, at }: BandRowProps): ReactElement {
  return (
    <figure
      data-band={name}
      aria-label={readable(
        `${name}: ${texts[0]?.slice(0, most) ?? ''} at the start, ${texts.at(-1)?.slice(0, most) ?? ''} now`,
      )}
      className="relative h-9 border-b border-line"
    >
      <figcaption className="monitor-name items-center bg-surface" style={{ width: sizes.names }}>
        <span className="truncate text-xs text-muted" title={name}>
          {name}
        </span>
      </figcaption>
      {items.map(({ index, start, size }) => {
        const text = readable((texts[index] ?? '').slice(0, most))
        const isNew = index === 0 || texts[index] !== texts[index - 1]
        return (
          <div
            key={index}
            title={text}
            data-new={isNew}
            className={`absolute inset-y-0 py-1.5 ${index === at ? 'bg-accent-soft' : ''}`}
            style={{ left: start, width: size }}
          >
            <span
              className={`block h-full truncate px-1.5 font-mono text-xs leading-6 ${bandOf(text)} ${isNew ? 'border-l-2 border-strong font-medium' : 'text-muted'}`}
            >
              {text}
            </span>
          </div>
        )
      })}
    </figure>
  )
}

/** The most characters of a value. */
const most = 120

/** The same text looks the same everywhere. */
function bandOf(text: string): string {
  if (text === 'true') return 'band-2'
  if (text === 'false') return 'band-0'
  let sum = 7
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)!) % 9973
  return `band-${sum % 4}`
}
