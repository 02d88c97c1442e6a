import { useNavigate, useParams } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react'
import { useMayWrite } from '../api/api.tsx'
import type { FeedbackQuery } from '../api/feedback.ts'
import { useThreads, type Mark } from '../api/threads.ts'
import { FeedbackFilter } from '../feedback/filter.tsx'
import { CutOff, Failure } from '../ui/placeholders.tsx'
import { Button, Icon } from '../ui/ui.tsx'
import { FoundThreads } from './found-threads.tsx'
import { rowsOf } from './rows.ts'
import { ThreadFilters, useThreadFilter } from './thread-filters.tsx'
import { ThreadRow } from './thread-row.tsx'

/** The list of threads. Only the rows on the screen are rendered. */
export function ThreadList(): ReactElement {
  const [query, setQuery] = useState('')
  const filter = useThreadFilter()
  const [rated, setRated] = useState<FeedbackQuery>({})
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <div className="space-y-2 border-b border-line p-2">
        <div className="flex gap-2">
          <input
            type="search"
            aria-label="Search threads"
            placeholder="Search messages"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className="min-w-0 grow rounded-md border border-line bg-page px-2 py-1 text-[13px]"
          />
          <NewThread />
        </div>
        <ThreadFilters filter={filter} />
        <FeedbackFilter chosen={rated} onChange={setRated} />
      </div>
      {query.trim() === '' ? (
        <Rows marks={filter.marks} rating={rated.rating} />
      ) : (
        <FoundThreads query={query.trim()} />
      )}
    </div>
  )
}

const rowHeight = 58

interface RowsProps {
  readonly marks: readonly Mark[]
  readonly rating: FeedbackQuery['rating'] | undefined
}

function Rows({ marks, rating }: RowsProps): ReactElement {
  const { threads, isLoading, isLoadingMore, hasMore, error, isCutOff, more, again } = useThreads(marks, rating)
  const { thread: chosen } = useParams({ strict: false })
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => rowsOf(threads, { open, chosen }), [threads, open, chosen])
  const scroller = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => keyOf(rows[index]),
  })
  const items = list.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && !isLoadingMore && last >= rows.length - ahead) more()
  }, [hasMore, isLoadingMore, last, rows.length, more])
  const move = useArrowKeys()
  const toggle = (name: string): void =>
    setOpen((before) => new Set(before.has(name) ? [...before].filter((each) => each !== name) : [...before, name]))

  if (error)
    return (
      <div className="p-3">
        <Failure error={error} onRetry={again} />
      </div>
    )
  return (
    <div
      ref={scroller}
      data-threads
      aria-busy={isLoading}
      onKeyDown={move}
      className="min-h-0 overflow-y-auto [overflow-anchor:none]"
    >
      {isCutOff && <CutOff />}
      <div className="relative" style={{ height: list.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const row = rows[index]!
          return (
            <div
              key={key}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
            >
              {row.kind === 'thread' ? (
                <ThreadRow thread={row.thread} isInFold={row.isInFold} />
              ) : (
                <button
                  type="button"
                  aria-expanded={row.isOpen}
                  onClick={() => toggle(row.name)}
                  className="flex h-full w-full items-center gap-2 px-3 text-left text-[13px] text-muted hover:bg-sunken"
                >
                  <Icon name={row.isOpen ? 'open' : 'closed'} size={12} />
                  {row.count} one-off threads
                </button>
              )}
            </div>
          )
        })}
      </div>
      <p role="status" className="p-3 text-center text-xs text-muted">
        {endText({ isLoading, hasMore, count: threads.length, isFiltered: marks.length > 0 || rating !== undefined })}
      </p>
    </div>
  )
}

/** Rows before the end at which the next page is fetched. */
const ahead = 40

function keyOf(row: ReturnType<typeof rowsOf>[number] | undefined): string {
  if (!row) return ''
  return row.kind === 'thread' ? row.thread.thread : `fold ${row.name}`
}

function endText({
  isLoading,
  hasMore,
  count,
  isFiltered,
}: {
  readonly isLoading: boolean
  readonly hasMore: boolean
  readonly count: number
  readonly isFiltered: boolean
}): string {
  if (isLoading) return 'Loading the threads…'
  if (hasMore) return isFiltered ? 'Looking through older threads…' : 'Loading more…'
  if (count > 0) return `${count.toLocaleString('en')} ${count === 1 ? 'thread' : 'threads'}`
  return isFiltered ? 'No thread fits. Remove a filter to see more.' : 'No threads yet.'
}

/** Arrow keys move from row to row and open the thread. */
function useArrowKeys(): (event: KeyboardEvent<HTMLElement>) => void {
  const navigate = useNavigate()
  return (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const rows = [
      ...event.currentTarget.querySelectorAll<HTMLElement>('a[data-thread], button[aria-expanded]'),
    ].toSorted((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    const next = rows[at < 0 ? 0 : at + (event.key === 'ArrowDown' ? 1 : -1)]
    event.preventDefault()
    if (!next) return
    next.focus()
    const name = next.dataset['thread']
    if (name !== undefined) void navigate({ to: '/threads/$thread', params: { thread: name } })
  }
}

/** Leads to a new thread, if this key may begin one. */
function NewThread(): ReactElement {
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  if (!mayWrite) return <></>
  return (
    <Button small onClick={() => void navigate({ to: '/new' })} aria-label="New thread" title="New thread">
      <Icon name="add" />
    </Button>
  )
}
