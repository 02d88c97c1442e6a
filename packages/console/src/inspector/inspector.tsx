import './inspector.css'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState, type ReactElement, type ReactNode } from 'react'
import { useCalls, useInspection, useReadAhead, type CallBrief, type Inspection } from '../api/calls.ts'
import { useEntries, type Entry } from '../api/entries.ts'
import { CopyPicture, type Picture } from '../picture/picture.tsx'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { StripTitle } from '../ui/ui.tsx'
import { CallHeader } from './call-header.tsx'
import { CallSteps } from './call-steps.tsx'
import { EntryDetail } from './entry-detail.tsx'
import { EntryFinder } from './entry-finder.tsx'
import { LogStrip } from './log-strip.tsx'
import { PaneDetail } from './pane-detail.tsx'
import type { PaneName } from './pane.ts'
import { PreviousCall } from './previous-call.tsx'
import { Dump, PromptView } from './prompt-view.tsx'
import { Scrubber } from './scrubber.tsx'
import { windowDrawing } from './window-picture.ts'
import { PaneLegend, WindowStrip } from './window-strip.tsx'

/** The inspector: one model call of a thread, with the scrubber to reach the others. */
export function InspectorPage(): ReactElement {
  const { thread, receipt } = useParams({ from: '/threads/$thread/calls/$receipt' })
  const { head, at } = useSearch({ strict: false }) as { readonly head?: string; readonly at?: string }
  const navigate = useNavigate()
  const calls = useCalls(thread, head)
  const inspection = useInspection(thread, receipt === 'last' ? undefined : receipt)
  const { data: shown } = useEntries(thread, head)
  const readAhead = useReadAhead()
  const [choice, setChoice] = useState<Choice>(at === undefined ? {} : { entry: at })
  useEffect(() => {
    if (at !== undefined) setChoice({ entry: at })
  }, [at])
  useEffect(() => {
    const place = calls.data?.findIndex((call) => call.receipt.id === receipt) ?? -1
    if (place >= 0)
      readAhead(
        thread,
        [place - 1, place + 1].flatMap((next) => calls.data?.[next]?.receipt.id ?? []),
      )
  }, [calls.data, receipt, readAhead, thread])
  const last = calls.data?.at(-1)?.receipt.id
  useEffect(() => {
    if (receipt === 'last' && last !== undefined) go(last)
  })
  const go = (to: string): void =>
    void navigate({
      to: '/threads/$thread/calls/$receipt',
      params: { thread, receipt: to },
      search: { ...(head !== undefined && { head }), ...(at !== undefined && { at }) },
      replace: true,
    })
  const choose = (next: Choice): void => {
    setChoice(next)
    // The transcript scrolls to the entry as well.
    void navigate({
      to: '/threads/$thread/calls/$receipt',
      params: { thread, receipt },
      search: { ...(head !== undefined && { head }), ...(next.entry !== undefined && { at: next.entry }) },
      replace: true,
    })
  }
  return (
    <section
      aria-label="Inspector"
      data-inspector
      data-receipt={inspection.data?.receipt.id ?? receipt}
      data-hash={inspection.data?.hash}
      aria-busy={inspection.isFetching}
      ref={focusHere}
      tabIndex={-1}
      className="@container flex h-full min-h-0 flex-col gap-2.5 overflow-y-auto p-3 text-[13px] -outline-offset-2"
    >
      {inspection.error && <Failure error={inspection.error} onRetry={() => void inspection.refetch()} />}
      {inspection.data && !inspection.error && (
        <InspectorView
          inspection={inspection.data}
          previous={callBefore(calls.data, inspection.data.receipt.id)}
          entries={shown?.entries ?? []}
          choice={choice}
          onChoose={choose}
          steps={calls.data && <CallSteps calls={calls.data} receipt={receipt} onChoose={go} />}
          scrubber={calls.data && <Scrubber calls={calls.data} receipt={receipt} onChoose={go} />}
        />
      )}
      {calls.data?.length === 0 && (
        <Empty title="No model call yet">
          <p>Say something, and see here what the model saw of this thread.</p>
        </Empty>
      )}
      {inspection.isPending && calls.data?.length !== 0 && <Loading label="Reading the call" />}
    </section>
  )
}

function callBefore(calls: readonly CallBrief[] = [], receipt: string): CallBrief | undefined {
  return calls[calls.findIndex((call) => call.receipt.id === receipt) - 1]
}

/** The selection: a pane of the window, an entry of the log, or neither. */
interface Choice {
  readonly pane?: PaneName
  readonly entry?: string
}

