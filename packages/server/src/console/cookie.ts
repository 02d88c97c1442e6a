import type { IncomingMessage } from 'node:http'

/** Where the cookie counts: neither the page itself nor the gateway ever sees it. */
const cookiePath = '/minutebook/v1'

/**
 * The `set-cookie` header with one half of a session, for pages of this very server: no script can read it, and no
 * other site can use it. Servers on other ports of the host do get it. An empty value and no life end it.
 *
 * @example
 * response.setHeader('set-cookie', cookieWith(request, session.cookie, sessionLife))
 */
export function cookieWith(request: Pick<IncomingMessage, 'headers'>, half: string, seconds: number): string {
  const [scheme = ''] = String(request.headers['x-forwarded-proto'] ?? '').split(',', 1)
  return `${nameFor(request)}=${half}; Path=${cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${scheme.trim().toLowerCase() === 'https' ? '; Secure' : ''}`
}

/** The half of a session that a request's cookie has; undefined if there is none. */
export function cookieOf(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const start = `${nameFor(request)}=`
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  // Two of one name: somebody else has put one there.
  return found.length === 1 && found[0] !== start ? found[0]!.slice(start.length) : undefined
}

/** Whether a request comes from a page of this very host and port, as far as its browser says. */
export function isOwnPages({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  // Browsers tell no site if a server is plain HTTP under another name than this machine's.
  if (headers.origin === undefined) return method === 'GET' || method === 'HEAD'
  return /^https?:\/\/(.+)$/.exec(headers.origin)?.[1] === headers.host
}

/** Servers on other ports of the same host have cookies of their own. */
function nameFor({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const port = /:(\d{1,5})$/.exec(headers.host ?? '')?.[1]
  return port === undefined ? 'minutebook' : `minutebook-${port}`
}
