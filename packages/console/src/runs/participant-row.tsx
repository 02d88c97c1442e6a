import { gapTexts, type Gaps, type Lane } from '@minutebook/experiment/run'
import { memo, type ReactElement, type ReactNode } from 'react'
import { grouped, readable } from '../ui/text.ts'
import type { GridCell, Place } from './grid.ts'
import { leastWords } from './round-heads.tsx'
import { Strip } from './strip.tsx'
import { leastCell, type Columns } from './use-columns.ts'

interface ParticipantRowProps {
  readonly lane: Lane
  /** What the experiment asks of its model. */
  readonly settings: string
  readonly index: number
  readonly columns: Columns
  /** In the order of the rounds. */
  readonly cells: readonly (GridCell | undefined)[]
  /** The cell with the keyboard focus. */
  readonly place: Place
  readonly chosen: GridCell | undefined
  readonly onPlace: (place: Place) => void
  readonly onChoose: (cell: GridCell) => void
}

/** A participant and all of its turns: as cells, or as a strip in which only one cell can have the focus. */
export function ParticipantRow(props: ParticipantRowProps): ReactElement {
  const {
    lane: { name },
    index,
    columns,
    cells,
    place,
    onChoose,
  } = props
  const { items, sizes, startOf, isStrip } = columns
  const width = Math.max(leastCell, sizes.column)
  const shown = isStrip
    ? [{ index: place.column + 1, start: startOf(place.column + 1) - (width - sizes.column) / 2, size: width }]
    : items.filter((item) => item.index > 0)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-lane={name}
      className="relative border-b border-line"
      style={{ height: laneHeight(columns) }}
    >
      <LaneName
        lane={props.lane}
        settings={props.settings}
        isShort={isStrip}
        isLow={sizes.column < leastWords}
        width={sizes.names}
      />
      {isStrip && <Strip cells={cells} columns={columns} onChoose={onChoose} />}
      {shown.map((item) => (
        <LaneCell key={item.index} {...props} item={item} cell={cells[item.index - 1]} />
      ))}
    </div>
  )
}

/** Pixels. */
export function laneHeight({ isStrip, sizes }: Pick<Columns, 'isStrip' | 'sizes'>): number {
  if (isStrip) return 28
  return sizes.column < leastWords ? 64 : 96
}

interface LaneNameProps {
  readonly lane: Lane
  readonly settings: string
  readonly isShort: boolean
  readonly isLow: boolean
  readonly width: number
}

function LaneName({ lane: { name, model, spending }, settings, isShort, isLow, width }: LaneNameProps): ReactElement {
  const modelText = model === null ? 'a person' : readable(model)
  return (
    <div
      role="rowheader"
      aria-colindex={1}
      className={`monitor-name bg-surface ${isShort ? 'items-center gap-2' : 'flex-col justify-center'}`}
      style={{ width }}
    >
      <span className={`truncate font-medium ${isShort ? 'text-xs' : ''}`} title={name}>
        {name}
      </span>
      <span className="truncate text-xs text-muted" title={modelText}>
        {modelText}
      </span>
      {!isShort && settings !== '' && (
        <span data-settings className="truncate text-xs text-muted" title={settings}>
          {settings}
        </span>
      )}
      {!isShort && !isLow && (
        <span
          className="truncate text-xs text-muted tabular-nums"
          title={`${grouped(spending.prompt)} tokens of prompts, ${grouped(spending.completion)} of answers`}
        >
          {grouped(spending.prompt + spending.completion)} tokens
        </span>
      )}
    </div>
  )
}

interface LaneCellProps extends ParticipantRowProps {
  readonly item: { readonly index: number; readonly start: number; readonly size: number }
  readonly cell: GridCell | undefined
}

