import type { MinutebookClient } from '@minutebook/client'
import { createContext, use } from 'react'

export const ClientContext = createContext<MinutebookClient | undefined>(undefined)

/** The typed client of the server that the page came from. */
export function useClient(): MinutebookClient {
  const client = use(ClientContext)
  if (!client) throw new Error('No client: render this below ClientContext.')
  return client
}
