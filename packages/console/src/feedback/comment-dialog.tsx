import { useSearch } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { useEntries, type Entry } from '../api/entries.ts'
import { useIsRating, useOwnFeedback, useRate } from '../api/feedback.ts'
import { Failure } from '../ui/placeholders.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Button } from '../ui/ui.tsx'

interface CommentDialogProps {
  readonly thread: string
  readonly entry: Entry
  readonly onClose: () => void
}

/** A comment on an answer, and its tags. What is saved replaces what the same person said before. */
export function CommentDialog({ thread, entry, onClose }: CommentDialogProps): ReactElement {
  const { head } = useSearch({ strict: false }) as { readonly head?: string }
  const { data } = useEntries(thread, head)
  // A rating may be recorded while this is open, and what is saved replaces it.
  const own = useOwnFeedback(data?.entries.find(({ id }) => id === entry.id) ?? entry)
  const rate = useRate(thread, entry.id)
  const isRating = useIsRating(thread, entry.id)
  const [comment, setComment] = useState(own.comment ?? '')
  const [tags, setTags] = useState((own.tags ?? []).join(' '))
  const save = (): void =>
    rate.mutate(
      { ...(own.rating && { rating: own.rating }), comment: comment.trim(), tags: tagsIn(tags) },
      { onSuccess: onClose },
    )
  return (
    <Dialog label="Comment on this answer" onClose={onClose}>
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <h2 className="font-semibold">Comment on this answer</h2>
        <p className="text-xs text-muted">
          For your team: everybody with a key for this record can read it. The model never gets it.
        </p>
        <label className="block space-y-1">
          <span className="text-xs text-muted">Comment</span>
          <textarea
            value={comment}
            maxLength={4096}
            rows={4}
            dir="auto"
            onChange={(event) => setComment(event.target.value)}
            className="w-full rounded-md border border-strong bg-page px-2 py-1"
          />
        </label>
        <label className="block space-y-1">
          <span className="text-xs text-muted">Tags, with spaces between them: at most 8</span>
          <input
            value={tags}
            maxLength={300}
            onChange={(event) => setTags(event.target.value)}
            placeholder="facts memory"
            className="w-full rounded-md border border-strong bg-page px-2 py-1 font-mono text-[13px]"
          />
        </label>
        {rate.error && <Failure error={rate.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isRating}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/**
 * The tags of a text.
 *
 * @example
 * tagsIn('#facts, memory') // ['facts', 'memory']
 */
export function tagsIn(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((tag) => tag.replace(/^#/, ''))
    .filter(Boolean)
}
