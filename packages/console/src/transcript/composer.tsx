import { Link } from '@tanstack/react-router'
import { useState, type KeyboardEvent, type ReactElement } from 'react'
import { useAbout } from '../api/about.ts'
import { Button } from '../ui/button.tsx'
import { useSpeech } from './speech.ts'

/**
 * Where one speaks. Enter sends, Shift Enter is a new line; while a turn runs, a message waits. `after`: the entry to
 * go on from, where it is not the newest.
 */
export function Composer({ after }: { readonly after: string | undefined }): ReactElement {
  const { scope } = useAbout()
  const [text, setText] = useState('')
  const {
    say,
    stop,
    live: { isRunning },
    isSending,
    isRelayed,
    error,
    run,
  } = useSpeech()
  if (run !== undefined)
    return (
      <p className="border-t border-line bg-surface p-3 text-center text-muted">
        This thread belongs to the run{' '}
        <Link to="/runs/$run" params={{ run }} className="text-accent underline">
          {run}
        </Link>
        , which alone speaks here.
      </p>
    )
  if (scope === 'viewer')
    return (
      <p className="border-t border-line bg-surface p-3 text-center text-muted">This key may look and not speak.</p>
    )
  const mayNotSend = text.trim() === '' || isSending || (isRelayed && isRunning)
  const send = async (): Promise<void> => {
    if (mayNotSend) return
    setText('')
    if (!(await say(text, after))) setText(text)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <div className="border-t border-line bg-surface p-3">
      <div className="mx-auto flex max-w-3xl items-end gap-2">
        <textarea
          aria-label="Message"
          rows={Math.min(8, Math.max(1, text.split('\n').length))}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
          placeholder={hintFor({ isRunning, isRelayed, isElsewhere: after !== undefined })}
          className="min-w-0 grow resize-none rounded-md border border-strong bg-surface px-3 py-1.5"
        />
        <Button disabled={!isRunning} onClick={stop}>
          Stop
        </Button>
        <Button kind="primary" disabled={mayNotSend} onClick={() => void send()}>
          Send
        </Button>
      </div>
      {error && (
        <p role="alert" className="mx-auto max-w-3xl pt-1 text-xs text-bad">
          {error.message}
        </p>
      )}
    </div>
  )
}

function hintFor({
  isRunning,
  isRelayed,
  isElsewhere,
}: {
  readonly isRunning: boolean
  readonly isRelayed: boolean
  readonly isElsewhere: boolean
}): string {
  if (isRelayed) return 'Say something in the app’s place, on a branch of the console'
  if (isRunning) return 'A turn runs; what you send waits for it'
  return isElsewhere ? 'Go on from here, on this branch' : 'Say something'
}
