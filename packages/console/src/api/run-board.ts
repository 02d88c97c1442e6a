import { eventsIn } from '@minutebook/client'
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isOver, useRunApi, type RunApi, type RunBoard, type RunCommand } from './runs.ts'
import { apiFetch } from './session.ts'

/** The board of a run. Changes are streamed while the run goes on. */
export function useBoard(run: string): { readonly board: UseQueryResult<RunBoard>; readonly isCutOff: boolean } {
  const queries = useQueryClient()
  const api = useRunApi()
  const board = useQuery({
    queryKey: boardKey(run),
    queryFn: ({ signal }) => api.board(run, signal),
    staleTime: 60_000,
  })
  const [isCutOff, setCutOff] = useState(false)
  const isLive = board.data !== undefined && !isOver(board.data.status)
  useEffect(() => {
    if (!isLive) return
    const left = new AbortController()
    void followBoard(api, run, {
      signal: left.signal,
      onBoard: (next) => {
        // An answer that is still on its way is older than what was streamed meanwhile.
        void queries.cancelQueries({ queryKey: boardKey(run) })
        queries.setQueryData(boardKey(run), next)
      },
      onCutOff: setCutOff,
    })
    return () => {
      left.abort()
      setCutOff(false)
    }
  }, [queries, api, run, isLive])
  return { board, isCutOff }
}

/** The board of another run, such as the one that a run was forked from. It is not followed. */
export function useOtherBoard(run: string | undefined): UseQueryResult<RunBoard> {
  const api = useRunApi()
  return useQuery({
    queryKey: boardKey(run ?? ''),
    queryFn: ({ signal }) => api.board(run ?? '', signal),
    enabled: run !== undefined,
    staleTime: 60_000,
    retry: false,
  })
}

function boardKey(run: string): readonly unknown[] {
  return ['run', run]
}

/** Pauses, resumes, stops and retries a run. */
export function useSteer(run: string): UseMutationResult<unknown, Error, RunCommand> {
  const queries = useQueryClient()
  const api = useRunApi()
  return useMutation({
    mutationFn: (command: RunCommand) => api.steer(run, command),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: boardKey(run) }),
        queries.invalidateQueries({ queryKey: ['runs'] }),
      ]),
  })
}

interface Following {
  readonly signal: AbortSignal
  readonly onBoard: (board: RunBoard) => void
  /** Called with true while the stream is interrupted. */
  readonly onCutOff: (isCutOff: boolean) => void
}

/** Follows a run, and reconnects as often as needed. */
async function followBoard(api: RunApi, run: string, { signal, onBoard, onCutOff }: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      await hear(run, { signal, onBoard, onCutOff })
      if (signal.aborted) return
      // The run may have changed after the stream ended.
      onBoard(await api.board(run, signal))
    } catch {
      if (signal.aborted) return
      onCutOff(true)
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Milliseconds. */
const pause = 1000

async function hear(run: string, { signal, onBoard, onCutOff }: Following): Promise<void> {
  const response = await apiFetch(`/minutebook/v1/runs/${encodeURIComponent(run)}/events`, {
    headers: { accept: 'text/event-stream' },
    signal,
  })
  if (!response.ok || !response.body)
    throw new Error(`The stream of the run was refused with status ${response.status}.`)
  onCutOff(false)
  let newest: RunBoard | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const draw = (): void => {
    timer = undefined
    if (newest && !signal.aborted) onBoard(newest)
  }
  try {
    for await (const { event, data } of eventsIn(response.body) as AsyncIterable<{
      readonly event: string
      readonly data: unknown
    }>) {
      if (event === 'board') newest = data as RunBoard
      if (event === 'change' && newest) newest = withChange(newest, data as BoardChange)
      timer ??= setTimeout(draw, drawEvery)
    }
  } finally {
    clearTimeout(timer)
    draw()
  }
}

/** Milliseconds between two renders: a run with a fast model changes more often than people can read. */
const drawEvery = 100

/** An event of the stream: the board without its definition, and only with the rounds that changed. */
type BoardChange = Omit<RunBoard, 'definition'>

/**
 * Merges a change into a board. Rounds that did not change stay the same objects.
 *
 * @example
 * const next = withChange(board, change)
 */
export function withChange(board: RunBoard, change: BoardChange): RunBoard {
  const changed = new Map(change.rounds.map((column) => [column.round, column]))
  const known = new Set(board.rounds.map(({ round }) => round))
  const rounds = [
    ...board.rounds.map((column) => changed.get(column.round) ?? column),
    ...change.rounds.filter(({ round }) => !known.has(round)),
  ]
  return {
    ...change,
    ...(board.definition !== undefined && { definition: board.definition }),
    rounds: rounds.toSorted((one, other) => one.round - other.round),
  }
}
