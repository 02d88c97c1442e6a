import type { IncomingMessage } from 'node:http'

/** Where the cookie counts: neither the page itself nor the gateway ever sees it. */
const cookiePath = '/minutebook/v1'
/** Seconds: 30 days. */
const longestLife = 2_592_000

/**
 * A cookie that says who asks, for pages of this very server: no script can read it, and no other site can use it. `secret` is
 * a key or the local token; '' ends it.
 *
 * @example
 * response.setHeader('set-cookie', cookieWith(request, key))
 */
export function cookieWith(request: Pick<IncomingMessage, 'headers'>, secret: string): string {
  const isSecure = request.headers['x-forwarded-proto'] === 'https'
  const life = secret === '' ? 0 : longestLife
  return `${nameFor(request)}=${secret}; Path=${cookiePath}; Max-Age=${life}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/** Whether a key can be kept in a cookie. */
export function fitsCookie(secret: string): boolean {
  return /^[A-Za-z0-9_.~+/=-]{1,1000}$/.test(secret)
}

/**
 * What a request of our own page would have sent as its Authorization; undefined where there is no cookie, or where the request
 * comes from another origin: cookies do not tell ports apart, so what another server of this machine sends is turned away here.
 */
export function authorizationIn(request: Pick<IncomingMessage, 'headers' | 'method'>): string | undefined {
  if (request.headers.cookie === undefined || !isOwnPages(request)) return undefined
  const start = `${nameFor(request)}=`
  const found = request.headers.cookie.split(';').map((pair) => pair.trim()).filter((pair) => pair.startsWith(start))
  // Two of one name: somebody else has put one there.
  return found.length === 1 && found[0] !== start ? `Bearer ${found[0]!.slice(start.length)}` : undefined
}

/** Whether a request comes from a page of this very host and port, as far as its browser says. */
export function isOwnPages({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  // Browsers tell no site where a server is plain HTTP under another name than this machine's.
  if (headers.origin === undefined) return method === 'GET' || method === 'HEAD'
  return /^https?:\/\/(.+)$/.exec(headers.origin)?.[1] === headers.host
}

/** Servers on other ports of the same host have cookies of their own. */
function nameFor({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const port = /:(\d{1,5})$/.exec(headers.host ?? '')?.[1]
  return port === undefined ? 'minutebook' : `minutebook-${port}`
}
