import type { ReactElement } from 'react'
import type { Zoom } from './use-columns.ts'

const zooms: readonly { readonly zoom: Zoom; readonly word: string; readonly title: string }[] = [
  { zoom: 'rounds', word: 'Rounds', title: 'Wide columns, with the words of each turn' },
  { zoom: 'fit', word: 'Fit', title: 'All rounds in the width of the screen' },
  { zoom: 'overview', word: 'Overview', title: 'All rounds as bars, for long runs' },
]

interface ZoomChoiceProps {
  readonly zoom: Zoom
  readonly onChoose: (zoom: Zoom) => void
}

/** How much of a run is on the screen. */
export function ZoomChoice({ zoom: chosen, onChoose }: ZoomChoiceProps): ReactElement {
  return (
    <div role="group" aria-label="Zoom" className="flex overflow-hidden rounded-md border border-line text-xs">
      {zooms.map(({ zoom, word, title }) => (
        <button
          key={zoom}
          type="button"
          title={title}
          aria-pressed={zoom === chosen}
          onClick={() => onChoose(zoom)}
          className="min-h-6 border-l border-line px-2 font-medium text-muted -outline-offset-2 first:border-l-0 hover:bg-sunken aria-pressed:bg-accent-soft aria-pressed:text-accent"
        >
          {word}
        </button>
      ))}
    </div>
  )
}

/** What the bars of an overview mean. */
export function StripLegend(): ReactElement {
  return (
    <ul aria-label="Legend" className="hidden items-center gap-3 text-xs text-muted md:flex">
      {[
        ['complete', 'complete'],
        ['partial', 'partial or cancelled'],
        ['failed', 'failed'],
        ['gap', 'clipped or left out'],
      ].map(([look, words]) => (
        <li key={look} className="flex items-center gap-1">
          <svg aria-hidden="true" width={8} height={16}>
            <rect
              x={0}
              width={8}
              y={look === 'failed' ? 0 : look === 'gap' ? 12 : look === 'partial' ? 8 : 4}
              height={look === 'failed' ? 16 : look === 'gap' ? 3 : look === 'partial' ? 4 : 8}
              className={`strip-${look}`}
            />
          </svg>
          {words}
        </li>
      ))}
    </ul>
  )
}
