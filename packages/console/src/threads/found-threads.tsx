import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useSearch, type Found } from '../api/entries.ts'
import { readable } from '../ui/text.ts'
import { Failure } from '../ui/placeholders.tsx'

/** The threads that match a search, each with its first match. */
export function FoundThreads({ query }: { readonly query: string }): ReactElement {
  const { data, error, isFetching } = useSearch(query, 100)
  if (error)
    return (
      <div className="p-3">
        <Failure error={error} />
      </div>
    )
  const threads = [...Map.groupBy(data ?? [], ({ thread }) => thread)]
  return (
    <div data-threads aria-busy={isFetching} className="min-h-0 overflow-y-auto">
      {threads.map(([thread, found]) => (
        <FoundRow key={thread} thread={thread} found={found} />
      ))}
      <p role="status" className="p-3 text-center text-xs text-muted">
        {isFetching
          ? 'Searching…'
          : threads.length === 0
            ? 'Nothing was found. All words must be in one message.'
            : `Found in ${threads.length} ${threads.length === 1 ? 'thread' : 'threads'}`}
      </p>
    </div>
  )
}

function FoundRow({ thread, found }: { readonly thread: string; readonly found: readonly Found[] }): ReactElement {
  const [first] = found
  return (
    <Link
      to="/threads/$thread"
      params={{ thread }}
      search={{ at: first!.id }}
      data-thread={thread}
      className="block border-b border-line px-3 py-2 hover:bg-sunken"
    >
      <span className="line-clamp-2 [overflow-wrap:anywhere]">{readable(first!.text.slice(0, 300))}</span>
      <span className="block truncate text-xs text-muted">
        {thread}
        {found.length > 1 && ` · ${found.length} places`}
      </span>
    </Link>
  )
}
