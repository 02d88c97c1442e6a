import { useState, type ReactElement } from 'react'
import type { Entry } from '../api/entries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useSpeech } from './speech.ts'

/** Says something else in place of an entry: a new branch, the old one stays. */
export function EditDialog({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }): ReactElement {
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
          rows={6}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="w-full rounded-md border border-strong bg-surface px-3 py-2"
        />
      </label>
      <p className="mt-1 text-xs text-muted">This makes a new branch; what was said stays on record.</p>
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
