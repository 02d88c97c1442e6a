import { useMemo } from 'react'
import { useCalls } from '../inspector/calls.ts'

/** By the user entry of a turn: the receipt of its last model call. */
export function useLastCalls(thread: string, head: string | undefined): ReadonlyMap<string, string> | undefined {
  const { data } = useCalls(thread, head)
  return useMemo(
    () =>
      data &&
      new Map(data.flatMap(({ question, receipt }) => (question === null ? [] : [[question, receipt.id] as const]))),
    [data],
  )
}
