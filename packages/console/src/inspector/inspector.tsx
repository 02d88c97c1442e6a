import './inspector.css'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState, type ReactElement } from 'react'
import { useCalls, useInspection, useReadAhead, type CallBrief, type Inspection } from '../api/calls.ts'
import { useEntries, type Entry } from '../api/entries.ts'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { CallHeader } from './call-header.tsx'
import { EntryDetail } from './entry-detail.tsx'
import { LogStrip } from './log-strip.tsx'
import { PaneDetail } from './pane-detail.tsx'
import type { PaneName } from './pane.ts'
import { PreviousCall } from './previous-call.tsx'
import { Dump, PromptView } from './prompt-view.tsx'
import { Scrubber } from './scrubber.tsx'
import { VerdictList } from './verdict-list.tsx'
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
      className="flex h-full min-h-0 flex-col gap-3 overflow-y-auto p-3 text-[13px]"
    >
      {calls.data && calls.data.length > 0 && <Scrubber calls={calls.data} receipt={receipt} onChoose={go} />}
      {inspection.error && <Failure error={inspection.error} onRetry={() => void inspection.refetch()} />}
      {inspection.data && !inspection.error && (
        <InspectorView
          inspection={inspection.data}
          previous={callBefore(calls.data, inspection.data.receipt.id)}
          entries={shown?.entries ?? []}
          choice={choice}
          onChoose={choose}
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
}

type Tab = 'detail' | 'entries' | 'prompt' | 'previous' | 'dump'

/** One model call: the window to scale, the log by verdict, and the selection. */
function InspectorView({ inspection, previous, entries, choice, onChoose }: InspectorViewProps): ReactElement {
  const [tab, setTab] = useState<Tab>('entries')
  const entry = inspection.entries.find(({ id }) => id === choice.entry)
  const choose = (next: Choice): void => {
    onChoose(next)
    setTab('detail')
  }
  return (
    <>
      <CallHeader inspection={inspection} />
      <div className="space-y-1.5">
        <WindowStrip
          shares={inspection.shares}
          window={inspection.window}
          tokens={inspection.tokens}
          chosen={choice.pane}
          onChoose={(pane) => choose({ pane })}
        />
        <PaneLegend shares={inspection.shares} chosen={choice.pane} onChoose={(pane) => choose({ pane })} />
      </div>
      <LogStrip entries={inspection.entries} chosen={choice.entry} onChoose={(id) => choose({ entry: id })} />
      <Tabs
        label="About this call"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            id: 'entries',
            title: 'Entries',
            content: (
              <div className={`rounded-md border border-line ${entry ? 'h-52' : 'h-[38vh] min-h-56'}`}>
                <VerdictList
                  entries={inspection.entries}
                  chosen={choice.entry}
                  onChoose={(id) => onChoose({ entry: id })}
                />
              </div>
            ),
            below: entry && <EntryDetail inspection={inspection} entry={entry} entries={entries} />,
          },
          {
            id: 'detail',
            title: 'Chosen',
            content: <Chosen inspection={inspection} entries={entries} choice={choice} />,
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

function Chosen({ inspection, entries, choice }: Omit<InspectorViewProps, 'onChoose' | 'previous'>): ReactElement {
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
