import { ApiError, readError, type components, type MinutebookClient } from '@minutebook/client'
import { QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { createContext, use } from 'react'

export const ClientContext = createContext<MinutebookClient | undefined>(undefined)

/** The typed client of the server that the page came from. */
export function useClient(): MinutebookClient {
  const client = use(ClientContext)
  if (!client) throw new Error('No client: render this below ClientContext.')
  return client
}

/** What an operation answered with, as openapi-fetch has it. */
interface Answer {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/**
 * The data of an answer; throws an `ApiError` with what the server says to do. The type is named by the caller: the
 * client's own takes lists for objects.
 *
 * @example
 * const { threads } = unwrap<ThreadPage>(await client.GET('/minutebook/v1/threads', {}))
 */
export function unwrap<T>({ data, error, response }: Answer): T {
  if (response.ok && data !== undefined) return data as T
  throw readError(response.status, error, 'Load the page again, or look into the log of the server.')
}

/** How the console asks: whatever the browser thinks of the network, and again by itself where nobody answered. */
export function createQueries(): QueryClient {
  const queries = {
    networkMode: 'always',
    retry: isWorthRetrying,
    retryDelay: 500,
    staleTime: 5000,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state: { error } }: { readonly state: { readonly error: unknown } }) =>
      isUnanswered(error) ? askAgainAfter : false,
  } as const
  return new QueryClient({ defaultOptions: { queries, mutations: { networkMode: 'always', retry: false } } })
}

/** Milliseconds. */
const askAgainAfter = 3000

/** Whether there was no answer at all, or none that says anything. */
export function isUnanswered(error: unknown): boolean {
  return error !== null && error !== undefined && !(error instanceof ApiError && error.status < 500)
}

/** A refusal stays one; a connection may come back. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < 1 && isUnanswered(error)
}

type About = components['schemas']['About']

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
