import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useFeedback, type FeedbackQuery } from '../api/feedback.ts'
import { FeedbackLine } from '../feedback/feedback.tsx'
import { Failure } from '../ui/placeholders.tsx'
import { readable } from '../ui/text.ts'

interface RatedProps {
  readonly filter: FeedbackQuery
  readonly query: string
}

/** Messages with some feedback, of all threads, and what was said of them. */
export function Rated({ filter, query }: RatedProps): ReactElement {
  const { data, error, isFetching } = useFeedback(filter, query, true)
  if (error) return <Failure error={error} />
  return (
    <div aria-busy={isFetching}>
      <p role="status" className="mb-2 text-xs text-muted">
        {!data ? 'Searching…' : data.length === 0 ? 'Nothing was found.' : `${data.length} found`}
      </p>
      <ul className="space-y-1">
        {data?.map(({ thread, id, text, feedback }) => (
          <li key={feedback.id}>
            <Link
              to="/threads/$thread"
              params={{ thread }}
              search={{ at: id }}
              data-found={id}
              className="block rounded-md border border-line bg-surface px-3 py-2 hover:border-accent"
            >
              <span dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
                {readable(text)}
              </span>
              <span className="mt-1 flex flex-wrap items-baseline gap-x-2 text-xs">
                <FeedbackLine feedback={feedback} />
              </span>
              <span className="block truncate font-mono text-xs text-muted">{thread}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
