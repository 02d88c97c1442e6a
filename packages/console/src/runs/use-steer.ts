import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import type { Wish } from './status.ts'
import { boardKey } from './use-board.ts'
import { useRunApi } from './use-run-api.ts'

/** Pauses, resumes, stops and retries a run. */
export function useSteer(run: string): UseMutationResult<unknown, Error, Wish> {
  const queries = useQueryClient()
  const api = useRunApi()
  return useMutation({
    mutationFn: (wish: Wish) => api.steer(run, wish),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: boardKey(run) }),
        queries.invalidateQueries({ queryKey: ['runs'] }),
      ]),
  })
}
