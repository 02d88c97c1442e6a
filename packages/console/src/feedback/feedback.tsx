import type { ReactElement } from 'react'
import type { KeptFeedback } from '../api/feedback.ts'
import { readable } from '../ui/text.ts'
import { TimeAgo } from '../ui/ui.tsx'

/** What people think of a message: rating, tags, comment, who and when. */
export function FeedbackList({ feedback }: { readonly feedback: readonly KeptFeedback[] | undefined }): ReactElement {
  if (!feedback?.length) return <></>
  return (
    <ul aria-label="Feedback" data-feedback className="mt-1 space-y-1 text-xs">
      {feedback.map((said) => (
        <li key={said.id} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 border-l-2 border-line pl-2">
          <FeedbackLine feedback={said} />
        </li>
      ))}
    </ul>
  )
}

export function FeedbackLine({ feedback }: { readonly feedback: KeptFeedback }): ReactElement {
  const { rating, by, tags, comment, time } = feedback
  return (
    <>
      {rating && (
        <span
          data-rating={rating}
          className={`flex items-center gap-1 self-center ${rating === 'up' ? 'text-good' : 'text-bad'}`}
        >
          <Thumb rating={rating} isFilled />
          <span className="font-medium">{ratingWord(rating)}</span>
        </span>
      )}
      <span className="text-muted">{by === '' ? 'operator' : readable(by)}</span>
      {tags.map((tag) => (
        <span key={tag} className="rounded bg-sunken px-1 font-mono text-[11px]">
          #{readable(tag)}
        </span>
      ))}
      {time !== undefined && <TimeAgo time={time} />}
      {comment && (
        <p dir="auto" className="w-full text-[13px] whitespace-pre-wrap [overflow-wrap:anywhere]">
          {readable(comment)}
        </p>
      )}
    </>
  )
}

interface ThumbProps {
  readonly rating: 'up' | 'down'
  readonly isFilled?: boolean
}

/** A thumb, up or down. Screen readers skip it, so the word must be on the page as well. */
export function Thumb({ rating, isFilled = false }: ThumbProps): ReactElement {
  return (
    <svg
      viewBox="0 0 16 16"
      width={14}
      height={14}
      aria-hidden="true"
      fill={isFilled ? 'currentColor' : 'none'}
      fillOpacity={0.25}
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinejoin="round"
      className={`shrink-0 ${rating === 'down' ? 'rotate-180' : ''}`}
    >
      <path d="M2 7h2.5v6.5H2zM4.5 7.5L7.2 2c1.2 0 1.9.9 1.7 2L8.4 6.3h4.1c.9 0 1.6.8 1.4 1.7l-.9 4.2c-.1.8-.8 1.3-1.5 1.3h-7" />
    </svg>
  )
}

/** What a rating says, for people who do not see the thumb. */
export function ratingWord(rating: 'up' | 'down'): string {
  return rating === 'up' ? 'Good answer' : 'Bad answer'
}
