import { ApiError } from '@minutebook/client'

/** A key, or the code of a link for the local operator. */
export type Login = { readonly key: string } | { readonly code: string }

/** What becomes of the session: it begins, the server does not take it any more, or another tab logs in or out. */
export type SessionChange = 'begun' | 'ended' | 'elsewhere'

/**
 * Begins a session. Half of it is in the server's cookie, the other half is kept for this origin; the key itself is
 * kept nowhere.
 */
export async function logIn(login: Login): Promise<void> {
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
export async function logOut(): Promise<void> {
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
export function onSessionChange(heard: (change: SessionChange) => void): () => void {
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
export function takeLoginCode(): string | undefined {
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
