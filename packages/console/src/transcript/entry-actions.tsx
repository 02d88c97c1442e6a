import { useState, type ReactElement } from 'react'
import { useAbout } from '../api/about.ts'
import type { Entry } from '../api/entries.ts'
import { Button } from '../ui/button.tsx'
import { RetryButton } from './retry-button.tsx'
import { useSpeech } from './speech.ts'

export interface EntryActionsProps {
  readonly entry: Entry
  /** Of the newest answer: the question that can be answered again. */
  readonly question: Entry | undefined
  readonly onEdit: (entry: Entry) => void
}

/** What can be done with an entry: edit what was asked, have it answered again, copy it. */
export function EntryActions({ entry, question, onEdit }: EntryActionsProps): ReactElement {
  const { scope } = useAbout()
  const [isCopied, setCopied] = useState(false)
  const { run } = useSpeech()
  const maySpeak = scope !== 'viewer' && run === undefined && entry.status !== 'erased'
  const copy = (): void =>
    void navigator.clipboard.writeText(entry.text).then(() => {
      setCopied(true)
      setTimeout(setCopied, 1500, false)
    })
  return (
    <span className="flex gap-0.5">
      <Button kind="quiet" small onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
      {maySpeak && entry.kind === 'user' && (
        <Button kind="quiet" small onClick={() => onEdit(entry)}>
          Edit
        </Button>
      )}
      {question && <RetryButton question={question}>Regenerate</RetryButton>}
    </span>
  )
}
