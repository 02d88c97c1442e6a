import { useSearch } from '@tanstack/react-router'
import { useMemo, useState, type ReactElement } from 'react'
import { useMayWrite } from '../api/api.tsx'
import { useEntries, type Entry } from '../api/entries.ts'
import { useSpeech } from '../api/speech.ts'
import { useOpenCalls } from '../api/waiting.ts'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Button } from '../ui/ui.tsx'
import { Composer, openCallsOf, ResultsForm } from './composer.tsx'
import { ThreadHeader } from './thread-header.tsx'
import { isRecord, useRecords } from './thread-menu.tsx'
import { Transcript } from './transcript.tsx'

/** A branch of a thread, with the field to write in. */
export function Conversation({ thread }: { readonly thread: string }): ReactElement {
  const { head, at } = useSearch({ from: '/threads/$thread' })
  const mayWrite = useMayWrite()
  const { data, error, refetch } = useEntries(thread, head)
  const { live, isRelayed, run } = useSpeech()
  const { data: waiting = none } = useOpenCalls(thread, { isLive: true })
  const records = useRecords()
  const [edited, setEdited] = useState<Entry>()
  const shown = useMemo(
    () =>
      data && { ...data, entries: records.isShown ? data.entries : data.entries.filter((entry) => !isRecord(entry)) },
    [data, records.isShown],
  )
  const open = useMemo(() => openCallsOf(data?.entries ?? []), [data])
  const isNewest = head === undefined || data?.branches[0]?.head === head
  const shownLive = isNewest ? live : { text: '', isRunning: false }
  const waitsForResults = run === undefined && isRelayed && open.calls.length > 0 && !live.isRunning && mayWrite
  return (
    <div className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      <div>
        <ThreadHeader thread={thread} shown={data} waiting={waiting.length} records={records} />
        {live.failure && <Failure {...live.failure} />}
      </div>
      {error && !data ? (
        <div className="mx-auto max-w-lg p-8">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      ) : !shown ? (
        <Loading label="Reading the thread" />
      ) : shown.entries.length === 0 && !live.isRunning ? (
        <Empty title="No messages yet">
          <p>Write a message below.</p>
        </Empty>
      ) : (
        <Transcript
          key={head ?? ''}
          shown={shown}
          live={shownLive}
          waiting={isNewest ? waiting : none}
          mayRetry={(isNewest || isRelayed) && waiting.length === 0}
          at={at}
          onEdit={setEdited}
        />
      )}
      {edited && <EditDialog entry={edited} onClose={() => setEdited(undefined)} />}
      {waitsForResults ? (
        <ResultsForm key={open.after} open={open} />
      ) : (
        <Composer after={isNewest ? undefined : head} isWaiting={waiting.length > 0} />
      )}
    </div>
  )
}

const none: readonly never[] = []

/** Sends another text in place of an entry. This makes a new branch; the old one stays. */
function EditDialog({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }): ReactElement {
  const [text, setText] = useState(entry.text)
  const { say, isSending, error } = useSpeech()
  const send = async (): Promise<void> => {
    if (await say(text, entry.parent)) onClose()
  }
  return (
    <Dialog label="Edit the message" onClose={onClose} className="max-w-2xl">
      <label className="block space-y-2">
        <span className="block font-medium">Edited message</span>
        <textarea
          autoFocus
          dir="auto"
          rows={6}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="w-full rounded-md border border-strong bg-surface px-3 py-2"
        />
      </label>
      <p className="mt-1 text-xs text-muted">This makes a new branch. The old message stays recorded.</p>
      {error && (
        <p role="alert" className="mt-2 text-bad">
          {error.message}
        </p>
      )}
      <div className="mt-3 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          disabled={text.trim() === '' || text === entry.text || isSending}
          onClick={() => void send()}
        >
          Send as a branch
        </Button>
      </div>
    </Dialog>
  )
}
