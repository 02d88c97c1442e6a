import type { ReactElement } from 'react'
import type { Share } from './inspection.ts'
import { grouped } from './number.ts'
import { isPane, paneLooks, type PaneName } from './pane.ts'

export interface PaneLegendProps {
  readonly shares: readonly Share[]
  readonly chosen: PaneName | undefined
  readonly onChoose: (pane: PaneName) => void
}

/** The panes by name, for those that are too narrow to say it. */
export function PaneLegend({ shares, chosen, onChoose }: PaneLegendProps): ReactElement {
  return (
    <ul className="flex flex-wrap gap-x-1 gap-y-1" aria-label="Parts of the window">
      {shares.map(
        ({ name, tokens }) =>
          isPane(name) && (
            <li key={name}>
              <button
                type="button"
                aria-pressed={chosen === name}
                onClick={() => onChoose(name)}
                title={paneLooks[name].says}
                className="flex min-h-6 items-center gap-1 rounded px-1 py-0.5 text-xs hover:bg-sunken aria-pressed:bg-sunken"
              >
                <span
                  aria-hidden="true"
                  className={`pane pane-${name} inline-grid size-4 place-items-center rounded-sm border border-line text-[10px] font-bold`}
                >
                  {paneLooks[name].letter}
                </span>
                <span>{paneLooks[name].title}</span>
                <span className="font-mono text-muted">{grouped(tokens)}</span>
              </button>
            </li>
          ),
      )}
    </ul>
  )
}
