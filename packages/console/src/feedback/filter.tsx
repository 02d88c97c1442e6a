import type { ReactElement } from 'react'
import type { FeedbackQuery } from '../api/feedback.ts'
import { ratingWord, Thumb } from './feedback.tsx'

interface FeedbackFilterProps {
  readonly chosen: FeedbackQuery
  readonly onChange: (chosen: FeedbackQuery) => void
  /** Whether a tag can be named, too. Default: false. */
  readonly tags?: boolean
}

/** Filters by rating, and by a tag. */
export function FeedbackFilter({ chosen, onChange, tags = false }: FeedbackFilterProps): ReactElement {
  const { rating, tag } = chosen
  const change = (next: FeedbackQuery): void =>
    onChange({ ...(next.rating && { rating: next.rating }), ...(next.tag && { tag: next.tag }) })
  return (
    <div role="group" aria-label="Only what is rated" className="flex flex-wrap items-center gap-1">
      {(['up', 'down'] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={rating === each}
          title={`Only with a message that a person rated: ${ratingWord(each).toLowerCase()}`}
          onClick={() => change({ tag, ...(rating !== each && { rating: each }) })}
          className="flex items-center gap-1 rounded border border-line px-1.5 py-0.5 text-xs text-muted hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
        >
          <Thumb rating={each} isFilled={rating === each} />
          Rated {each}
        </button>
      ))}
      {tags && (
        <input
          aria-label="Tag"
          placeholder="#tag"
          value={tag ?? ''}
          maxLength={32}
          onChange={(event) => change({ rating, tag: event.target.value.trim().replace(/^#/, '') })}
          className="min-h-6 w-32 rounded border border-line bg-page px-1.5 py-0.5 font-mono text-xs"
        />
      )}
    </div>
  )
}
