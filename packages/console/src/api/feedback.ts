import type { components } from '@minutebook/client'
import {
  keepPreviousData,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { unwrap, useAbout, useClient } from './api.tsx'
import type { Entry } from './entries.ts'

type Schemas = components['schemas']
/** What this person says of a message: it replaces what they said of it before. */
export type Feedback = Schemas['Feedback']
export type KeptFeedback = Schemas['KeptFeedback']
export type FeedbackResult = Schemas['FeedbackList']['found'][number]

/** Which messages with feedback are listed. Empty: all. */
export interface FeedbackQuery {
  readonly rating?: 'up' | 'down' | undefined
  readonly tag?: string | undefined
}

/** What this person said of a message. Nothing if they said nothing. */
export function useOwnFeedback({ feedback = [] }: Pick<Entry, 'feedback'>): Feedback {
  const { key } = useAbout()
  const { rating, comment, tags } = feedback.find(({ by }) => by === key) ?? {}
  return { ...(rating && { rating }), ...(comment && { comment }), ...(tags && { tags }) }
}

/** Records what this person thinks of a message. */
export function useRate(thread: string, entry: string): UseMutationResult<unknown, Error, Feedback> {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationKey: rateKey(thread, entry),
    mutationFn: async (body: Feedback) =>
      unwrap(
        await client.PUT('/minutebook/v1/threads/{thread}/feedback/{entry}', {
          params: { path: { thread, entry } },
          body,
        }),
      ),
    onSuccess: () => {
      for (const about of ['threads', 'feedback']) void queries.invalidateQueries({ queryKey: [about] })
      return queries.invalidateQueries({ queryKey: ['entries', thread] })
    },
  })
}

/** Whether what this person thinks of a message is being recorded. Until it is read again, what they said is unknown. */
export function useIsRating(thread: string, entry: string): boolean {
  return useIsMutating({ mutationKey: rateKey(thread, entry) }) > 0
}

function rateKey(thread: string, entry: string): readonly string[] {
  return ['rate', thread, entry]
}

/** Messages with some feedback, what was written last first, if `isOn`. */
export function useFeedback(
  { rating, tag }: FeedbackQuery,
  words: string,
  isOn: boolean,
): UseQueryResult<readonly FeedbackResult[]> {
  const client = useClient()
  const query = useDeferredValue(words)
  return useQuery({
    queryKey: ['feedback', rating, tag, query],
    queryFn: async ({ signal }) =>
      unwrap(
        await client.GET('/minutebook/v1/feedback', {
          params: { query: { limit: 100, query, ...(rating && { rating }), ...(tag && { tag }) } },
          signal,
        }),
      ).found,
    enabled: isOn,
    placeholderData: keepPreviousData,
  })
}
