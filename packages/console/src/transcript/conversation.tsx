import { useSearch } from '@tanstack/react-router'
import { useMemo, useState, type ReactElement } from 'react'
import { useAbout } from '../api/about.ts'
import { useEntries, type Entry } from '../api/entries.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { Loading } from '../ui/loading.tsx'
import { Composer } from './composer.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { openCallsOf } from './open-calls.ts'
import { isRecord, useRecords } from './records.ts'
import { ResultsForm } from './results-form.tsx'
import { useSpeech } from './speech.ts'
import { ThreadHeader } from './thread-header.tsx'
import { Transcript } from './transcript.tsx'

/** What was said on a branch of a thread, and where one speaks. */
export function Conversation({ thread }: { readonly thread: string }): ReactElement {
  const { head, at } = useSearch({ from: '/threads/$thread' })
  const { scope } = useAbout()
  const { data, error, refetch } = useEntries(thread, head)
  const { live, isRelayed, run } = useSpeech()
  const records = useRecords()
  const [edited, setEdited] = useState<Entry>()
  const shown = useMemo(
    () =>
      data && { ...data, entries: records.isShown ? data.entries : data.entries.filter((entry) => !isRecord(entry)) },
    [data, records.isShown],
  )
  const open = useMemo(() => openCallsOf(data?.entries ?? []), [data])
  const isNewest = head === undefined || data?.branches[0] === head
  const shownLive = isNewest ? live : { text: '', isRunning: false }
  const waitsForResults =
    run === undefined && isRelayed && open.calls.length > 0 && !live.isRunning && scope !== 'viewer'
  return (
    <div className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      <ThreadHeader thread={thread} shown={data} records={records} />
      {error && !data ? (
        <div className="mx-auto max-w-lg p-8">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      ) : !shown ? (
        <Loading label="Reading the thread" />
      ) : shown.entries.length === 0 && !live.isRunning ? (
        <Empty title="Nothing was said yet">
          <p>Say something below, and see what the model makes of it.</p>
        </Empty>
      ) : (
        <Transcript
          key={head ?? ''}
          shown={shown}
          live={shownLive}
          mayRetry={isNewest || isRelayed}
          at={at}
          onEdit={setEdited}
        />
      )}
      {edited && <EditDialog entry={edited} onClose={() => setEdited(undefined)} />}
      {waitsForResults ? (
        <ResultsForm key={open.after} open={open} />
      ) : (
        <Composer after={isNewest ? undefined : head} />
      )}
    </div>
  )
}
