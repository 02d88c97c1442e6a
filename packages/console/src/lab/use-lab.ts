import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLogReader } from '../api/lab.ts'
import type { Changes } from './changes.ts'
import { createLabClient, type LabClient } from './lab-client.ts'
import type { Opened } from './lab-messages.ts'
import type { LabCall, Problem, Recompiled } from './lab.ts'
import type { Counts } from './recorded-counts.ts'

export interface OpenLab extends Opened {
  readonly client: LabClient
}

/** Opens the log of a thread in a worker. */
export function useLab(thread: string): UseQueryResult<OpenLab> {
  const read = useLogReader()
  const [lab] = useState(createLabClient)
  const left = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    clearTimeout(left.current)
    // Later, because effects run twice in development.
    return () => void (left.current = setTimeout(() => lab.close(), 0))
  }, [lab])
  return useQuery({
    queryKey: ['lab', thread],
    gcTime: 0,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const { lines, counts } = await read(thread, signal)
      return { ...(await lab.ask('open', { lines, counts: counts as Counts })), client: lab }
    },
  })
}

/** A call, and all calls, under the settings of the sliders. */
export interface Preview {
  readonly receipt: string
  readonly changes: Changes
  readonly call: LabCall | { readonly problem: Problem }
  readonly all: readonly Recompiled[] | undefined
}

/**
 * Makes prompts again as the sliders move: first the chosen call, then all of them. The old result stays until the new
 * one is there.
 */
export function usePreview(
  lab: OpenLab | undefined,
  receipt: string | undefined,
  changes: Changes,
): { readonly preview: Preview | undefined; readonly isBusy: boolean; readonly error: unknown } {
  const [preview, setPreview] = useState<Preview>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const known = useRef<{ readonly changes: Changes; readonly all: readonly Recompiled[] }>(undefined)
  useEffect(() => {
    if (!lab || receipt === undefined) return undefined
    let isOver = false
    const make = async (): Promise<void> => {
      const call = await lab.client.ask('call', { receipt, changes })
      if (isOver) return
      const all = known.current?.changes === changes ? known.current.all : undefined
      setPreview((before) => ({ receipt, changes, call, all: all ?? before?.all }))
      if (all) return
      const found = await lab.client.ask('all', { changes })
      if (isOver) return
      known.current = { changes, all: found }
      setPreview({ receipt, changes, call, all: found })
    }
    setBusy(true)
    setError(undefined)
    make()
      .catch((failure: unknown) => isOver || setError(failure))
      .finally(() => isOver || setBusy(false))
    return () => {
      isOver = true
    }
  }, [lab, receipt, changes])
  const isStale = preview?.changes !== changes || preview.receipt !== receipt
  return { preview, isBusy: (isBusy || isStale) && error === undefined, error }
}
