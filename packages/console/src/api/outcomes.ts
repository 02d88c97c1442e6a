import type { OutcomeTable, RunSeries } from '@minutebook/experiment/run'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { unwrap, useClient } from './api.tsx'
import { isOver } from './runs.ts'

/** How many runs can be compared at once. */
export const mostCompared = 100
/** How many variables can be drawn at once. */
export const mostFollowed = 8

/** The outcomes of runs, next to each other. They are polled while one of the runs goes on. */
export function useOutcomes(runs: readonly string[]): UseQueryResult<OutcomeTable> {
  const client = useClient()
  return useQuery({
    queryKey: ['outcomes', ...runs],
    queryFn: async ({ signal }) => {
      const query = { runs: runs.join(',') }
      return unwrap(
        await client.GET('/minutebook/v1/runs/compare/outcomes', { params: { query }, signal }),
      ) as OutcomeTable
    },
    enabled: runs.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && isEnded(state.data) ? false : every),
    staleTime: 0,
  })
}

/** Variables of runs over the rounds. `changed`: when any of the runs last changed; they are read again if it does. */
export function useSeries(
  runs: readonly string[],
  variables: readonly string[],
  changed: string,
): UseQueryResult<readonly RunSeries[]> {
  const client = useClient()
  return useQuery({
    queryKey: ['series', runs.join(','), variables.join(','), changed],
    queryFn: async ({ signal }) => {
      const query = { runs: runs.join(','), variables: variables.join(',') }
      const answer = unwrap(
        await client.GET('/minutebook/v1/runs/compare/series', { params: { query }, signal }),
      ) as unknown as {
        readonly series: readonly RunSeries[]
      }
      return answer.series
    },
    enabled: runs.length > 0 && variables.length > 0 && changed !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })
}

function isEnded({ runs }: OutcomeTable): boolean {
  return runs.every(({ status }) => isOver(status))
}

/** Milliseconds. */
const every = 3000
