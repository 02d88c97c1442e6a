import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { unwrap, useAbout, useClient, useMayWrite } from './api.tsx'

/** The models that the user can choose from, for a thread whose setup names none. */
export interface ModelChoice {
  readonly names: readonly string[]
  /** The model that will answer. Undefined if none is known. */
  readonly chosen: string | undefined
  readonly choose: (name: string) => void
  /** What a request must name. Undefined if the server chooses the same model by itself. */
  readonly named: string | undefined
  readonly isLoading: boolean
  readonly lookAgain: () => void
}

/** `isOn`: whether the user has to choose. `before`: the model that answered last. */
export function useModelChoice({
  isOn,
  before,
}: {
  readonly isOn: boolean
  readonly before?: string | null | undefined
}): ModelChoice | undefined {
  const client = useClient()
  const { defaultModel } = useAbout()
  const mayWrite = useMayWrite()
  const [picked, setPicked] = useState<string>()
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['models'],
    queryFn: async () => unwrap(await client.GET('/minutebook/v1/models', {})).models.map(({ name }) => name),
    enabled: isOn && mayWrite,
    staleTime: 30_000,
  })
  if (!isOn || !mayWrite) return undefined
  const listed = data ?? []
  const names = defaultModel === null || listed.includes(defaultModel) ? listed : [defaultModel, ...listed]
  const last = typeof before === 'string' && names.includes(before) ? before : undefined
  const chosen = picked ?? last ?? defaultModel ?? names[0]
  return {
    names,
    chosen,
    choose: setPicked,
    named: chosen === defaultModel ? undefined : chosen,
    isLoading: isFetching && data === undefined,
    lookAgain: () => void refetch(),
  }
}
