import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useIsAdmin } from './about.ts'
import { useClient } from './client-context.tsx'
import type { Entry, ShownThread } from './types.ts'
import { unwrap } from './unwrap.ts'

export type { Entry, ShownThread }

/** A branch of a thread as this key may see it: admins see what is hidden from others. */
export function useEntries(thread: string, head: string | undefined): UseQueryResult<ShownThread> {
  const client = useClient()
  const hidden = useIsAdmin() ? '1' : '0'
  return useQuery({
    queryKey: entriesKey(thread, head),
    queryFn: async ({ signal }) =>
      unwrap<ShownThread>(
        await client.GET('/minutebook/v1/threads/{thread}/entries', {
          params: { path: { thread }, query: { hidden, ...(head !== undefined && { head }) } },
          signal,
        }),
      ),
    // What comes is told by the stream.
    staleTime: 60_000,
  })
}

export function entriesKey(thread: string, head: string | undefined): readonly unknown[] {
  return head === undefined ? ['entries', thread] : ['entries', thread, head]
}
