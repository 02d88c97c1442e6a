import { ApiError } from '@minutebook/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** A key, or the code of a link for the local operator. */
type Login = { readonly key: string } | { readonly code: string }

/** What becomes of the session: it begins, the server does not take it any more, or another tab logs in or out. */
type SessionChange = 'begun' | 'ended' | 'elsewhere'

/** Logs in. All that the page shows is then read again. */
export function useLogin(): (login: Login) => Promise<void> {
  const queries = useQueryClient()
  return async (login) => {
    await logIn(login)
    await queries.resetQueries()
  }
}

/** Logs out, and forgets what the page showed. */
export function useLogout(): () => void {
  const queries = useQueryClient()
  return () => {
    // Together, so that no question in between is taken for one of a session that has ended. A session of which the
    // server does not hear ends by time.
    logOut().catch(() => undefined)
    void queries.resetQueries()
  }
}

/** Logs in with the code of a link, where the address has one. `void`: it is used up or too old. */
export function useLinkLogin(): 'trying' | 'none' | 'taken' | 'void' {
  const queries = useQueryClient()
  const [code] = useState(takeLoginCode)
  const [link, setLink] = useState<ReturnType<typeof useLinkLogin>>(code === undefined ? 'none' : 'trying')
  useEffect(() => {
    if (code === undefined) return
    // Twice in development: a code counts once, and the second time changes nothing.
    const finish = (outcome: 'taken' | 'void'): void => {
      void queries.invalidateQueries()
      setLink(outcome)
    }
    logIn({ code })
      .then(() => finish('taken'))
      .catch(() => finish('void'))
  }, [code, queries])
  return link
}

/** Whether a session has ended without the user's doing. What it showed is then forgotten. */
export function useEndedSession(): { readonly isEnded: boolean; readonly forget: () => void } {
  const queries = useQueryClient()
  const [isEnded, setEnded] = useState(false)
  useEffect(
    () =>
      onSessionChange((change) => {
        setEnded(change === 'ended')
        // Who begins a session asks anew in the same step.
        if (change !== 'begun') void queries.resetQueries()
      }),
    [queries],
  )
  return { isEnded, forget: () => setEnded(false) }
}

/**
 * Begins a session. Half of it is in the server's cookie, the other half is kept for this origin; the key itself is
 * kept nowhere.
 */
async function logIn(login: Login): Promise<void> {
  const response = await fetch('/console/session', {
    method: 'POST',
    headers: { ...headersWith(savedHalf()), 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  const told = Object(await response.json().catch(() => undefined)) as {
    readonly session?: string
    readonly error?: { readonly code: string; readonly message: string; readonly fix: string }
  }
  if (!response.ok || told.session === undefined)
    throw new ApiError(
      response.status,
      told.error ?? {
        code: 'unknown',
        message: `The server answered with status ${response.status}.`,
        fix: 'Try again.',
      },
    )
  localStorage.setItem(place, told.session)
  tell('begun')
}

/** The page has forgotten its half when this returns; the promise is for the server's part. */
async function logOut(): Promise<void> {
  const headers = headersWith(savedHalf())
  localStorage.removeItem(place)
  await fetch('/console/session', { method: 'DELETE', headers })
}

/** Asks the API as whoever is logged in. A session that the server refuses is forgotten. */
export async function apiFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const half = savedHalf()
  const request = new Request(input, init)
  for (const [name, value] of Object.entries(headersWith(half))) request.headers.set(name, value)
  const response = await fetch(request)
  // Somebody may have logged in or out while this was under way: then it says nothing of who is logged in now.
  if (response.status === 401 && half !== undefined && savedHalf() === half) {
    localStorage.removeItem(place)
    tell('ended')
  }
  return response
}

/** Calls back when the session changes, until the returned function is called. */
function onSessionChange(heard: (change: SessionChange) => void): () => void {
  const hear = (event: Event): void => heard((event as CustomEvent<SessionChange>).detail)
  const hearTab = ({ key }: StorageEvent): void => {
    if (key === place) heard('elsewhere')
  }
  addEventListener(place, hear)
  addEventListener('storage', hearTab)
  return () => {
    removeEventListener(place, hear)
    removeEventListener('storage', hearTab)
  }
}

/** The code that a link brings, which is then taken out of the address. */
function takeLoginCode(): string | undefined {
  const code = /^#login=([\w-]+)$/.exec(location.hash)?.[1]
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}

/**
 * Where the page's half is kept, and what the window's event is called. Cookies go to every port of a host; this
 * storage is for the console's own.
 */
const place = 'minutebook-session'

/** Undefined if nobody is logged in, or if the browser keeps nothing. */
function savedHalf(): string | undefined {
  try {
    return localStorage.getItem(place) ?? undefined
  } catch {
    return undefined
  }
}

function headersWith(half: string | undefined): Readonly<Record<string, string>> {
  return half === undefined ? {} : { 'minutebook-session': half }
}

function tell(detail: SessionChange): void {
  dispatchEvent(new CustomEvent<SessionChange>(place, { detail }))
}
