import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import type { FeedbackQuery } from '../api/feedback.ts'
import { useSearch } from '../api/entries.ts'
import { FeedbackFilter } from '../feedback/filter.tsx'
import { Failure } from '../ui/placeholders.tsx'
import { grouped } from '../ui/text.ts'
import { FoundEntry } from './found-entry.tsx'
import { Rated } from './rated.tsx'

/** Search over all threads. */
export function SearchPage(): ReactElement {
  const query = useLocation({ select: ({ state }) => state.query ?? '' })
  const navigate = useNavigate()
  const [words, setWords] = useState(query)
  const [rated, setRated] = useState<FeedbackQuery>({})
  const isRated = rated.rating !== undefined || rated.tag !== undefined
  const change = (text: string): void => {
    setWords(text)
    // The words are in the history state, so Back and Reload keep them. They are not in the address, which is logged
    // and shared.
    void navigate({ to: '/search', state: text === '' ? {} : { query: text }, replace: true })
  }
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-3xl space-y-3 p-4">
        <h1 className="text-base font-semibold">Search all threads</h1>
        <input
          type="search"
          aria-label="Search"
          autoFocus
          value={words}
          onChange={(event) => change(event.target.value)}
          placeholder="Search messages (all words must match)"
          className="w-full rounded-md border border-strong bg-surface px-3 py-2"
        />
        <FeedbackFilter chosen={rated} onChange={setRated} tags />
        {isRated ? <Rated filter={rated} query={words.trim()} /> : <Results query={words.trim()} />}
      </div>
    </div>
  )
}

function Results({ query }: { readonly query: string }): ReactElement {
  const { data, error, isFetching } = useSearch(query, 100)
  if (query === '')
    return (
      <p className="text-muted">
        Finds messages, and comments on them, that contain every word, newest first. Notes and other hidden entries are
        not searched.
      </p>
    )
  if (error) return <Failure error={error} />
  return (
    <div aria-busy={isFetching}>
      <p role="status" className="mb-2 text-xs text-muted">
        {!data
          ? 'Searching…'
          : data.length === 0
            ? 'None found: no message contains all of these words.'
            : `${grouped(data.length)} found`}
      </p>
      <ul className="space-y-1">
        {data?.map((found) => (
          <FoundEntry key={`${found.thread} ${found.id}`} found={found} query={query} />
        ))}
      </ul>
    </div>
  )
}
