import type { components } from '@minutebook/client'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useClient } from './client-context.tsx'
import { unwrap } from './unwrap.ts'

export type Found = components['schemas']['Found']['found'][number]

/** Entries that hold every word, of all threads, the newest first. */
export function useSearch(query: string, limit: number): UseQueryResult<readonly Found[]> {
  const client = useClient()
  const words = useDeferredValue(query)
  return useQuery({
    queryKey: ['search', words, limit],
    queryFn: async ({ signal }) =>
      unwrap<components['schemas']['Found']>(
        await client.GET('/minutebook/v1/search', { params: { query: { query: words, limit } }, signal }),
      ).found,
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
}
