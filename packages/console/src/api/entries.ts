import type { components, Entry } from '@minutebook/client'
import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { unwrap, useClient, useIsAdmin } from './api.tsx'

export type { Entry }
export type ShownThread = components['schemas']['Entries']

/** A branch of a thread as this key may see it: admins see what is hidden from others. */
export function useEntries(thread: string, head: string | undefined): UseQueryResult<ShownThread> {
  const client = useClient()
  const hidden = useIsAdmin() ? '1' : '0'
  return useQuery({
    queryKey: entriesKey(thread, head),
    queryFn: async ({ signal }) =>
      unwrap(
        await client.GET('/minutebook/v1/threads/{thread}/entries', {
          params: { path: { thread }, query: { hidden, ...(head !== undefined && { head }) } },
          signal,
        }),
      ),
    // New entries come by the stream.
    staleTime: 60_000,
  })
}

export function entriesKey(thread: string, head: string | undefined): readonly unknown[] {
  return head === undefined ? ['entries', thread] : ['entries', thread, head]
}

export type Found = components['schemas']['Found']['found'][number]

/** Entries of all threads that contain every word, newest first. */
export function useSearch(query: string, limit: number): UseQueryResult<readonly Found[]> {
  const client = useClient()
  const words = useDeferredValue(query)
  return useQuery({
    queryKey: ['search', words, limit],
    queryFn: async ({ signal }) =>
      unwrap(await client.GET('/minutebook/v1/search', { params: { query: { query: words, limit } }, signal })).found,
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
}

/** Reads the entries of a thread again. */
export function useRefreshEntries(): (thread: string) => Promise<void> {
  const queries = useQueryClient()
  return (thread) => queries.invalidateQueries({ queryKey: ['entries', thread] })
}
