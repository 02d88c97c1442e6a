import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { RunSummary } from './types.ts'
import { useRunApi } from './use-run-api.ts'

export interface Runs {
  /** Undefined while nothing is known. */
  readonly runs: readonly RunSummary[] | undefined
  readonly isPending: boolean
  readonly error: Error | null
  readonly hasMore: boolean
  readonly more: () => void
  readonly again: () => void
}

/** The runs, the newest first, page by page; what changes comes by itself. */
export function useRuns(): Runs {
  const api = useRunApi()
  const { data, isPending, error, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['runs'],
    queryFn: ({ pageParam, signal }) => api.list({ limit: pageSize, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    // All pages that are shown are asked for.
    refetchInterval: ({ state }) => every * Math.max(1, state.data?.pages.length ?? 1),
    staleTime: 0,
  })
  const runs = useMemo(() => data && distinct(data.pages.flatMap((page) => page.runs)), [data])
  return { runs, isPending, error, hasMore: hasNextPage, more: () => void fetchNextPage(), again: () => void refetch() }
}

const pageSize = 50
/** Milliseconds. */
const every = 2000

/** A run that was begun between two pages moves one onto the next. */
function distinct(runs: readonly RunSummary[]): readonly RunSummary[] {
  return [...new Map(runs.map((run) => [run.run, run])).values()]
}
