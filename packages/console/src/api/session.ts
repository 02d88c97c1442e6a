import { readError } from '@minutebook/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** A key, or the code of a link for the local operator. */
type Login = { readonly key: string } | { readonly code: string }

/** The session begins, the server refuses it, or another tab logs in or out. */
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
    // Both at once, so no request in between counts as one of an ended session. If the server does not hear of it, the
    // session expires.
    logOut().catch(() => undefined)
    void queries.resetQueries()
  }
}

/** Logs in with the code in the address, if there is one. `void`: the code was used before or is too old. */
export function useLinkLogin(): 'trying' | 'none' | 'taken' | 'void' {
  const queries = useQueryClient()
  const [code] = useState(takeLoginCode)
  const [link, setLink] = useState<ReturnType<typeof useLinkLogin>>(code === undefined ? 'none' : 'trying')
  useEffect(() => {
    if (code === undefined) return
    // Runs twice in development. A code works once, and the second try changes nothing.
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

/** Whether a session has ended without a logout. What it showed is then forgotten. */
export function useEndedSession(): { readonly isEnded: boolean; readonly forget: () => void } {
  const queries = useQueryClient()
  const [isEnded, setEnded] = useState(false)
  useEffect(
    () =>
      onSessionChange((change) => {
        setEnded(change === 'ended')
        // A login resets the queries itself.
        if (change !== 'begun') void queries.resetQueries()
      }),
    [queries],
  )
  return { isEnded, forget: () => setEnded(false) }
}

/**
 * Begins a session. Half of it is in the server's cookie, half in the storage of this origin. The key is stored
 * nowhere.
 */
async function logIn(login: Login): Promise<void> {
  const response = await fetch('/console/session', {
    method: 'POST',
    headers: { ...headersWith(savedHalf()), 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  const answer = Object(await response.json().catch(() => undefined)) as {
    readonly session?: string
  }
  if (!response.ok || answer.session === undefined) throw readError(response.status, answer, 'Try again.')
  localStorage.setItem(place, answer.session)
  tell('begun')
}

/** Forgets the page's half at once. The promise is for the server's half. */
async function logOut(): Promise<void> {
  const headers = headersWith(savedHalf())
  localStorage.removeItem(place)
  await fetch('/console/session', { method: 'DELETE', headers })
}

/** `fetch` with the session of the current user. A session that the server refuses is forgotten. */
export async function apiFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const half = savedHalf()
  const request = new Request(input, init)
  for (const [name, value] of Object.entries(headersWith(half))) request.headers.set(name, value)
  const response = await fetch(request)
  // If the user logged in or out during the request, the 401 is about the old session.
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

/** The login code in the address. It is removed from the address at once. */
function takeLoginCode(): string | undefined {
  const code = /^#login=([\w-]+)$/.exec(location.hash)?.[1]
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}

/**
 * The key in local storage and the name of the window's event. Unlike a cookie, local storage is separate for each
 * port.
 */
const place = 'minutebook-session'

/** Whether a person logged in here before. The session may be over. */
export function hasSession(): boolean {
  return savedHalf() !== undefined
}

/** Undefined if no person is logged in, or without local storage. */
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
