import { ApiError } from '@minutebook/client'
import { Link, Outlet, useMatchRoute, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useRefreshEntries } from '../api/entries.ts'
import { SpeechContext, useNativeSpeech, useRelayedSpeech } from '../api/speech.ts'
import { runPlace, useThread } from '../api/thread.ts'
import { Empty, Failure, Loading } from '../ui/placeholders.tsx'
import { Conversation } from './conversation.tsx'

/** A thread: its transcript, and next to it the inspector or the state. */
export function ThreadPage(): ReactElement {
  const { thread } = useParams({ from: '/threads/$thread' })
  const isAlone = useMatchRoute()({ to: '/threads/$thread', params: { thread } }) !== false
  const { data, error, refetch } = useThread(thread)
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty title="No such thread">
        <p>
          There is no thread with this name, or this key may not see it.{' '}
          <Link to="/" className="text-accent underline">
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
    <div
      className={`grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] ${isAlone ? '' : 'lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]'}`}
    >
      <div className={`min-h-0 min-w-0 ${isAlone ? '' : 'hidden lg:block'}`}>
        <Speaking key={thread} thread={thread} />
      </div>
      {!isAlone && <Side thread={thread} />}
    </div>
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
  return (
    <div
      className="grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] border-l border-line bg-surface"
      onKeyDown={(event) =>
        event.key === 'Escape' && void navigate({ to: '/threads/$thread', params: { thread }, search })
      }
    >
      <div className="flex justify-end border-b border-line px-2 py-1">
        <Link
          to="/threads/$thread"
          params={{ thread }}
          search={search}
          className="rounded px-2 py-0.5 text-xs text-muted hover:bg-sunken"
        >
          Close
        </Link>
      </div>
      <div className="min-h-0 overflow-y-auto">
        <Outlet />
      </div>
    </div>
  )
}