interface InspectorViewProps {
  readonly inspection: Inspection
  readonly previous: CallBrief | undefined
  /** The branch, as this key may see it. */
  readonly entries: readonly Entry[]
  readonly choice: Choice
  readonly onChoose: (choice: Choice) => void
  readonly steps: ReactNode
  readonly scrubber: ReactNode
}

type Tab = 'detail' | 'entries' | 'prompt' | 'previous' | 'dump'

/** One model call: the answer first, then three strips, then the selection and the list. */
function InspectorView(props: InspectorViewProps): ReactElement {
  const { inspection, previous, entries, choice, onChoose, steps, scrubber } = props
  const [tab, setTab] = useState<Tab>('entries')
  const entry = inspection.entries.find(({ id }) => id === choice.entry)
  useEffect(() => {
    if (choice.entry !== undefined) setTab('entries')
  }, [choice.entry])
  const choosePane = (pane: PaneName): void => {
    onChoose({ pane })
    setTab('detail')
  }
  return (
    <>
      <CallHeader inspection={inspection}>{steps}</CallHeader>
      {scrubber}
      <div className="space-y-1">
        <StripTitle title="In the window now">
          <span className="grow text-muted">to scale; click a part to read it</span>
          <CopyPicture
            name={`window-${inspection.receipt.id}`}
            label="Copy picture of the window"
            picture={() => windowPicture(inspection)}
          />
        </StripTitle>
        <WindowStrip
          shares={inspection.shares}
          window={inspection.window}
          tokens={inspection.tokens}
          chosen={choice.pane}
          onChoose={choosePane}
        />
        <PaneLegend shares={inspection.shares} chosen={choice.pane} onChoose={choosePane} />
      </div>
      <LogStrip entries={inspection.entries} chosen={choice.entry} onChoose={(id) => onChoose({ entry: id })} />
      <Tabs
        label="About this call"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            id: 'entries',
            title: 'Entries',
            content: (
              <div className={entry ? 'space-y-2 @3xl:grid @3xl:grid-cols-2 @3xl:gap-3 @3xl:space-y-0' : ''}>
                {entry && (
                  <div className="h-60 overflow-y-auto rounded-md border border-line p-2 @3xl:order-last @3xl:h-[45vh]">
                    <EntryDetail inspection={inspection} entry={entry} entries={entries} />
                  </div>
                )}
                <EntryFinder
                  inspected={inspection.entries}
                  entries={entries}
                  chosen={choice.entry}
                  onChoose={(id) => onChoose({ entry: id })}
                />
              </div>
            ),
          },
          {
            id: 'detail',
            title: 'Details',
            content: <Details inspection={inspection} entries={entries} choice={choice} />,
          },
          { id: 'prompt', title: 'Prompt', content: <PromptView inspection={inspection} entries={entries} /> },
          {
            id: 'previous',
            title: 'Previous call',
            content: <PreviousCall inspection={inspection} previous={previous} />,
          },
          { id: 'dump', title: 'Dump', content: <Dump inspection={inspection} /> },
        ]}
      />
    </>
  )
}

function windowPicture({ turn, shares, window, tokens }: Inspection): Picture {
  const title = turn === null ? 'The window of a call' : `The window at turn ${turn}`
  return { title, drawing: windowDrawing([{ title, shares, window, tokens }]) }
}

function Details({
  inspection,
  entries,
  choice,
}: Pick<InspectorViewProps, 'inspection' | 'entries' | 'choice'>): ReactElement {
  const entry = inspection.entries.find(({ id }) => id === choice.entry)
  if (choice.pane) return <PaneDetail inspection={inspection} pane={choice.pane} entries={entries} />
  if (entry) return <EntryDetail inspection={inspection} entry={entry} entries={entries} />
  if (choice.entry !== undefined)
    return (
      <p className="text-muted">This entry came after this call, is on another branch, or is hidden from this key.</p>
    )
  return (
    <p className="text-muted">Click a part of the window, or an entry, to see exactly what was sent of it, and why.</p>
  )
}

/** If a link opened the inspector, it takes the focus, and returns it to the link when it closes. */
function focusHere(section: HTMLElement | null): (() => void) | undefined {
  const before = document.activeElement
  if (!section || !(before instanceof HTMLAnchorElement)) return undefined
  section.focus({ preventScroll: true })
  return () => {
    const isHere = document.activeElement === document.body || section.contains(document.activeElement)
    if (isHere && before.isConnected) before.focus({ preventScroll: true })
  }
}
