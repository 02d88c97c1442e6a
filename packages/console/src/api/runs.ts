import type { MinutebookClient } from '@minutebook/client'
import type { Board, Comparison, RunStatus, Spending, Value } from '@minutebook/experiment/run'
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { unwrap, useClient } from './api.tsx'

/** A run in the list. */
export interface RunSummary {
  readonly run: string
  /** Of the experiment. */
  readonly name: string
  readonly status: RunStatus
  readonly reason?: string
  readonly round: number
  /** The most rounds. Null if there is no limit. */
  readonly limit?: number | null
  readonly spending: Spending
  readonly began?: string
  readonly changed?: string
  readonly forked?: { readonly run: string; readonly round: number }
}

/** A board with the definition of its experiment, if this key may see that. */
export interface RunBoard extends Board {
  readonly limit?: number | null
  readonly definition?: Value
  /** How many variables this key may not see. */
  readonly hidden?: number
}

interface RunPage {
  readonly runs: readonly RunSummary[]
  /** Where the next page begins. */
  readonly next?: string
}

/** A mistake in a definition: where it is, and how to fix it. */
export interface DefinitionProblem {
  readonly line?: number
  readonly column?: number
  readonly field: string
  readonly problem: string
  readonly fix?: string
}

/** What can be done with a run. */
export type RunCommand = 'pause' | 'resume' | 'stop' | 'retry'

/** Whether the run has ended: nothing happens in it unless a person retries it. */
export function isOver(status: RunStatus): boolean {
  return status !== 'running' && status !== 'waiting' && status !== 'paused' && status !== 'stopping'
}

export type { Comparison, RunStatus, Spending, Value }

interface Runs {
  /** Undefined while loading. */
  readonly runs: readonly RunSummary[] | undefined
  readonly isPending: boolean
  readonly error: Error | null
  readonly hasMore: boolean
  readonly more: () => void
  readonly again: () => void
}

/** The runs, newest first, page by page. They are polled. */
export function useRuns(): Runs {
  const api = useRunApi()
  const { data, isPending, error, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['runs'],
    queryFn: ({ pageParam, signal }) => api.list({ limit: pageSize, after: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    // Every page on the screen is read again, so more pages are polled less often.
    refetchInterval: ({ state }) => every * Math.max(1, state.data?.pages.length ?? 1),
    staleTime: 0,
  })
  const runs = useMemo(() => data && distinct(data.pages.flatMap((page) => page.runs)), [data])
  return { runs, isPending, error, hasMore: hasNextPage, more: () => void fetchNextPage(), again: () => void refetch() }
}

const pageSize = 50
/** Milliseconds. */
const every = 2000

/** A run that begins between two requests moves another one onto the next page, so it comes twice. */
function distinct(runs: readonly RunSummary[]): readonly RunSummary[] {
  return [...new Map(runs.map((run) => [run.run, run])).values()]
}

interface Check {
  /** The mistakes in the text as it was a moment ago. Undefined before the first check. */
  readonly problems: readonly DefinitionProblem[] | undefined
  readonly isChecking: boolean
  readonly error: Error | null
}

/** Checks a definition while the user types. */
export function useCheck(text: string): Check {
  const api = useRunApi()
  const settled = useSettled(text, pause)
  const { data, error, isFetching } = useQuery({
    queryKey: ['check', settled],
    queryFn: ({ signal }) => api.check(settled, signal),
    enabled: settled.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  })
  return { problems: text.trim() === '' ? undefined : data, isChecking: isFetching || settled !== text, error }
}

/** Milliseconds. */
const pause = 300

function useSettled(text: string, after: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), after)
    return () => clearTimeout(timer)
  }, [text, after])
  return settled
}

interface RunOptions {
  /** YAML. */
  readonly definition: string
  readonly run?: string
  readonly seed?: number
}

/** Begins a run. `show` goes to it. */
export function useBeginRun(show: (run: string) => Promise<void>): UseMutationResult<RunSummary, Error, RunOptions> {
  const queries = useQueryClient()
  const api = useRunApi()
  return useMutation({
    mutationFn: (options: RunOptions) => api.begin(options),
    onSuccess: ({ run }) => {
      void queries.invalidateQueries({ queryKey: ['runs'] })
      return show(run)
    },
  })
}

interface ForkOptions {
  readonly round: number
  readonly changes: { readonly [name: string]: Value }
  /** The name of the new run. */
  readonly as?: string
}

/** Forks a run. `show` goes to the new one. */
export function useForkRun(
  run: string,
  show: (run: string) => Promise<void>,
): UseMutationResult<RunSummary, Error, ForkOptions> {
  const queries = useQueryClient()
  const api = useRunApi()
  return useMutation({
    mutationFn: (options: ForkOptions) => api.fork(run, options),
    onSuccess: ({ run: made }) => {
      void queries.invalidateQueries({ queryKey: ['runs'] })
      return show(made)
    },
  })
}

/** The comparison of two runs. While another one is loading, the previous one stays on the screen. */
export function useComparison(left: string, right: string): UseQueryResult<Comparison> {
  const api = useRunApi()
  return useQuery({
    queryKey: ['compare', left, right],
    queryFn: ({ signal }) => api.compare(left, right, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function useRunApi(): RunApi {
  const client = useClient()
  return useMemo(() => runApi(client), [client])
}

/** The operations on runs. Each throws an `ApiError` that says what to do. */
export interface RunApi {
  list(page: { readonly limit: number; readonly after?: string | undefined }, signal: AbortSignal): Promise<RunPage>
  board(run: string, signal: AbortSignal): Promise<RunBoard>
  compare(left: string, right: string, signal: AbortSignal): Promise<Comparison>
  check(definition: string, signal: AbortSignal): Promise<readonly DefinitionProblem[]>
  begin(options: RunOptions): Promise<RunSummary>
  fork(run: string, options: ForkOptions): Promise<RunSummary>
  steer(run: string, command: RunCommand): Promise<RunSummary>
}

/** The API's document calls the values of environments and definitions unknown: they are any JSON value. */
function runApi(client: MinutebookClient): RunApi {
  return {
    list: async ({ limit, after }, signal) =>
      unwrap(
        await client.GET('/minutebook/v1/runs', {
          params: { query: { limit, ...(after !== undefined && { after }) } },
          signal,
        }),
      ),
    board: async (run, signal) =>
      unwrap(await client.GET('/minutebook/v1/runs/{run}', { params: { path: { run } }, signal })) as RunBoard,
    compare: async (left, right, signal) =>
      unwrap(
        await client.GET('/minutebook/v1/runs/compare', { params: { query: { left, right } }, signal }),
      ) as Comparison,
    check: async (definition, signal) =>
      unwrap(await client.POST('/minutebook/v1/experiments/check', { body: { definition }, signal })).problems,
    begin: async (body) => unwrap(await client.POST('/minutebook/v1/runs', { body })),
    fork: async (run, body) =>
      unwrap(await client.POST('/minutebook/v1/runs/{run}/fork', { params: { path: { run } }, body })),
    steer: async (run, command) =>
      unwrap(await client.POST(`/minutebook/v1/runs/{run}/${command}`, { params: { path: { run } } })),
  }
}
