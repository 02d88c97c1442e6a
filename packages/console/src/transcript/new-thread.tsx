import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useMayWrite } from '../api/api.tsx'
import { useFirstSpeech } from '../api/begin-thread.ts'
import { SpeechContext } from '../api/speech.ts'
import { Empty } from '../ui/placeholders.tsx'
import { Icon } from '../ui/ui.tsx'
import { Composer } from './composer.tsx'

/** A thread before its first message, which makes it. */
export function NewThreadPage(): ReactElement {
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const speech = useFirstSpeech((thread) => navigate({ to: '/threads/$thread', params: { thread }, replace: true }))
  return (
    <SpeechContext value={speech}>
      <div className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
        <div className="flex min-h-12 items-center gap-2 border-b border-line bg-surface px-3 py-1">
          <Link to="/threads" aria-label="All threads" className="rounded-md px-2 py-1 md:hidden">
            <Icon name="back" />
          </Link>
          <h1 className="text-[13px] font-semibold">New thread</h1>
        </div>
        <Empty title="No messages yet">
          {mayWrite && <p>Your first message begins the thread. Nothing is recorded before.</p>}
        </Empty>
        <Composer after={undefined} isWaiting={false} isNew />
      </div>
    </SpeechContext>
  )
}
