import type { ReactElement } from 'react'
import type { Share } from '../api/calls.ts'
import { grouped, percentOf } from '../ui/text.ts'
import { sections } from './geometry.ts'
import { isPane, paneLooks, type PaneName } from './pane.ts'

interface WindowStripProps {
  readonly shares: readonly Share[]
  readonly window: number
  readonly tokens: number
  readonly chosen?: PaneName | undefined
  /** Without it the strip cannot be clicked. */
  readonly onChoose?: ((pane: PaneName) => void) | undefined
  readonly label?: string
}

/** In percent, so the strip is to scale at any width. */
const least = 0.8

/** The window to scale: each part of the prompt, the reserve for the answer, and the free rest. */
export function WindowStrip({
  shares,
  window,
  tokens,
  chosen,
  onChoose,
  label = 'The window, to scale',
}: WindowStripProps): ReactElement {
  const panes = shares.flatMap(({ name, tokens: own }) => (isPane(name) ? [{ name, tokens: own }] : []))
  const whole = Math.max(window, tokens)
  const places = sections(
    panes.map((pane) => pane.tokens),
    100,
    least,
  )
  return (
    <div
      role={onChoose ? 'group' : 'img'}
      aria-label={`${label}: ${grouped(tokens)} of ${grouped(window)} tokens`}
      data-window-strip
      className="relative h-14 w-full overflow-hidden rounded-md border border-line bg-surface"
    >
      {panes.map((pane, index) => (
        <Pane
          key={pane.name}
          {...pane}
          whole={whole}
          from={places[index]!.from}
          width={places[index]!.width}
          isChosen={chosen === pane.name}
          onChoose={onChoose}
        />
      ))}
      {tokens > window && (
        <div
          aria-hidden="true"
          className="absolute inset-y-0 w-0.5 bg-bad"
          style={{ left: `${(100 * window) / whole}%` }}
        />
      )}
    </div>
  )
}

interface PaneProps {
  readonly name: PaneName
  readonly tokens: number
  readonly whole: number
  readonly from: number
  readonly width: number
  readonly isChosen: boolean
  readonly onChoose: ((pane: PaneName) => void) | undefined
}

function Pane({ name, tokens, whole, from, width, isChosen, onChoose }: PaneProps): ReactElement {
  const { letter, title } = paneLooks[name]
  const label = `${title} ${grouped(tokens)} tokens, ${percentOf(tokens, whole)} of the window`
  const shared = {
    title: label,
    'data-pane': name,
    'data-tokens': tokens,
    style: { left: `${from}%`, width: `${width}%` },
    className: `pane window-pane pane-${name} absolute inset-y-0 overflow-hidden border-r border-surface pt-1.5 text-left last:border-r-0`,
  }
  // The style sheet shows the name and the number if there is room, else only the letter.
  const content = (
    <>
      <span aria-hidden="true" data-letter={letter} className="pane-letter" />
      <span className="pane-title truncate text-[11px] leading-4 font-semibold">{title} </span>
      <span className="pane-number truncate font-mono text-[11px] leading-4">{grouped(tokens)}</span>
    </>
  )
  if (!onChoose) return <div {...shared}>{content}</div>
  return (
    <button type="button" aria-pressed={isChosen} aria-label={label} onClick={() => onChoose(name)} {...shared}>
      {content}
    </button>
  )
}

interface PaneLegendProps {
  readonly shares: readonly Share[]
  readonly chosen: PaneName | undefined
  readonly onChoose: (pane: PaneName) => void
}

/** The names of all panes, also of those too narrow to show one. */
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
                  className={`pane pane-${name} inline-grid size-4 place-items-center rounded-sm border border-line text-[11px] font-semibold`}
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
