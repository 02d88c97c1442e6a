import type { components, Entry } from '@minutebook/client'
import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
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

/** The address of an image in this page. Undefined while it is read, null if it cannot be shown. */
export function useImage(thread: string, entry: string, image: number): string | null | undefined {
  const client = useClient()
  const { data, error } = useQuery({
    queryKey: ['image', thread, entry, image],
    // A link could not say who asks, so the page fetches the image itself.
    queryFn: async ({ signal }) =>
      unwrap<Blob>(
        await client.GET('/minutebook/v1/threads/{thread}/entries/{entry}/images/{image}', {
          params: { path: { thread, entry, image: String(image) } },
          parseAs: 'blob',
          signal,
        }),
      ),
    staleTime: Infinity,
    // An image has up to 8 MB: those that are not on the screen are forgotten.
    gcTime: 0,
  })
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!data || !bitmaps.has(data.type)) return undefined
    const made = URL.createObjectURL(data)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return error || (data && !bitmaps.has(data.type)) ? null : address
}

/** Types in which nothing can run. */
const bitmaps: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
