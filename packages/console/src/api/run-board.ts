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

/** The board of a run; while it goes on, what happens is heard at once. */
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
      onBoard: (next) => void queries.setQueryData(boardKey(run), next),
      onCutOff: setCutOff,
    })
    return () => {
      left.abort()
      setCutOff(false)
    }
  }, [queries, api, run, isLive])
  return { board, isCutOff }
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
  /** Whether what happens cannot be heard of right now. */
  readonly onCutOff: (isCutOff: boolean) => void
}

/** Follows a run, over as many connections as it takes. */
async function followBoard(api: RunApi, run: string, { signal, onBoard, onCutOff }: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      await hear(run, signal, onBoard)
      if (signal.aborted) return
      // Whoever ends a stream may have more to tell.
      onBoard(await api.board(run, signal))
      onCutOff(false)
    } catch {
      if (signal.aborted) return
      onCutOff(true)
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Milliseconds. */
const pause = 1000

async function hear(run: string, signal: AbortSignal, onBoard: (board: RunBoard) => void): Promise<void> {
  const response = await apiFetch(`/minutebook/v1/runs/${encodeURIComponent(run)}/events`, {
    headers: { accept: 'text/event-stream' },
    signal,
  })
  if (!response.ok || !response.body)
    throw new Error(`The stream of the run was refused with status ${response.status}.`)
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

/** Milliseconds: a run with a quick model changes more often than one can read. */
const drawEvery = 100

/**
 * What a stream tells after the whole board: all of it but the definition, and of the rounds those that are new or
 * others than before.
 */
type BoardChange = Omit<RunBoard, 'definition'>

/**
 * A board with what was told just now. Rounds that did not change stay the very same.
 *
 * @example
 * const next = withChange(board, change)
 */
export function withChange(board: RunBoard, change: BoardChange): RunBoard {
  const told = new Map(change.rounds.map((column) => [column.round, column]))
  const known = new Set(board.rounds.map(({ round }) => round))
  const rounds = [
    ...board.rounds.map((column) => told.get(column.round) ?? column),
    ...change.rounds.filter(({ round }) => !known.has(round)),
  ]
  return {
    ...change,
    ...(board.definition !== undefined && { definition: board.definition }),
    rounds: rounds.toSorted((one, other) => one.round - other.round),
  }
}