function LaneCell({ lane, index, columns, item, cell, place, chosen, onPlace, onChoose }: LaneCellProps): ReactNode {
  if (!cell) return null
  const column = item.index - 1
  return (
    <div
      role="gridcell"
      aria-colindex={item.index + 1}
      aria-selected={chosen?.participant === lane.name && chosen.round === cell.round}
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
      className={columns.isStrip ? 'strip-cell' : 'monitor-cell'}
      style={{ left: item.start, width: item.size }}
    >
      <TurnCell cell={cell} width={columns.isStrip ? 0 : item.size} />
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

/** What a participant did in a round, in a few words; in a narrow column only its signs. */
const TurnCell = memo(function TurnCell({
  cell: { round, status, turns, prompt, completion, tools, words, gaps },
  width,
}: {
  readonly cell: GridCell
  /** Pixels. 0: what it shows is drawn already. */
  readonly width: number
}): ReactElement {
  const { sign, tone } = turnLooks[status]
  if (width === 0)
    return (
      <span className="sr-only">
        Round {round}: {status === 'idle' ? 'did not play' : [status, ...gapTexts(gaps)].join(', ')}
      </span>
    )
  if (status === 'idle') return <span className="sr-only">did not play</span>
  const isWide = width >= leastWords
  const chips = isWide ? chipsIn(tools, width) : { shown: [], more: 0 }
  return (
    <>
      <span className={`flex gap-x-1.5 text-[11px] leading-4 ${isWide ? 'h-4 items-center' : 'flex-wrap'}`}>
        <span aria-hidden="true" className={`${tone} ${status === 'playing' ? 'monitor-playing' : ''}`}>
          {sign}
        </span>
        <span className={isWide && status !== 'complete' ? tone : 'sr-only'}>{status}</span>
        <GapMarks gaps={gaps} />
        {turns.length > 1 && (
          <span className="text-muted">{isWide ? `${turns.length} turns` : `×${turns.length}`}</span>
        )}
        {isWide && prompt + completion > 0 && (
          <span
            title={`${grouped(prompt)} tokens of prompts, ${grouped(completion)} of answers`}
            className="ml-auto truncate font-mono text-muted tabular-nums"
          >
            {grouped(prompt)} → {grouped(completion)} {width >= 170 ? 'tokens' : 'tok'}
          </span>
        )}
      </span>
      {isWide && (
        <span className="line-clamp-2 h-9 text-[12.5px] leading-[18px] [overflow-wrap:anywhere]">
          {readable(words)}
        </span>
      )}
      {isWide && (
        <span className="flex h-4.5 gap-1 overflow-hidden font-mono text-[11px] leading-4.5 whitespace-nowrap">
          {chips.shown.map(({ text, isVain }) => (
            <span key={text} className={`truncate rounded bg-sunken px-1 ${isVain ? 'text-muted line-through' : ''}`}>
              {text}
            </span>
          ))}
          {chips.more > 0 && (
            <span className="shrink-0 text-muted" title={tools.map(({ tool }) => readable(tool)).join(', ')}>
              +{chips.more}
              <span className="sr-only"> more tools</span>
            </span>
          )}
        </span>
      )}
    </>
  )
})

interface Chips {
  readonly shown: readonly { readonly text: string; readonly isVain: boolean }[]
  /** How many tools are left out. */
  readonly more: number
}

/** The tools whose names can be read in a cell, at least one, and how many more there are. */
export function chipsIn(tools: GridCell['tools'], width: number): Chips {
  const texts = tools.map(({ tool, count, isVain }) => ({
    text: readable(tool) + (count > 1 ? ` ×${count}` : ''),
    isVain,
  }))
  let room = width - 2 * 8 - moreRoom
  const shown = texts.filter(({ text }, index) => {
    room -= text.length * letter + 12
    return index === 0 || room >= 0
  })
  return { shown, more: texts.length - shown.length }
}

/** Pixels. */
const letter = 6.7
const moreRoom = 18

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
        {question !== undefined && <span className="font-semibold text-warn">✂</span>}
        {(turn > 0 || earlier > 0) && <span className={turn > 0 ? 'font-semibold text-warn' : 'text-muted'}>⋯</span>}
        {window && <span className="text-warn">⚠</span>}
      </span>
      <span className="sr-only">{texts.join(', ')}</span>
    </span>
  )
}
