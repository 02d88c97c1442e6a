import { createClient } from '@minutebook/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState, type ReactElement } from 'react'
import { ClientContext } from '../api/client-context.tsx'
import { createQueries } from '../api/queries.ts'
import { apiFetch } from '../api/session.ts'
import { Gate } from './gate.tsx'
import { createConsoleRouter } from './router.tsx'

/** The whole console, on the server that it came from. */
export function App(): ReactElement {
  const [client] = useState(() => createClient({ url: location.origin, fetch: apiFetch }))
  const [queries] = useState(createQueries)
  const [router] = useState(createConsoleRouter)
  return (
    <QueryClientProvider client={queries}>
      <ClientContext value={client}>
        <Gate>
          <RouterProvider router={router} />
        </Gate>
      </ClientContext>
    </QueryClientProvider>
  )
}
