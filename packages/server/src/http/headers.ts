import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ProtocolName, UpstreamConfig } from '../config/settings.ts'
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

/** The key of a request, in the form of Authorization: clients of Anthropic's protocol send it as `x-api-key`. */
export function keyIn({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  return authorization ?? (typeof key === 'string' ? `Bearer ${key}` : undefined)
}

/** The version of Anthropic's protocol that the server speaks if it asks itself. */
export const anthropicVersion = '2023-06-01'

/** The headers with which an upstream gets its key. A hosted API takes one of the two, and local servers either. */
export function keyHeaders(
  { key, protocol: spoken }: Pick<UpstreamConfig, 'key' | 'protocol'>,
  protocol?: ProtocolName,
): Record<string, string> {
  if (key === undefined) return {}
  return {
    ...(spoken !== 'anthropic' && { authorization: `Bearer ${key}` }),
    ...((spoken ?? protocol) === 'anthropic' && { 'x-api-key': key }),
  }
}

/** The headers of a question that the server itself asks an upstream: its key, and the version if that is required. */
export function questionHeaders(upstream: Pick<UpstreamConfig, 'key' | 'protocol'>): Record<string, string> {
  return {
    ...keyHeaders(upstream),
    ...(upstream.protocol === 'anthropic' && { 'anthropic-version': anthropicVersion }),
  }
}

/**
 * The headers of a request as they go upstream. `keys`: the upstream's own. Without them the client's key is sent,
 * unless keys of ours are in use.
 */
export function upstreamHeaders(
  request: IncomingMessage,
  terms: { readonly keys: Headers; readonly forwardAuthorization: boolean },
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
  const hasOwn = Object.keys(terms.keys).length > 0
  if (hasOwn || !terms.forwardAuthorization) {
    delete headers['authorization']
    delete headers['x-api-key']
  }
  return { ...headers, ...terms.keys }
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
