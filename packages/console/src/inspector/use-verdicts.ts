import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useInspection } from './calls.ts'
import type { Verdict } from './inspection.ts'

/** By entry: what became of it in the call that the inspector shows; undefined where it shows none. */
export function useVerdicts(): ReadonlyMap<string, Verdict> | undefined {
  const { thread = '', receipt } = useParams({ strict: false }) as {
    readonly thread?: string
    readonly receipt?: string
  }
  const { data } = useInspection(thread, receipt === 'last' ? undefined : receipt)
  return useMemo(
    () => (receipt === undefined || !data ? undefined : new Map(data.entries.map(({ id, verdict }) => [id, verdict]))),
    [data, receipt],
  )
}
