import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type KeyboardEvent, type ReactElement } from 'react'
import type { InspectedEntry } from '../api/calls.ts'
import { grouped, numberText, readable } from '../ui/text.ts'
import { VerdictBadge } from './verdict.tsx'

interface VerdictListProps {
  readonly entries: readonly InspectedEntry[]
  readonly chosen: string | undefined
  readonly onChoose: (entry: string) => void
}

const rowHeight = 30

/** Every entry of the log with its verdict, one per line. Arrow keys move through it. */
export function VerdictList({ entries, chosen, onChoose }: VerdictListProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 16,
  })
  const at = entries.findIndex(({ id }) => id === chosen)
  useEffect(() => {
    rows.scrollToIndex(at >= 0 ? at : entries.length - 1, { align: at >= 0 ? 'auto' : 'end' })
    // Only if another entry is chosen, or another log is shown.
  }, [at, entries, rows])
  const move = (event: KeyboardEvent): void => {
    const to = steps[event.key]?.(at < 0 ? entries.length : at, entries.length)
    const entry = to === undefined ? undefined : entries[Math.max(0, Math.min(entries.length - 1, to))]
    if (!entry) return
    event.preventDefault()
    onChoose(entry.id)
  }
  return (
    <div
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-label="Entries and their verdicts"
      aria-activedescendant={at >= 0 ? `entry-${entries[at]!.id}` : undefined}
      onKeyDown={move}
      data-verdict-list
      className="h-full min-h-40 overflow-y-auto"
    >
      <div className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <Row
            key={entries[index]!.id}
            entry={entries[index]!}
            top={start}
            place={index}
            of={entries.length}
            isChosen={index === at}
            onChoose={onChoose}
          />
        ))}
      </div>
    </div>
  )
}

const steps: Readonly<Record<string, (at: number, length: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + 10,
  PageUp: (at) => at - 10,
  Home: () => 0,
  End: (_, length) => length - 1,
}

interface RowProps {
  readonly entry: InspectedEntry
  readonly top: number
  readonly place: number
  readonly of: number
  readonly isChosen: boolean
  readonly onChoose: (entry: string) => void
}

function Row({
  entry: { id, number, kind, verdict, tokens, title, reason },
  top,
  place,
  of,
  isChosen,
  onChoose,
}: RowProps): ReactElement {
  return (
    <div
      id={`entry-${id}`}
      role="option"
      aria-selected={isChosen}
      aria-setsize={of}
      aria-posinset={place + 1}
      data-entry={id}
      data-verdict={verdict}
      onClick={() => onChoose(id)}
      title={reason}
      className={`absolute inset-x-0 grid cursor-pointer grid-cols-[1.25rem_2.5rem_4.5rem_1fr_auto] items-center gap-2 px-2 text-xs ${isChosen ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
      style={{ height: rowHeight, transform: `translateY(${top}px)` }}
    >
      <VerdictBadge verdict={verdict} />
      <span className="text-right font-mono text-muted">{numberText({ number })}</span>
      <span className="truncate text-muted">{kind}</span>
      <span
        dir="auto"
        className={`truncate ${verdict === 'outlined' || verdict === 'omitted' || verdict === 'hidden' ? 'text-muted' : ''}`}
      >
        {readable(title) || '(no text)'}
      </span>
      <span className="text-right font-mono text-muted">{grouped(tokens)}</span>
    </div>
  )
}
