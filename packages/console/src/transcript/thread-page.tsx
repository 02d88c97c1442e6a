import { ApiError } from '@minutebook/client'
import { Link, Outlet, useChildMatches, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useRefreshEntries } from '../api/entries.ts'
import { SpeechContext, useNativeSpeech, useRelayedSpeech } from '../api/speech.ts'
import { runPlace, useThread } from '../api/thread.ts'
import { useKeys } from '../ui/keys.ts'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { DialogHost } from '../ui/dialog.tsx'
import { Conversation } from './conversation.tsx'

/** A thread: its transcript, and next to it the inspector or the state. */
export function ThreadPage(): ReactElement {
  const { thread } = useParams({ from: '/threads/$thread' })
  const isAlone = useChildMatches().length === 0
  const { data, error, refetch } = useThread(thread)
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty title="No such thread">
        <p>
          There is no thread with this name, or this key may not see it.{' '}
          <Link to="/threads" className="text-accent underline">
            Go to all threads
          </Link>
          , or check the address.
        </p>
      </Empty>
    )
  if (error && !data)
    return (
      <div className="mx-auto max-w-lg p-8">
        <Failure error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data) return <Loading label="Reading the thread" />
  const Speaking = data.relayed ? Relayed : Native
  return (
    <DialogHost key={thread}>
      <div
        className={`grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] ${isAlone ? '' : 'lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]'}`}
      >
        <div className={`min-h-0 min-w-0 ${isAlone ? '' : 'hidden lg:block'}`}>
          <Speaking key={thread} thread={thread} />
        </div>
        {!isAlone && <Side thread={thread} />}
      </div>
    </DialogHost>
  )
}

function Native({ thread }: { readonly thread: string }): ReactElement {
  const speech = useNativeSpeech(thread, useShowNewest(thread))
  return (
    <SpeechContext value={{ ...speech, run: runPlace(thread)?.run }}>
      <Conversation thread={thread} />
    </SpeechContext>
  )
}

function Relayed({ thread }: { readonly thread: string }): ReactElement {
  const speech = useRelayedSpeech(thread, useShowNewest(thread))
  return (
    <SpeechContext value={{ ...speech, run: runPlace(thread)?.run }}>
      <Conversation thread={thread} />
    </SpeechContext>
  )
}

/** Goes to the newest branch, where the new message is. */
function useShowNewest(thread: string): () => Promise<void> {
  const refresh = useRefreshEntries()
  const navigate = useNavigate()
  const { head } = useSearch({ from: '/threads/$thread' })
  return async () => {
    if (head !== undefined) await navigate({ to: '/threads/$thread', params: { thread }, search: {} })
    await refresh(thread)
  }
}

function Side({ thread }: { readonly thread: string }): ReactElement {
  const navigate = useNavigate()
  const { head } = useSearch({ from: '/threads/$thread' })
  const search = head === undefined ? {} : { head }
  useKeys({ Escape: () => void navigate({ to: '/threads/$thread', params: { thread }, search }) })
  return (
    <div className="relative min-h-0 min-w-0 border-l border-line bg-surface">
      <div className="h-full overflow-y-auto">
        <Outlet />
      </div>
      <Link
        to="/threads/$thread"
        params={{ thread }}
        search={search}
        title="Esc"
        className="absolute top-2.5 right-3 z-10 flex min-h-6 items-center rounded-md bg-surface px-1.5 text-xs text-muted hover:bg-sunken hover:text-ink"
      >
        Close
      </Link>
    </div>
  )
}
