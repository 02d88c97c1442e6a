import { ApiError } from '@minutebook/client'
import { QueryClient } from '@tanstack/react-query'

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
