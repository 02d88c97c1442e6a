import '../inspector/inspector.css'
import './lab.css'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useIsAdmin } from '../api/api.tsx'
import { useCalls, useInspection } from '../api/calls.ts'
import { useEntries } from '../api/entries.ts'
import { Scrubber } from '../inspector/scrubber.tsx'
import { CopyLink } from '../ui/copy.tsx'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'
import type { Changes } from './changes.ts'
import { Comparison } from './comparison.tsx'
import { useLabAddress } from './lab-address.ts'
import { LabResults } from './lab-results.tsx'
import { Sliders } from './sliders.tsx'
import { useLab, usePreview, type OpenLab } from './use-lab.ts'

/** The lab: a recorded thread under other settings. */
export function LabPage(): ReactElement {
  const { thread } = useParams({ from: '/threads/$thread/lab' })
  if (!useIsAdmin())
    return (
      <Empty title="The lab needs an admin’s key">
        <p>It rebuilds prompts, which hold what is hidden from this key. Log in with an admin’s key.</p>
      </Empty>
    )
  return <AdminsLab key={thread} thread={thread} />
}

function AdminsLab({ thread }: { readonly thread: string }): ReactElement {
  const lab = useLab(thread)
  if (lab.error)
    return (
      <div className="mx-auto max-w-lg p-8">
        <Failure error={lab.error} onRetry={() => void lab.refetch()} />
      </div>
    )
  if (!lab.data) return <Loading label="Reading the log" />
  if (lab.data.receipts.length === 0)
    return (
      <Empty title="Nothing to try yet">
        <p>
          This thread has no recorded model call. Send a message first; then you can make its prompts under other
          settings here.
        </p>
      </Empty>
    )
  return <Bench thread={thread} lab={lab.data} />
}

function Bench({ thread, lab }: { readonly thread: string; readonly lab: OpenLab }): ReactElement {
  const { view, show, link } = useLabAddress(thread)
  const { changes } = view
  const calls = useCalls(thread, undefined)
  const { data: shown } = useEntries(thread, undefined)
  const found = lab.receipts.findIndex(({ id }) => id === view.call)
  const at = found < 0 ? lab.receipts.length - 1 : found
  const receipt = lab.receipts[at]!
  const recorded = lab.settings[at]
  const inspection = useInspection(thread, receipt.id)
  const change = (next: Changes): void => show({ ...view, changes: next })
  const { preview, isBusy, error } = usePreview(lab, receipt.id, changes)
  return (
    <section
      aria-label="Lab"
      data-lab={thread}
      data-same={preview && 'same' in preview.call ? preview.call.same : false}
      aria-busy={isBusy || inspection.isFetching}
      className="grid h-full min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]"
    >
      <header className="flex items-center gap-3 border-b border-line bg-surface px-4 py-2">
        <Link
          to="/threads/$thread"
          params={{ thread }}
          className="shrink-0 text-xs text-accent underline underline-offset-2"
        >
          Back to the thread
        </Link>
        <h1 className="font-semibold">Lab</h1>
        <p className="hidden grow truncate text-xs text-muted sm:block">
          What would the model have seen? Nothing of this thread changes.
        </p>
        <CopyLink link={() => link(receipt.id)} />
      </header>
      <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] overflow-y-auto lg:grid-cols-[17rem_minmax(0,1fr)] lg:overflow-hidden">
        <div className="border-line p-4 lg:overflow-y-auto lg:border-r">
          {recorded ? (
            <Sliders recorded={recorded} changes={changes} onChange={change} />
          ) : (
            <p className="text-muted">The settings of this call were erased: choose another one.</p>
          )}
        </div>
        <div className="min-w-0 space-y-4 p-4 text-[13px] lg:overflow-y-auto">
          {calls.data && calls.data.length > 0 && (
            <Scrubber calls={calls.data} receipt={receipt.id} onChoose={(call) => show({ ...view, call })} />
          )}
          {(error ?? inspection.error) !== undefined && (error ?? inspection.error) !== null && (
            <Failure error={error ?? inspection.error} />
          )}
          {inspection.data && <Comparison recorded={inspection.data} preview={preview} margin={lab.margin} />}
          {inspection.data && recorded && (
            <LabResults
              lab={lab}
              receipt={receipt}
              at={at}
              recorded={recorded}
              inspection={inspection.data}
              preview={preview}
              changes={changes}
              onChange={change}
              entries={shown?.entries ?? []}
              entry={view.entry}
              onEntry={(entry) => show({ ...view, entry })}
            />
          )}
        </div>
      </div>
    </section>
  )
}
