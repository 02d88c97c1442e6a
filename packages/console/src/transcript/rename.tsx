import { useState, type FormEvent, type ReactElement } from 'react'
import { useRename } from '../api/thread.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Button } from '../ui/ui.tsx'

interface RenameProps {
  readonly thread: string
  /** The title that was given to it. Empty: it has the first words of its first question. */
  readonly title: string
}

/** Gives a thread another title, or takes the title away. */
export function RenameDialog({ thread, title, onClose }: RenameProps & { readonly onClose: () => void }): ReactElement {
  const [text, setText] = useState(title)
  const { mutate, error, isPending } = useRename(thread)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    mutate(text.trim(), { onSuccess: onClose })
  }
  return (
    <Dialog label="Rename the thread" onClose={onClose}>
      <form onSubmit={send} className="space-y-3">
        <label className="block space-y-1">
          <span className="text-[13px] font-medium">Title</span>
          <input
            autoFocus
            dir="auto"
            maxLength={longestTitle}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="w-full rounded-md border border-strong bg-surface px-2 py-1.5"
          />
        </label>
        <p className="text-xs text-muted">
          The title is for people: no prompt has it. Without one, the first words of the first question are shown.
        </p>
        {error && (
          <p role="alert" className="text-bad">
            {error.message}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** A pair of metadata may be as long. */
const longestTitle = 512
