import { Link } from '@tanstack/react-router'
import { useState, type KeyboardEvent, type ReactElement } from 'react'
import { useAbout, useMayWrite } from '../api/api.tsx'
import type { ModelChoice } from '../api/models.ts'
import type { Entry } from '../api/entries.ts'
import { useSpeech } from '../api/speech.ts'
import { readable } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'

interface ComposerProps {
  /** The entry to continue from, if it is not the newest. */
  readonly after: string | undefined
  /** Whether the newest turn waits for a decision. */
  readonly isWaiting: boolean
  /** Whether the message begins a thread. Default: false. */
  readonly isNew?: boolean
}

/** Where the user types a message. */
export function Composer({ after, isWaiting, isNew = false }: ComposerProps): ReactElement {
  const { readOnly } = useAbout()
  const mayWrite = useMayWrite()
  const [text, setText] = useState('')
  const {
    say,
    stop,
    live: { isRunning },
    isSending,
    isRelayed,
    error,
    run,
    models,
  } = useSpeech()
  if (run !== undefined)
    return (
      <p className="border-t border-line bg-surface p-3 text-center text-muted">
        Read-only: part of the run{' '}
        <Link to="/runs/$run" params={{ run }} className="text-accent underline">
          {run}
        </Link>
        .
      </p>
    )
  if (!mayWrite)
    return (
      <p className="border-t border-line bg-surface p-3 text-center text-muted">
        {readOnly ? 'This server only reads the file of another program.' : 'This key is read-only.'}
      </p>
    )
  const mayNotSend = text.trim() === '' || isSending || (isRelayed && isRunning)
  const send = async (): Promise<void> => {
    if (mayNotSend) return
    setText('')
    // What was typed meanwhile stays, below what was not sent.
    if (!(await say(text, after))) setText((since) => (since === '' ? text : `${text}\n${since}`))
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
          autoFocus={isNew}
          dir="auto"
          rows={Math.min(8, Math.max(1, text.split('\n').length))}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
          title={isRelayed ? 'The app does not see what is said on a branch of the console.' : undefined}
          placeholder={hintFor({ isRunning, isWaiting, isRelayed, isElsewhere: after !== undefined })}
          className="min-w-0 grow resize-none rounded-md border border-strong bg-surface px-3 py-1.5"
        />
        {!isNew && (
          <Button disabled={!isRunning && !isWaiting} onClick={stop}>
            Stop
          </Button>
        )}
        <Button kind="primary" disabled={mayNotSend} onClick={() => void send()}>
          Send
        </Button>
      </div>
      {models && <ModelPicker {...models} />}
      {error && (
        <p role="alert" className="mx-auto max-w-3xl pt-1 text-xs text-bad">
          {error.message}
        </p>
      )}
    </div>
  )
}

/** Which model answers. */
function ModelPicker({ names, chosen, choose, isLoading, lookAgain }: ModelChoice): ReactElement {
  return (
    <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-2 pt-1.5 text-xs text-muted">
      {names.length > 0 ? (
        <label className="flex min-w-0 items-center gap-2">
          Model
          <select
            value={chosen}
            onChange={(event) => choose(event.target.value)}
            className="min-h-6 max-w-64 min-w-0 truncate rounded-md border border-line bg-surface px-1.5 text-ink"
          >
            {names.map((name) => (
              <option key={name} value={name}>
                {readable(name)}
              </option>
            ))}
          </select>
        </label>
      ) : isLoading ? (
        <span role="status">Looking for models…</span>
      ) : (
        <>
          <span role="status">No model was found. Check that your model server runs.</span>
          <Button small onClick={lookAgain}>
            Look again
          </Button>
        </>
      )}
    </div>
  )
}

function hintFor({
  isRunning,
  isWaiting,
  isRelayed,
  isElsewhere,
}: {
  readonly isRunning: boolean
  readonly isWaiting: boolean
  readonly isRelayed: boolean
  readonly isElsewhere: boolean
}): string {
  if (isRelayed) return 'Reply as the user (on a branch)'
  if (isRunning) return 'A turn is running; your message will wait for it'
  if (isWaiting) return 'The turn waits; your message will, too'
  return isElsewhere ? 'Continue from here, on this branch' : 'Write a message'
}

/** Asks the user for the results of tools, since the console cannot run the app's tools. */
export function ResultsForm({ open: { calls, after } }: { readonly open: OpenCalls }): ReactElement {
  const { giveResults, isSending, error } = useSpeech()
  const [texts, setTexts] = useState<readonly string[]>(calls.map(() => ''))
  const send = (): void =>
    void giveResults(
      calls.map(({ id, name }, index) => ({ id, name, text: texts[index] ?? '' })),
      after,
    )
  return (
    <form
      className="space-y-2 border-t border-line bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className="mx-auto max-w-3xl space-y-2">
        <p className="text-[13px]">
          The model waits for {calls.length === 1 ? 'a tool' : `${calls.length} tools`}. The app runs{' '}
          {calls.length === 1 ? 'it' : 'them'} elsewhere; here you type what{' '}
          {calls.length === 1 ? 'it says' : 'they say'}, on a branch of the console.
        </p>
        {calls.map(({ name }, index) => (
          <label key={index} className="flex items-start gap-2">
            <span className="w-32 shrink-0 truncate pt-1.5 font-mono text-[13px]">{readable(name)}</span>
            <textarea
              aria-label={calls.length === 1 ? 'Result' : `Result ${index + 1}`}
              rows={2}
              value={texts[index] ?? ''}
              onChange={(event) => setTexts(texts.with(index, event.target.value))}
              className="min-w-0 grow rounded-md border border-strong bg-surface px-3 py-1.5 font-mono text-[13px]"
            />
          </label>
        ))}
        <p role="alert" className="text-xs text-bad">
          {error?.message}
        </p>
        <div className="flex justify-end">
          <Button type="submit" kind="primary" disabled={isSending}>
            Send {calls.length === 1 ? 'result' : 'results'}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** Tool calls at the end of a branch that have no result yet, and the entry to continue from. */
interface OpenCalls {
  readonly calls: Entry['calls']
  readonly after: string
}

/**
 * Pairs calls and results by id, or by their order if they have none.
 *
 * @example
 * const { calls, after } = openCallsOf(shown.entries)
 */
export function openCallsOf(entries: readonly Entry[]): OpenCalls {
  const chain = entries.filter(({ kind }) => kind === 'user' || kind === 'assistant' || kind === 'tool')
  const last = chain.findLastIndex(({ kind }) => kind !== 'tool')
  const caller = chain[last]
  const after = chain.at(-1)?.id ?? ''
  if (
    caller?.kind !== 'assistant' ||
    entries.findLast(({ kind }) => kind === 'stop' || kind === 'assistant' || kind === 'tool')?.kind === 'stop'
  )
    return { calls: [], after }
  let open = caller.calls
  for (const { answers } of chain.slice(last + 1)) {
    const at = answers?.id === undefined ? 0 : open.findIndex(({ id }) => id === answers.id)
    open = open.toSpliced(Math.max(0, at), 1)
  }
  return { calls: open, after }
}
