import type { ReactElement } from 'react'
import { stretches } from './geometry.ts'
import type { Share } from './inspection.ts'
import { grouped, percentOf } from './number.ts'
import { isPane, paneLooks, type PaneName } from './pane.ts'

export interface WindowStripProps {
  readonly shares: readonly Share[]
  readonly window: number
  readonly tokens: number
  readonly chosen?: PaneName | undefined
  /** Without it the strip only shows. */
  readonly onChoose?: ((pane: PaneName) => void) | undefined
  readonly label?: string
}

/** In parts of a hundred, so that it is to scale at any width. */
const least = 0.8

/** The window to scale: what each part of the prompt took of it, what is kept for the answer, what is free. */
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
  const places = stretches(
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
  const { title } = paneLooks[name]
  const label = `${title} ${grouped(tokens)} tokens, ${percentOf(tokens, whole)} of the window`
  const shared = {
    title: label,
    'data-pane': name,
    'data-tokens': tokens,
    style: { left: `${from}%`, width: `${width}%` },
    className: `pane window-pane pane-${name} absolute inset-y-0 overflow-hidden border-r border-surface pt-1.5 text-left last:border-r-0`,
  }
  // What there is room for, the style decides: the name, or a letter for it; the number, or none.
  const content = (
    <>
      <span aria-hidden="true" className="pane-letter" />
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
