import { createClient } from '@minutebook/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useState, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { ClientContext, createQueries } from '../api/api.tsx'
import { apiFetch } from '../api/session.ts'
import { Gate } from './login.tsx'
import { createConsoleRouter } from './router.tsx'

/** Puts the console in the place of what the page shows so far. */
export function startConsole(): void {
  createRoot(document.getElementById('console')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

/** The whole console, on the server that it came from. */
function App(): ReactElement {
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
