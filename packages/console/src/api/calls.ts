import type { components } from '@minutebook/client'
import {
  keepPreviousData,
  queryOptions,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { unwrap, useClient } from './api.tsx'

type Schemas = components['schemas']

/** A model call as the server describes it. */
export type Inspection = Schemas['Inspection']
export type InspectedEntry = Inspection['entries'][number]
type InspectedMessage = Inspection['messages'][number]
export type InspectedPiece = InspectedMessage['pieces'][number]
export type Share = Inspection['shares'][number]
export type Verdict = InspectedEntry['verdict']
/** A model call in a list. */
export type CallBrief = Schemas['Calls']['calls'][number]
export type Receipt = Schemas['Receipt']

/** The optional fields of a receipt. */
export function receiptFacts(receipt: Receipt): {
  readonly mode?: string
  readonly truncated?: string
  readonly low?: number
  readonly high?: number
} {
  const { mode, truncated } = receipt as { readonly mode?: unknown; readonly truncated?: unknown }
  const { low, high } = receipt.tokens as { readonly low?: unknown; readonly high?: unknown }
  return {
    ...(typeof mode === 'string' && { mode }),
    ...(typeof truncated === 'string' && { truncated }),
    ...(typeof low === 'number' && typeof high === 'number' && { low, high }),
  }
}

/** The model calls of a branch, oldest first. */
export function useCalls(thread: string, head: string | undefined): UseQueryResult<readonly CallBrief[]> {
  const client = useClient()
  return useQuery({
    queryKey: ['calls', thread, head ?? ''],
    queryFn: async ({ signal }) =>
      unwrap(
        await client.GET('/minutebook/v1/threads/{thread}/calls', {
          params: { path: { thread }, query: { ...(head !== undefined && { head }) } },
          signal,
        }),
      ).calls,
  })
}

/** A model call. While another one is loading, the previous one stays on the screen. */
export function useInspection(thread: string, receipt: string | undefined): UseQueryResult<Inspection> {
  return useQuery({
    ...useInspectionOptions()(thread, receipt ?? ''),
    enabled: receipt !== undefined,
    placeholderData: keepPreviousData,
  })
}

/** Prefetches calls, so that the scrubber does not have to wait. */
export function useReadAhead(): (thread: string, receipts: readonly string[]) => void {
  const queries = useQueryClient()
  const options = useInspectionOptions()
  return useCallback(
    (thread, receipts) => {
      for (const receipt of receipts) void queries.prefetchQuery(options(thread, receipt))
    },
    [queries, options],
  )
}

function useInspectionOptions(): (
  thread: string,
  receipt: string,
) => UseQueryOptions<Inspection> & { readonly queryKey: readonly unknown[] } {
  const client = useClient()
  return useCallback(
    (thread, receipt) =>
      queryOptions({
        queryKey: ['call', thread, receipt],
        queryFn: async ({ signal }) =>
          unwrap(
            await client.GET('/minutebook/v1/threads/{thread}/calls/{receipt}', {
              params: { path: { thread, receipt } },
              signal,
            }),
          ),
        // A recorded call only changes if something is erased.
        staleTime: 300_000,
      }) as never,
    [client],
  )
}
