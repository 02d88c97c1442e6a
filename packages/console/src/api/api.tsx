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

/** What openapi-fetch returns for an operation. */
interface Answer<T> {
  readonly data?: T
  readonly error?: unknown
  readonly response: Response
}

/**
 * Returns the data of a response, or throws an `ApiError` that says what to do.
 *
 * @example
 * const { threads } = unwrap(await client.GET('/minutebook/v1/threads', {}))
 */
export function unwrap<T>({ data, error, response }: Answer<T>): NonNullable<T> {
  if (response.ok && data !== undefined && data !== null) return data
  throw readError(response.status, error, 'Load the page again, or look into the log of the server.')
}

/** Requests are made even if the browser believes it is offline, and retried if the server did not answer. */
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

/** Whether the server did not answer, or failed. */
export function isUnanswered(error: unknown): boolean {
  return error !== null && error !== undefined && !(error instanceof ApiError && error.status < 500)
}

/** Retries a lost connection once, and a refusal never. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < 1 && isUnanswered(error)
}

type About = components['schemas']['About']

/** What the server says about itself, and about the current key. */
export function useAboutQuery(): UseQueryResult<About> {
  const client = useClient()
  return useQuery({
    queryKey: ['about'],
    queryFn: async () => unwrap(await client.GET('/minutebook/v1', {})),
    staleTime: Infinity,
  })
}

/** The same for components below the gate, where it is always known. */
export function useAbout(): About {
  const { data } = useAboutQuery()
  if (!data) throw new Error('The server is not known yet: render this below the gate.')
  return data
}

/** Whether this key may write, and the server too. */
export function useMayWrite(): boolean {
  const { scope, readOnly } = useAbout()
  return scope !== 'viewer' && !readOnly
}

/** Whether this key may decide about calls that need approval. */
export function useMayApprove(): boolean {
  return useAbout().approves
}

/** Whether this key may see hidden entries, dumps and prompts. */
export function useIsAdmin(): boolean {
  return useAbout().scope === 'admin'
}
