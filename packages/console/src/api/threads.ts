import type { components } from '@minutebook/client'
import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { isUnanswered, unwrap, useClient } from './api.tsx'

export type ThreadSummary = components['schemas']['ThreadSummary']
type ThreadPage = components['schemas']['ThreadList']
export type Mark = ThreadSummary['marks'][number]

interface Threads {
  readonly threads: readonly ThreadSummary[]
  readonly isLoading: boolean
  readonly isLoadingMore: boolean
  readonly hasMore: boolean
  readonly error: unknown
  /** Whether the server cannot be reached for updates. */
  readonly isCutOff: boolean
  readonly more: () => void
  readonly again: () => void
}

/** The threads, newest first, page by page. The newest are polled. */
export function useThreads(marks: readonly Mark[], rating?: 'up' | 'down'): Threads {
  const client = useClient()
  const wanted = marks.join(',')
  const key = ['threads', wanted, rating ?? '']
  const ask = async (limit: number, after?: string): Promise<ThreadPage> =>
    unwrap(
      await client.GET('/minutebook/v1/threads', {
        params: {
          query: {
            limit,
            ...(after !== undefined && { after }),
            ...(wanted !== '' && { marks: wanted }),
            ...(rating && { rating }),
          },
        },
      }),
    )
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => ask(pageSize, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  const isCutOff = useNewest(key, () => ask(newestCount), {
    isOn: pages.data !== undefined,
    every: wanted === '' && !rating ? newestEvery : newestMarkedEvery,
  })
  const threads = useMemo(() => distinct(pages.data?.pages.flatMap((page) => page.threads) ?? []), [pages.data])
  return {
    threads,
    isLoading: pages.isPending,
    isLoadingMore: pages.isFetchingNextPage,
    hasMore: pages.hasNextPage,
    error: pages.data ? null : pages.error,
    isCutOff,
    more: () => void (pages.isFetching || pages.fetchNextPage()),
    again: () => void pages.refetch(),
  }
}

const pageSize = 100
const newestCount = 30
/** Milliseconds. */
const newestEvery = 2000
/** Slower, since the server reads more threads for a filter. */
const newestMarkedEvery = 10_000

/** Polls the newest threads and puts them on top. Returns whether the server cannot be reached. */
function useNewest(
  key: readonly string[],
  ask: () => Promise<ThreadPage>,
  { isOn, every }: { readonly isOn: boolean; readonly every: number },
): boolean {
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['newest', ...key],
    queryFn: ask,
    refetchInterval: every,
    enabled: isOn,
    staleTime: 0,
  })
  useEffect(() => {
    if (!data) return
    queries.setQueryData<InfiniteData<ThreadPage, string | undefined>>(
      key,
      (held) => held && withNewest(held, data.threads),
    )
    // The key is a new array at every render, with the same content.
  }, [data, queries, key.join('\n')])
  return isUnanswered(error)
}

function withNewest(
  held: InfiniteData<ThreadPage, string | undefined>,
  newest: readonly ThreadSummary[],
): InfiniteData<ThreadPage, string | undefined> {
  const [first, ...rest] = held.pages
  if (!first || JSON.stringify(first.threads.slice(0, newest.length)) === JSON.stringify(newest)) return held
  const names = new Set(newest.map(({ thread }) => thread))
  const without = (page: ThreadPage): ThreadPage => ({
    ...page,
    threads: page.threads.filter(({ thread }) => !names.has(thread)),
  })
  return {
    ...held,
    pages: [{ ...without(first), threads: [...newest, ...without(first).threads] }, ...rest.map(without)],
  }
}

/** A thread that was written to between two requests is on both pages. */
function distinct(threads: readonly ThreadSummary[]): readonly ThreadSummary[] {
  const seen = new Set<string>()
  return threads.filter(({ thread }) => !seen.has(thread) && seen.add(thread))
}
