import type { components } from '@minutebook/client'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { isUnanswered, unwrap, useClient } from './api.tsx'
import { threadSorts, useShownSorts } from './shown-threads.ts'

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

/** The threads of the sorts that are shown, newest first, page by page. The newest are polled. */
export function useThreads(marks: readonly Mark[], rating?: 'up' | 'down'): Threads {
  const client = useClient()
  const { shown, isChosen } = useShownSorts()
  const hidden = rating ? '' : threadSorts.filter((sort) => !shown.includes(sort)).join(',')
  const key = ['threads', marks.join(','), hidden, String(isChosen), rating ?? '']
  const read = async (limit: number, hide: string, after?: string): Promise<ThreadPage> =>
    unwrap(
      await client.GET('/minutebook/v1/threads', {
        params: {
          query: {
            limit,
            ...(after !== undefined && { after }),
            ...(marks.length > 0 && { marks: marks.join(',') }),
            ...(rating && { rating }),
            ...(hide !== '' && { hide }),
          },
        },
      }),
    )
  const ask = async (limit: number, after?: string): Promise<ThreadPage> => {
    if (after?.startsWith(all)) return withAll(await read(limit, '', after.slice(all.length)))
    const page = await read(limit, hidden, after)
    const isEmpty = after === undefined && page.threads.length === 0 && page.next === undefined
    // Until a person chooses, all sorts are shown if there is nothing else.
    return isEmpty && !isChosen && hidden !== '' ? withAll(await read(limit, '')) : page
  }
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
    every: marks.length === 0 && !rating ? newestEvery : newestMarkedEvery,
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

/** Marks the next page of a list in which all sorts are shown. */
const all = 'all '

function withAll({ next, ...page }: ThreadPage): ThreadPage {
  return { ...page, ...(next !== undefined && { next: all + next }) }
}

/** How many of the newest threads are of each sort, and how many of those that are shown have each mark. */
export function useThreadCounts(): components['schemas']['ThreadCounts'] | undefined {
  const client = useClient()
  const { shown } = useShownSorts()
  const hide = threadSorts.filter((sort) => !shown.includes(sort)).join(',')
  const { data } = useQuery({
    queryKey: ['thread counts', hide],
    queryFn: async ({ signal }) =>
      unwrap(
        await client.GET('/minutebook/v1/thread-counts', { params: { query: hide === '' ? {} : { hide } }, signal }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: countsEvery,
    staleTime: 0,
  })
  return data
}

/** Milliseconds. */
const countsEvery = 15_000

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
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ['newest', ...key],
    queryFn: ask,
    refetchInterval: every,
    enabled: isOn,
    staleTime: 0,
  })
  const isMissing = useRef(false)
  const readAgain = useRef(-Infinity)
  useEffect(() => {
    const held = queries.getQueryData<HeldThreads>(key)
    if (!data || !held) return
    const next = withNewest(held, data.threads)
    if (next !== held) queries.setQueryData(key, next)
    isMissing.current ||= data.threads.length === newestCount && !reaches(held, data.threads)
    const isDue = isMissing.current && performance.now() - readAgain.current > readAgainEvery
    if (!isDue || queries.isFetching({ queryKey: key, exact: true }) > 0) return
    isMissing.current = false
    readAgain.current = performance.now()
    void queries.invalidateQueries({ queryKey: key, exact: true })
    // After each poll, also without news: a page that was read meanwhile may have brought back what was held before it.
    // The key is a new array at every render, with the same content.
  }, [data, dataUpdatedAt, queries, key.join('\n')])
  return isUnanswered(error)
}

/** Milliseconds between two times that all pages are read again, at least: a busy server has more news than that. */
const readAgainEvery = 15_000

/** Whether the newest threads join those that are held: if none of them is as it was, there may be others between. */
function reaches({ pages }: HeldThreads, newest: readonly ThreadSummary[]): boolean {
  const known = new Map(
    pages.flatMap(({ threads }) => threads.map(({ thread, written }) => [thread, written] as const)),
  )
  return newest.some(({ thread, written }) => known.get(thread) === written)
}

type HeldThreads = InfiniteData<ThreadPage, string | undefined>

function withNewest(held: HeldThreads, newest: readonly ThreadSummary[]): HeldThreads {
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
