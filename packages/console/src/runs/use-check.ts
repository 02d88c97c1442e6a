import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DefinitionProblem } from './types.ts'
import { useRunApi } from './use-run-api.ts'

export interface Check {
  /** Of the text as it is now, or of a moment ago; undefined while nobody has looked. */
  readonly problems: readonly DefinitionProblem[] | undefined
  readonly isChecking: boolean
  readonly error: Error | null
}

/** Has a definition checked as it is typed. */
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
