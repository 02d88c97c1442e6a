import type { components } from '@minutebook/client'
import { keepPreviousData, queryOptions, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { unwrap, useClient } from './api.tsx'

export type Overview = components['schemas']['Overview']
export type Figures = Overview['totals']
export type ProblemRow = Overview['problems'][number]

/** The ranges of time, as they are in the address. Without one, it is the first. */
export const ranges = [
  { last: undefined, hours: 24, short: '24 h', title: 'The last 24 hours' },
  { last: '7d', hours: 7 * 24, short: '7 d', title: 'The last 7 days' },
  { last: '30d', hours: 30 * 24, short: '30 d', title: 'The last 30 days' },
  { last: '90d', hours: 90 * 24, short: '90 d', title: 'The last 90 days' },
] as const

export type Last = (typeof ranges)[number]['last']

/** Which calls an overview sums up. The range ends now. */
export interface OverviewChoice {
  readonly last: Last
  readonly model: string | undefined
  readonly key: string | undefined
}

/** Figures over time and the threads that need a look. While another choice loads, the previous one stays. */
export function useOverview(choice: OverviewChoice): UseQueryResult<Overview> {
  const client = useClient()
  return useQuery({ ...overviewQuery(client, choice), placeholderData: keepPreviousData, refetchInterval: every })
}

/** Begins to read them, for a screen that is not there yet. */
export function useOverviewAhead({ last, model, key }: OverviewChoice): void {
  const client = useClient()
  const queries = useQueryClient()
  useEffect(
    () => void queries.prefetchQuery(overviewQuery(client, { last, model, key })),
    [client, queries, last, model, key],
  )
}

function overviewQuery(client: ReturnType<typeof useClient>, { last, model, key }: OverviewChoice) {
  return queryOptions({
    queryKey: ['overview', last ?? '', model ?? '', key ?? ''],
    queryFn: async ({ signal }) => {
      const { hours } = ranges.find((range) => range.last === last) ?? ranges[0]
      const from = new Date(Date.now() - (hours - 1) * hour).toISOString()
      const query = { from, ...(model !== undefined && { model }), ...(key !== undefined && { key }) }
      return unwrap(await client.GET('/minutebook/v1/overview', { params: { query }, signal }))
    },
  })
}

/** Milliseconds. */
const hour = 3_600_000
const every = 10_000
