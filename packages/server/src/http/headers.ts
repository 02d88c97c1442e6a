import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { routeOf } from './routes.ts'

/** Headers by lower-case name. */
export type Headers = Record<string, string | string[]>

/** Headers of one connection, not of the message. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])

/**
 * Only between the client and this server: the upstream has its own name, and the origin check has already seen where
 * the request comes from and what it asks for.
 */
const ours: ReadonlySet<string> = new Set([
  'host',
  'expect',
  'origin',
  'referer',
  'cookie',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
])

/**
 * The headers of a request as they go upstream. `key`: the upstream's own key. Without one the client's Authorization
 * is sent, unless keys of ours are in use.
 */
export function upstreamHeaders(
  request: IncomingMessage,
  terms: { readonly key?: string | undefined; readonly forwardAuthorization: boolean },
): Headers {
  const headers: Headers = {}
  const named = namedBy(request.headers.connection)
  for (const [name, value] of Object.entries(request.headers)) {
    if (
      value === undefined ||
      hopByHop.has(name) ||
      ours.has(name) ||
      named.has(name) ||
      name.startsWith('sec-fetch-') ||
      name.startsWith('minutebook-')
    )
      continue
    headers[name] = value
  }
  if (terms.key !== undefined) headers['authorization'] = `Bearer ${terms.key}`
  else if (!terms.forwardAuthorization) delete headers['authorization']
  return headers
}

/**
 * The headers of an upstream's response that go to the client: those about the answer, and no others. They arrive in
 * the origin of the console, so nothing passes with which an upstream could act there: cookies, CORS, reloads, caches
 * to clear.
 */
export function clientHeaders(received: IncomingHttpHeaders): Headers {
  const headers: Headers = {}
  const named = namedBy(received.connection)
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || named.has(name) || !tellsOfAnswer(name)) continue
    if (name !== 'location' || leadsAway(String(value))) headers[name] = value
  }
  // The response to a browser depends on its origin.
  if (typeof headers['vary'] === 'string') headers['vary'] += ', origin'
  return headers
}

/**
 * What clients read of a response: the body's own headers, caching, when to retry, and what providers say of a call.
 */
const answerNames: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-range',
  'content-disposition',
  'accept-ranges',
  'etag',
  'last-modified',
  'cache-control',
  'expires',
  'age',
  'vary',
  'allow',
  'location',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'x-request-id',
  'request-id',
  'apim-request-id',
  'cf-ray',
])

const answerPrefixes: readonly string[] = ['openai-', 'anthropic-', 'x-ratelimit-', 'ratelimit-', 'azureml-', 'x-ms-']

function tellsOfAnswer(name: string): boolean {
  return answerNames.has(name) || answerPrefixes.some((prefix) => name.startsWith(prefix))
}

/** Returns whether a redirect leads away from our own routes, where a client would follow with its key. */
function leadsAway(location: string): boolean {
  if (!URL.canParse(location, anyServer)) return false
  const { kind } = routeOf('GET', new URL(location, anyServer).pathname)
  return kind === 'pass' || kind === 'chat' || kind === 'responses' || kind === 'none'
}

const anyServer = 'http://server.invalid'

function namedBy(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined) return none
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}

const none: ReadonlySet<string> = new Set()

/**
 * On every response; the console has a wider policy of its own. Whatever a response contains, a browser does not run it
 * in our origin, does not guess another type for it, and does not show it in a page.
 */
export const isolation: Readonly<Record<string, string>> = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}
