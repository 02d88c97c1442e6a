import type { Thread } from '@minutebook/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useClient } from './client-context.tsx'
import { unwrap } from './unwrap.ts'

/** A thread in brief. */
export function useThread(thread: string): UseQueryResult<Thread> {
  const client = useClient()
  return useQuery({
    queryKey: ['thread', thread],
    queryFn: async () =>
      unwrap<Thread>(await client.GET('/minutebook/v1/threads/{thread}', { params: { path: { thread } } })),
  })
}
