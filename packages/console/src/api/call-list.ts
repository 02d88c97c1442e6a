import type { components } from '@minutebook/client'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { isUnanswered, unwrap, useClient } from './api.tsx'

type Schemas = components['schemas']

/** A model call in the list of all threads. */
export type ListedCall = Schemas['ListedCalls']['calls'][number]
export type CallCounts = Schemas['CallCounts']
export type Outcome = ListedCall['outcome']
export type CallFlag = 'cut' | 'omitted' | 'clipped' | 'slow'
type CallPage = Schemas['ListedCalls']

/** Which calls are listed. Without a value, all. */
export interface CallFilter {
  readonly outcomes: readonly Outcome[]
  readonly flags: readonly CallFlag[]
  readonly model?: string | undefined
  readonly owner?: string | undefined
  /** The last hour, day or week. Default: any time. */
  readonly range?: CallRange | undefined
}

export const ranges = { '1h': 3_600_000, '24h': 86_400_000, '7d': 7 * 86_400_000 } as const
export type CallRange = keyof typeof ranges

interface Calls {
  /** The newest first. Undefined while loading. */
  readonly calls: readonly ListedCall[] | undefined
  /** How many calls ended since the list was paused, and whether there are more than were counted. */
  readonly waiting: number
  readonly isWaitingMore: boolean
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  /** When the oldest call that was looked at ended. */
  readonly from: string | undefined
  readonly error: unknown
  /** Whether the server cannot be reached for updates. */
  readonly isCutOff: boolean
  readonly more: () => void
  readonly again: () => void
}

/** The calls of all threads, page by page. New ones are put on top, unless the list is paused. */
export function useAllCalls(filter: CallFilter, isPaused: boolean): Calls {
  const client = useClient()
  const queries = useQueryClient()
  const key = useMemo(() => ['all calls', JSON.stringify(filter)], [JSON.stringify(filter)])
  const ask = async (page: { readonly after?: string; readonly since?: string }): Promise<CallPage> =>
    unwrap(
      await client.GET('/minutebook/v1/calls', { params: { query: { limit: pageSize, ...queryOf(filter), ...page } } }),
    )
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => ask(pageParam === undefined ? {} : { after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  const calls = useMemo(() => pages.data && distinct(pages.data.pages.flatMap((page) => page.calls)), [pages.data])
  const newest = calls?.[0]?.ended
  const { data: fresh, error } = useQuery({
    queryKey: ['newest calls', ...key],
    // Clocks differ, and a call may be recorded later than one that ended after it.
    queryFn: () => ask(newest === undefined ? {} : { since: earlier(newest, overlap) }),
    refetchInterval: every,
    enabled: pages.data !== undefined,
    staleTime: 0,
  })
  const held = useMemo(() => new Set(calls?.map(({ receipt }) => receipt)), [calls])
  const added = fresh?.calls.filter(({ receipt }) => !held.has(receipt)) ?? []
  useEffect(() => {
    if (isPaused || added.length === 0 || !calls) return
    // More than a page is new, or too many are held: begin again from the newest.
    if (added.length >= pageSize || calls.length > mostHeld) void queries.resetQueries({ queryKey: key })
    else
      queries.setQueryData<InfiniteData<CallPage, string | undefined>>(
        key,
        (before) => before && withNew(before, added),
      )
  }, [fresh, isPaused, held, queries, key])
  return {
    calls,
    waiting: isPaused ? added.length : 0,
    isWaitingMore: added.length >= pageSize,
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    from: pages.data?.pages.at(-1)?.from,
    error: pages.data ? null : pages.error,
    isCutOff: isUnanswered(error),
    more: () => void (pages.isFetching || pages.fetchNextPage()),
    again: () => void pages.refetch(),
  }
}

const pageSize = 100
const mostHeld = 2000
/** Milliseconds. */
const every = 2000
const overlap = 5000

/** How many of the newest calls have each value. While others are counted, the counts before stay on the screen. */
export function useCallCounts(filter: CallFilter, isPaused: boolean): CallCounts | undefined {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['call counts', JSON.stringify(filter)],
    queryFn: async ({ signal }) =>
      unwrap(await client.GET('/minutebook/v1/calls/counts', { params: { query: queryOf(filter) }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: isPaused ? false : countsEvery,
    staleTime: 0,
  })
  return data
}

const countsEvery = 10_000

function queryOf({ outcomes, flags, model, owner, range }: CallFilter): {
  readonly outcome?: string
  readonly flag?: string
  readonly model?: string[]
  readonly owner?: string[]
  readonly since?: string
} {
  return {
    ...(outcomes.length > 0 && { outcome: outcomes.join(',') }),
    ...(flags.length > 0 && { flag: flags.join(',') }),
    ...(model !== undefined && { model: [model] }),
    ...(owner !== undefined && { owner: [owner] }),
    ...(range !== undefined && { since: new Date(Date.now() - ranges[range]).toISOString() }),
  }
}

function earlier(time: string, milliseconds: number): string {
  return new Date(Date.parse(time) - milliseconds).toISOString()
}

function withNew(
  { pages: [first, ...rest], pageParams }: InfiniteData<CallPage, string | undefined>,
  added: readonly ListedCall[],
): InfiniteData<CallPage, string | undefined> {
  const merged = [...added, ...(first?.calls ?? [])].toSorted((one, other) => (one.ended < other.ended ? 1 : -1))
  return { pages: [{ ...first, calls: merged }, ...rest], pageParams }
}

function distinct(calls: readonly ListedCall[]): readonly ListedCall[] {
  return [...new Map(calls.map((call) => [`${call.thread} ${call.receipt}`, call])).values()]
}
