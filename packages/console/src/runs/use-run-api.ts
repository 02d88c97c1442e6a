import { useMemo } from 'react'
import { useClient } from '../api/client-context.tsx'
import { runApi, type RunApi } from './run-api.ts'

export function useRunApi(): RunApi {
  const client = useClient()
  return useMemo(() => runApi(client), [client])
}
