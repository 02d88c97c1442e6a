import { gapTexts, type Gaps, type Lane } from '@minutebook/experiment/run'
import { memo, type ReactElement } from 'react'
import { grouped, readable } from '../ui/text.ts'
import type { GridCell, Place } from './grid.ts'
import type { Columns } from './use-columns.ts'

interface ParticipantRowProps {
  readonly lane: Lane
  readonly index: number
  readonly columns: Columns
  readonly cellOf: (column: number) => GridCell | undefined
  /** The cell with the keyboard focus. */
  readonly place: Place
  readonly chosen: GridCell | undefined
  readonly onPlace: (place: Place) => void
  readonly onChoose: (cell: GridCell) => void
}

/** A participant and all of its turns. */
export function ParticipantRow({
  lane: { name, model, spending },
  index,
  columns: { items, sizes },
  cellOf,
  place,
  chosen,
  onPlace,
  onChoose,
}: ParticipantRowProps): ReactElement {
  return (
    <div role="row" aria-rowindex={index + 2} data-lane={name} className="relative h-24 border-b border-line">
      <div
        role="rowheader"
        aria-colindex={1}
        className="monitor-name flex-col justify-center bg-surface"
        style={{ width: sizes.names }}
      >
        <span className="truncate font-medium" title={name}>
          {name}
        </span>
        <span className="truncate text-xs text-muted" title={model ?? undefined}>
          {model === null ? 'a person' : readable(model)}
        </span>
        <span
          className="truncate text-xs text-muted tabular-nums"
          title={`${grouped(spending.prompt)} tokens of prompts, ${grouped(spending.completion)} of answers`}
        >
          {grouped(spending.prompt + spending.completion)} tokens
        </span>
      </div>
      {items
        .filter((item) => item.index > 0)
        .map(({ index: at, start, size }) => {
          const column = at - 1
          const cell = cellOf(column)
          return (
            cell && (
              <div
                key={at}
                role="gridcell"
                aria-colindex={at + 1}
                aria-selected={chosen?.participant === name && chosen.round === cell.round}
                data-cell={`${index} ${column}`}
                data-status={cell.status}
                tabIndex={place.lane === index && place.column === column ? 0 : -1}
                onFocus={() => onPlace({ lane: index, column })}
                onClick={() => onChoose(cell)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' && event.key !== ' ') return
                  event.preventDefault()
                  onChoose(cell)
                }}
                className="monitor-cell"
                style={{ left: start, width: size }}
              >
                <TurnCell cell={cell} />
              </div>
            )
          )
        })}
    </div>
  )
}

/** A sign next to the word, for users who cannot tell the colours apart. */
const turnLooks: Readonly<Record<GridCell['status'], { readonly sign: string; readonly tone: string }>> = {
  playing: { sign: '●', tone: 'text-accent' },
  asked: { sign: '?', tone: 'text-warn' },
  complete: { sign: '✓', tone: 'text-good' },
  partial: { sign: '◐', tone: 'text-warn' },
  cancelled: { sign: '⊘', tone: 'text-warn' },
  failed: { sign: '✕', tone: 'text-bad' },
  waiting: { sign: '·', tone: 'text-muted' },
  idle: { sign: '', tone: 'text-muted' },
}

/** What a participant did in a round, in a few words. */
const TurnCell = memo(function TurnCell({
  cell: { status, turns, prompt, completion, tools, words, gaps },
}: {
  readonly cell: GridCell
}): ReactElement {
  const { sign, tone } = turnLooks[status]
  if (status === 'idle') return <span className="sr-only">did not play</span>
  return (
    <>
      <span className="flex h-4 items-center gap-1.5 text-[11px] leading-4">
        <span aria-hidden="true" className={`${tone} ${status === 'playing' ? 'monitor-playing' : ''}`}>
          {sign}
        </span>
        <span className={status === 'complete' ? 'sr-only' : tone}>{status}</span>
        <GapMarks gaps={gaps} />
        {turns.length > 1 && <span className="text-muted">{turns.length} turns</span>}
        <span className="ml-auto truncate font-mono text-muted tabular-nums">
          {prompt + completion > 0 && (
            <>
              {grouped(prompt)} → {grouped(completion)}
              <span className="sr-only"> tokens</span>
            </>
          )}
        </span>
      </span>
      <span className="line-clamp-2 h-9 text-[12.5px] leading-[18px] [overflow-wrap:anywhere]">{readable(words)}</span>
      <span className="flex h-4.5 gap-1 overflow-hidden">
        {tools.map(({ tool, count, isVain }) => (
          <span
            key={tool}
            className={`truncate rounded bg-sunken px-1 font-mono text-[11px] leading-4.5 ${isVain ? 'text-muted line-through' : ''}`}
          >
            {readable(tool)}
            {count > 1 && ` ×${count}`}
          </span>
        ))}
      </span>
    </>
  )
})

/** Signs for what the model did not see in a turn. The words are in the tooltip and for screen readers. */
function GapMarks({ gaps }: { readonly gaps: Gaps }): ReactElement | null {
  const texts = gapTexts(gaps)
  if (texts.length === 0) return null
  const { question, turn, earlier, window } = gaps
  return (
    <span
      data-gaps={[
        question !== undefined && 'question',
        turn > 0 && 'turn',
        earlier > 0 && 'earlier',
        window && 'window',
      ]
        .filter(Boolean)
        .join(' ')}
      title={`The model did not see all of it: ${texts.join('; ')}`}
      className="shrink-0 whitespace-nowrap"
    >
      <span aria-hidden="true">
        {question !== undefined && <span className="font-bold text-warn">✂</span>}
        {(turn > 0 || earlier > 0) && <span className={turn > 0 ? 'font-bold text-warn' : 'text-muted'}>⋯</span>}
        {window && <span className="text-warn">⚠</span>}
      </span>
      <span className="sr-only">{texts.join(', ')}</span>
    </span>
  )
}
