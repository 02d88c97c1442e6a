import type { components } from '@minutebook/client'
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { unwrap, useClient } from './api.tsx'

type Schemas = components['schemas']

/** One message in all model calls after it. */
export type Lane = Schemas['Lane']
export type LaneCall = Lane['calls'][number]
/** A call that was answered without the message, and what would have kept it. */
export type AnsweredWithout = NonNullable<Lane['without']>
export type Restoration = AnsweredWithout['restorations'][number]

interface LaneQuery {
  readonly head?: string | undefined
  /** The call to say of what would have kept the message. Default: the newest one without it. */
  readonly receipt?: string | undefined
}

/** Follows a message through the newest 200 model calls after it. */
export function useLane(thread: string, entry: string, { head, receipt }: LaneQuery = {}): UseQueryResult<Lane> {
  const client = useClient()
  return useQuery({
    queryKey: ['lane', thread, entry, head ?? '', receipt ?? ''],
    queryFn: async ({ signal }) =>
      unwrap(
        await client.GET('/minutebook/v1/threads/{thread}/entries/{entry}/lane', {
          params: {
            path: { thread, entry },
            query: { ...(head !== undefined && { head }), ...(receipt !== undefined && { receipt }) },
          },
          signal,
        }),
      ),
    // While another call is asked about, the boxes stay.
    placeholderData: (before) => (before?.entry === entry ? before : undefined),
  })
}

interface PinChange {
  readonly entry: string
  readonly pinned: boolean
}

/** Pins a message, or unpins it. Then everything that says so is read again. */
export function usePin(thread: string): UseMutationResult<Schemas['PinChange'], Error, PinChange> {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ entry, pinned }: PinChange) => {
      const given = { params: { path: { thread, entry } } }
      return unwrap(
        pinned
          ? await client.PUT('/minutebook/v1/threads/{thread}/pins/{entry}', given)
          : await client.DELETE('/minutebook/v1/threads/{thread}/pins/{entry}', given),
      )
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['entries', thread] })
      await queries.invalidateQueries({ queryKey: ['lane', thread] })
    },
  })
}
