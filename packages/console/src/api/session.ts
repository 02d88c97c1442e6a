import { ApiError } from '@minutebook/client'

/** A key, or the code of a link for the local operator. */
export type Login = { readonly key: string } | { readonly code: string }

/** Has the server set its cookie; the key itself is kept nowhere in the page. */
export async function logIn(login: Login): Promise<void> {
  const response = await fetch('/console/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(login) })
  if (response.ok) return void (await response.arrayBuffer())
  const { error } = Object(await response.json().catch(() => undefined)) as { readonly error?: { readonly code: string; readonly message: string; readonly fix: string } }
  throw new ApiError(response.status, error ?? { code: 'unknown', message: `The server answered with status ${response.status}.`, fix: 'Try again.' })
}

export async function logOut(): Promise<void> {
  await fetch('/console/session', { method: 'DELETE' })
}

/** The code that a link brings, which is then taken out of the address. */
export function takeLoginCode(): string | undefined {
  const code = /^#login=([\w-]+)$/.exec(location.hash)?.[1]
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}
