import { useState, type ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import type { OpenCalls } from './open-calls.ts'
import { readable } from './readable.ts'
import { useSpeech } from './speech.ts'

/** Results of tools, typed by hand: here nobody else runs them. */
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
