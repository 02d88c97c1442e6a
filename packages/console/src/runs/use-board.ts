import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followBoard } from './follow-board.ts'
import { isOver } from './status.ts'
import type { RunBoard } from './types.ts'
import { useRunApi } from './use-run-api.ts'

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

export function boardKey(run: string): readonly unknown[] {
  return ['run', run]
}
