import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** Headers by lower-case name. */
export type Headers = Record<string, string | string[]>

/** What belongs to one connection and not to the message. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings',
])

/** Between the client and us alone: the upstream has its own name, and the guard has seen where the request came from and what it asks for. */
const ours: ReadonlySet<string> = new Set(['host', 'expect', 'origin', 'referer', 'cookie', 'x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-url', 'x-rewrite-url'])

/**
 * The headers of a request as they go upstream. `key`: what the upstream wants to see; without one the client's
 * Authorization goes along, unless keys of ours are in use.
 */
export function upstreamHeaders(request: IncomingMessage, terms: { readonly key?: string | undefined; readonly forwardAuthorization: boolean }): Headers {
  const headers: Headers = {}
  const named = namedBy(request.headers.connection)
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || hopByHop.has(name) || ours.has(name) || named.has(name) || name.startsWith('sec-fetch-') || name.startsWith('minutebook-')) continue
    headers[name] = value
  }
  if (terms.key !== undefined) headers['authorization'] = `Bearer ${terms.key}`
  else if (!terms.forwardAuthorization) delete headers['authorization']
  return headers
}

/** The headers of an upstream's response as they go to the client: CORS is ours to say. */
export function clientHeaders(received: IncomingHttpHeaders): Headers {
  const headers: Headers = {}
  const named = namedBy(received.connection)
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || hopByHop.has(name) || named.has(name) || name.startsWith('access-control-') || name.startsWith('minutebook-')) continue
    headers[name] = value
  }
  // What we say to browsers depends on where they come from.
  if (typeof headers['vary'] === 'string') headers['vary'] += ', origin'
  return headers
}

function namedBy(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined) return none
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}

const none: ReadonlySet<string> = new Set()
