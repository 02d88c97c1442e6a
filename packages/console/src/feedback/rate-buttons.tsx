import type { ReactElement } from 'react'
import { useMayWrite } from '../api/api.tsx'
import type { Entry } from '../api/entries.ts'
import { useIsRating, useOwnFeedback, useRate } from '../api/feedback.ts'
import { runPlace } from '../api/thread.ts'
import { useOpenDialog } from '../ui/dialog.tsx'
import { Button } from '../ui/ui.tsx'
import { CommentDialog } from './comment-dialog.tsx'
import { ratingWord, Thumb } from './feedback.tsx'

interface RateButtonsProps {
  readonly thread: string
  readonly entry: Entry
}

/** Rates an answer up or down; the same again takes it back. For answers only, if this key may write. */
export function RateButtons({ thread, entry }: RateButtonsProps): ReactElement {
  const mayWrite = useMayWrite()
  const rate = useRate(thread, entry.id)
  const isRating = useIsRating(thread, entry.id)
  const own = useOwnFeedback(entry)
  const openDialog = useOpenDialog()
  if (!mayWrite || entry.kind !== 'assistant' || entry.status === 'erased' || runPlace(thread)) return <></>
  const toggle = (rating: 'up' | 'down'): void => {
    const { rating: before, ...rest } = own
    rate.mutate({ ...rest, ...(before !== rating && { rating }) })
  }
  return (
    <span role="group" aria-label="Rate this answer" className="flex gap-0.5">
      {(['up', 'down'] as const).map((rating) => (
        <Button
          key={rating}
          kind="quiet"
          small
          aria-label={ratingWord(rating)}
          title={ratingWord(rating)}
          aria-pressed={own.rating === rating}
          disabled={isRating}
          onClick={() => toggle(rating)}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
        >
          <Thumb rating={rating} isFilled={own.rating === rating} />
        </Button>
      ))}
      <Button
        kind="quiet"
        small
        onClick={() => openDialog((close) => <CommentDialog thread={thread} entry={entry} onClose={close} />)}
      >
        {own.comment || own.tags?.length ? 'Edit comment' : 'Comment'}
      </Button>
      {rate.error && (
        <span role="alert" className="self-center text-bad">
          Not saved: try again.
        </span>
      )}
    </span>
  )
}
