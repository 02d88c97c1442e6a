import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import type { FeedbackQuery } from '../api/feedback.ts'
import { useSearch } from '../api/entries.ts'
import { FeedbackFilter } from '../feedback/filter.tsx'
import { Failure } from '../ui/placeholders.tsx'
import { grouped, readable } from '../ui/text.ts'
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
        {data?.map(({ thread, id, text, about, by }) => (
          <li key={`${thread} ${id}`}>
            <Link
              to="/threads/$thread"
              params={{ thread }}
              search={{ at: about ?? id }}
              data-found={id}
              className="block rounded-md border border-line bg-surface px-3 py-2 hover:border-accent"
            >
              <span dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
                {marked(readable(passage(text, query)), query).map(([part, isHit], index) =>
                  isHit ? (
                    <mark key={index} className="rounded-sm bg-accent-soft text-ink">
                      {part}
                    </mark>
                  ) : (
                    part
                  ),
                )}
              </span>
              {about !== undefined && (
                <span className="block text-xs text-muted">Comment by {readable(by || 'operator')}</span>
              )}
              <span className="block truncate font-mono text-xs text-muted">{thread}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The part of a long text around the first word found. */
export function passage(text: string, query: string, length = 400): string {
  const places = wordsIn(query)
    .map((word) => text.toLowerCase().indexOf(word))
    .filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 80)
  const end = start + length
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/**
 * Splits a text into parts that match the query and parts that do not.
 *
 * @example
 * marked('ferns grow', 'grow') // [['ferns ', false], ['grow', true]]
 */
export function marked(text: string, query: string): readonly (readonly [part: string, isHit: boolean])[] {
  const words = wordsIn(query)
  const low = text.toLowerCase()
  const parts: [string, boolean][] = []
  let at = 0
  while (at < text.length) {
    const hits = words.map((word) => [low.indexOf(word, at), word.length] as const).filter(([place]) => place >= 0)
    const [place, size] = hits.toSorted(([one], [other]) => one - other)[0] ?? [text.length, 0]
    if (place > at) parts.push([text.slice(at, place), false])
    if (size > 0) parts.push([text.slice(place, place + size), true])
    at = place + Math.max(1, size)
    if (size === 0) break
  }
  return parts
}

function wordsIn(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}
