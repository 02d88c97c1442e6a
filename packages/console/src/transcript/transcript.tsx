import { useParams } from '@tanstack/react-router'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, type ReactElement } from 'react'
import { useCalls, useInspection, type CallBrief, type Verdict } from '../api/calls.ts'
import type { Entry, ShownThread } from '../api/entries.ts'
import type { Live } from '../api/live.ts'
import type { WaitingCall } from '../api/waiting.ts'
import { OpenCalls } from '../waiting/open-calls.tsx'
import { callsOf } from './call-chip.tsx'
import { EntryView } from './entry-view.tsx'
import { Markdown } from './markdown.tsx'
import { pairResults } from './tool-results.ts'

interface TranscriptProps {
  readonly shown: ShownThread
  readonly live: Live
  /** Its calls that wait for a decision. */
  readonly waiting: readonly WaitingCall[]
  /** Whether the newest answer of this branch can be regenerated. */
  readonly mayRetry: boolean
  /** The entry to scroll to. */
  readonly at: string | undefined
  readonly onEdit: (entry: Entry) => void
}

/**
 * The entries of a branch. Only those on the screen are rendered. It stays at the end while it grows, unless the user
 * has scrolled away.
 */
export function Transcript({
  shown: { thread, head, branches, entries: recorded },
  live,
  waiting,
  mayRetry,
  at,
  onEdit,
}: TranscriptProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  /** The place to which it was scrolled before. */
  const top = useRef(0)
  const { rows: entries, results, shownWith } = useMemo(() => pairResults(recorded), [recorded])
  const count = entries.length + (live.isRunning ? 1 : 0)
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(entries[index]?.text.length ?? 0),
    getItemKey: (index) => entries[index]?.id ?? 'streaming',
    overscan: 6,
    initialOffset: () => 1e9,
  })
  const verdicts = useVerdicts()
  const { data: calls } = useCalls(thread, branches[0]?.head === head ? undefined : head)
  const chips = useMemo(() => calls && callsOf(entries, calls), [calls, entries])
  const sought = useMemo(
    () => (at === undefined ? -1 : entries.findIndex(({ id }) => id === (shownWith.get(at) ?? at))),
    [at, entries, shownWith],
  )
  useEffect(() => {
    if (sought < 0) return
    isAtEnd.current = false
    if (!isInView(list, sought)) list.scrollToIndex(sought, { align: 'center' })
  }, [sought, list])
  const followed = useFollowed(calls)
  const hasFollowed = useRef(false)
  useEffect(() => {
    if (!followed) return
    const isArrival = !hasFollowed.current
    hasFollowed.current = true
    // If the page was opened at an entry or at the end, it stays there.
    if (isArrival && (at !== undefined || (followed.isLast && isAtEnd.current))) return
    const index = entries.findIndex(({ id }) => id === followed.question)
    if (index < 0 || isInView(list, index)) return
    isAtEnd.current = false
    list.scrollToIndex(index, { align: 'start' })
    // Only if another call is chosen. New entries, and scrolling by hand, change nothing.
  }, [followed?.question])
  const size = list.getTotalSize()
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || !isAtEnd.current) return
    element.scrollTop = element.scrollHeight
    top.current = element.scrollTop
  }, [size, count, live.text, waiting.length])
  const note = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!
    // Rows that grow also lead away from the end. Only a person who scrolls up leaves it.
    const isNear = scrollHeight - scrollTop - clientHeight < 40
    isAtEnd.current = isNear || (isAtEnd.current && scrollTop >= top.current)
    top.current = scrollTop
  }
  const newest = entries.findLast(({ kind }) => kind === 'assistant' || kind === 'user' || kind === 'stop')
  const question = mayRetry && newest?.kind !== 'user' ? entries.findLast(({ kind }) => kind === 'user') : undefined
  return (
    <div
      ref={scroller}
      data-transcript
      onScroll={note}
      tabIndex={0}
      role="log"
      aria-label="Transcript"
      className="min-h-0 overflow-y-auto [overflow-anchor:none]"
    >
      <div className="relative" style={{ height: size }}>
        <div
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${list.getVirtualItems()[0]?.start ?? 0}px)` }}
        >
          {list.getVirtualItems().map(({ index, key }) => {
            const entry = entries[index]
            return (
              <div key={key} data-index={index} ref={list.measureElement}>
                {entry ? (
                  <EntryView
                    thread={thread}
                    entry={entry}
                    head={head}
                    branches={branches}
                    question={entry === newest ? question : undefined}
                    isSought={index === sought}
                    verdicts={verdicts}
                    results={results.get(entry.id)}
                    calls={entry.kind === 'stop' ? callsBefore(entries, index, chips) : chips?.get(entry.id)}
                    onEdit={onEdit}
                  />
                ) : (
                  <Streaming text={live.text} />
                )}
              </div>
            )
          })}
        </div>
      </div>
      <div className={waiting.length > 0 ? 'px-4 py-2' : 'px-4'}>
        <div className="mx-auto max-w-3xl">
          <OpenCalls calls={waiting} showsThread={false} />
        </div>
      </div>
    </div>
  )
}

/** The model calls of the newest message before an entry. */
function callsBefore(
  entries: readonly Entry[],
  index: number,
  chips: ReturnType<typeof callsOf> | undefined,
): readonly CallBrief[] | undefined {
  const before = entries.slice(0, index).findLast(({ kind }) => kind === 'user' || kind === 'assistant')
  return before && chips?.get(before.id)
}

/** Whether an entry is fully on the screen, so nothing needs to scroll. */
function isInView(
  { scrollOffset, scrollRect, measurementsCache }: Virtualizer<HTMLDivElement, Element>,
  index: number,
): boolean {
  const item = measurementsCache[index]
  const top = scrollOffset ?? 0
  return item !== undefined && item.start >= top && item.end <= top + (scrollRect?.height ?? 0)
}

/** The rough height in pixels of a text of this length. */
function estimate(length: number): number {
  return Math.min(700, 64 + Math.ceil(length / 90) * 21)
}

/** The answer while it is written. */
function Streaming({ text }: { readonly text: string }): ReactElement {
  return (
    <div data-streaming className="px-4 py-2">
      <div className="mx-auto max-w-3xl px-3 py-1">
        <div className="mb-0.5 flex min-h-6 items-center gap-2 text-xs">
          <span className="font-semibold">Assistant</span>
          <span className="text-muted">{text === '' ? 'waiting…' : 'is answering…'}</span>
        </div>
        {text === '' ? <span className="caret" /> : <Markdown text={text} />}
      </div>
    </div>
  )
}

/** The question of the call that the inspector shows. Undefined if it shows none, or one of another branch. */
function useFollowed(
  calls: readonly CallBrief[] | undefined,
): { readonly question: string; readonly isLast: boolean } | undefined {
  const { receipt } = useParams({ strict: false }) as { readonly receipt?: string }
  const call = calls?.find((each) => each.receipt.id === receipt)
  return call && call.question !== null ? { question: call.question, isLast: call === calls?.at(-1) } : undefined
}

/** The verdict of each entry in the call that the inspector shows. Undefined if it shows none. */
function useVerdicts(): ReadonlyMap<string, Verdict> | undefined {
  const { thread = '', receipt } = useParams({ strict: false }) as {
    readonly thread?: string
    readonly receipt?: string
  }
  const { data } = useInspection(thread, receipt === 'last' ? undefined : receipt)
  return useMemo(
    () => (receipt === undefined || !data ? undefined : new Map(data.entries.map(({ id, verdict }) => [id, verdict]))),
    [data, receipt],
  )
}
