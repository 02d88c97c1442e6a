import type { components } from '@minutebook/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useClient } from './client-context.tsx'
import { unwrap } from './unwrap.ts'

export type About = components['schemas']['About']

/** What server this is, and as whom the console speaks to it. */
export function useAboutQuery(): UseQueryResult<About> {
  const client = useClient()
  return useQuery({
    queryKey: ['about'],
    queryFn: async () => unwrap<About>(await client.GET('/minutebook/v1', {})),
    staleTime: Infinity,
  })
}

/** The same, below the gate, where it is known. */
export function useAbout(): About {
  const { data } = useAboutQuery()
  if (!data) throw new Error('The server is not known yet: render this below the gate.')
  return data
}

/** Whether hidden entries, dumps and prompts may be seen. */
export function useIsAdmin(): boolean {
  return useAbout().scope === 'admin'
}
