import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState, type ReactElement } from 'react'
import { useEntries } from '../api/entries.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { useCalls, useInspection, useReadAhead } from './calls.ts'
import './inspector.css'
import { InspectorView, type Choice } from './inspector-view.tsx'
import { Scrubber } from './scrubber.tsx'

/** The inspector at its address: one model call of a thread, and the way to the others. */
export function InspectorPage({
  thread,
  receipt,
}: {
  readonly thread: string
  readonly receipt: string
}): ReactElement {
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
    // The transcript goes to the entry, too.
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
        <InspectorView inspection={inspection.data} entries={shown?.entries ?? []} choice={choice} onChoose={choose} />
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
