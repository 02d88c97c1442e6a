import { ApiError, type components } from '@minutebook/client'
import { useMutation, useQuery, useQueryClient, type QueryClient, type UseQueryResult } from '@tanstack/react-query'
import { unwrap, useClient } from './api.tsx'

type Schemas = components['schemas']

/** A tool call that waits for a decision, and its thread. */
export type WaitingCall = Schemas['CallList']['calls'][number]
export type Decision = Schemas['NewDecision']['decision']
/** The decision that was made first, if it was not ours. */
export type FirstDecision = NonNullable<ApiError['decided']>

/** The most calls that are listed. */
export const mostListed = 100

/**
 * The calls that wait in all threads, those that have waited longest first. A call with long arguments is listed
 * without them. `every`: milliseconds between two looks. A page in a hidden tab does not look.
 */
export function useWaiting({ every }: { readonly every: number }): UseQueryResult<readonly WaitingCall[]> {
  const client = useClient()
  return useQuery({
    queryKey: ['waiting'],
    queryFn: async ({ signal }) =>
      unwrap(
        await client.GET('/minutebook/v1/waiting', { params: { query: { limit: mostListed } }, signal }),
      ).calls.toReversed(),
    refetchInterval: every,
    staleTime: 0,
  })
}

/**
 * The calls of a thread that wait, with all their arguments. `isOn`: false if they are not needed now. `isLive`: looks
 * again while calls wait.
 */
export function useOpenCalls(
  thread: string,
  { isOn = true, isLive = false } = {},
): UseQueryResult<readonly WaitingCall[]> {
  const client = useClient()
  return useQuery({
    queryKey: ['waiting', thread],
    queryFn: async ({ signal }) =>
      unwrap(
        await client.GET('/minutebook/v1/threads/{thread}/waiting', { params: { path: { thread } }, signal }),
      ).calls.map((call) => ({ ...call, thread })),
    enabled: isOn,
    // If one of several calls is decided elsewhere, the stream of the thread does not tell.
    refetchInterval: ({ state: { data } }) => (isLive && data?.length ? openEvery : false),
  })
}

/** Milliseconds. */
const openEvery = 4000

/** After something happened on a thread: other calls may wait now. */
export function lookForWaiting(queries: QueryClient, thread: string): void {
  void queries.invalidateQueries({ queryKey: ['waiting', thread] })
  void queries.invalidateQueries({ queryKey: ['waiting'], exact: true })
}

interface Deciding {
  /** Decides about the call, once. Nothing rejects: a failure is in `error`. */
  readonly decide: (decision: Decision) => void
  readonly isPending: boolean
  /** What was decided here. */
  readonly decided: Decision | undefined
  /** What was decided before. */
  readonly first: FirstDecision | undefined
  /** What was decided here, and came too late. */
  readonly late: Decision | undefined
  /** Whether the turn of the call ended without a decision. */
  readonly isOver: boolean
  /** Any other failure: it may help to try again. */
  readonly error: Error | undefined
}

/** Decides about a call. The next look at the lists is a whole interval away, so that people see what was decided. */
export function useDecide({ thread, id: call }: Pick<WaitingCall, 'thread' | 'id'>): Deciding {
  const client = useClient()
  const queries = useQueryClient()
  const { mutate, isPending, isSuccess, variables, error } = useMutation({
    mutationFn: async (decision: Decision) =>
      unwrap(
        await client.POST('/minutebook/v1/threads/{thread}/decisions', {
          params: { path: { thread } },
          body: { call, decision },
        }),
      ),
    onSuccess: () => showLonger(queries),
  })
  const refusal = error instanceof ApiError ? error : undefined
  const first = refusal?.code === 'already_decided' ? refusal.decided : undefined
  const isOver = refusal?.code === 'not_waiting' || refusal?.code === 'unknown_thread'
  const decided = isSuccess ? variables : undefined
  return {
    decide: (decision) => void (isPending || decided || first || isOver || mutate(decision)),
    isPending,
    decided,
    first,
    late: first || isOver ? variables : undefined,
    isOver,
    error: first || isOver ? undefined : (error ?? undefined),
  }
}

/** Starts the interval until the next look again. An update does that, also without new data. */
async function showLonger(queries: QueryClient): Promise<void> {
  await queries.cancelQueries({ queryKey: ['waiting'] })
  queries.setQueriesData({ queryKey: ['waiting'] }, (held: unknown) => held)
}
