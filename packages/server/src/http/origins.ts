import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { isLoopback } from '../config/conflicts.ts'
import type { Refusal } from './reply.ts'
import type { Route } from './routes.ts'

/** Decides from where the server may be used. */
export interface OriginCheck {
  /** Why a request is refused; undefined if it is not. */
  check(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>, aim: RequestAim): Refusal | undefined
}

/** What a request is for. */
export interface RequestAim {
  readonly route: Pick<Route, 'kind' | 'name'>
  /** Host and port, if the request line names them. */
  readonly authority?: string | undefined
}

/**
 * Accepts requests that call the server by one of its own names. Web pages of such a name may chat, as they may with
 * the model server itself. Only pages of this very server may read the record. Pages in `allowOrigins` may do both. So
 * a page of another site, or a foreign name that points at this machine, is refused. Nothing that comes from an
 * upstream can be opened as a page or loaded into one.
 *
 * @example
 * const refusal = createOriginCheck(config).check(request, { route, authority: target.authority })
 */
export function createOriginCheck({
  allowHosts,
  allowOrigins,
}: {
  readonly allowHosts: readonly string[]
  readonly allowOrigins: readonly string[]
}): OriginCheck {
  const hosts = new Set(allowHosts.map((host) => bare(host.toLowerCase())))
  const origins = new Set(allowOrigins)
  const isOurs = (host: string | undefined): boolean => host !== undefined && (isLoopback(host) || hosts.has(host))
  const isNamed = (origin: string): boolean => origins.has(origin) || origins.has(anyOf(origin))
  const refusedPage = (
    { origin, host, ...headers }: IncomingHttpHeaders,
    { kind, name }: RequestAim['route'],
  ): Refusal | undefined => {
    const [site, destination = 'empty'] = [headers['sec-fetch-site'], headers['sec-fetch-dest']]
    const isChosen = origin !== undefined && isNamed(origin)
    const isNear = origin === undefined || isOurs(hostOfOrigin(origin))
    if (kind === 'console') return isChosen || isNear ? undefined : foreignOrigin
    if (kind === 'api' || kind === 'metrics')
      return isChosen || isOwn({ origin, site, host }) ? undefined : foreignRecord
    // The address that people open to see whether a server is there: this server answers it itself.
    if (name === '/' && destination === 'document') return undefined
    // A page that needs no answer sends no origin.
    if (!isChosen && (!isNear || (origin === undefined && site === 'cross-site'))) return foreignOrigin
    return destination === 'empty' ? undefined : noPage
  }
  return {
    check: ({ headers, rawHeaders }, { authority, route }) => {
      if (countOf(rawHeaders, 'host') !== 1) return noHost
      const host = hostOf(headers.host ?? '')
      if (!isOurs(host) || (authority !== undefined && !isOurs(hostOf(authority)))) return foreignHost
      return refusedPage(headers, route)
    },
  }
}

/** Returns whether a request comes from a page of this host and port, from its user, or from no browser at all. */
function isOwn({
  origin,
  site,
  host,
}: {
  readonly origin: string | undefined
  readonly site: string | string[] | undefined
  readonly host: string | undefined
}): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  // Browsers send no Sec-Fetch-Site to a plain HTTP server, unless it is this machine.
  return origin === undefined || authorityOf(origin) === host
}

/** The name or address of a host with any port; undefined if the value is neither. */
function hostOf(value: string): string | undefined {
  const [, name] = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{0,5})?$/.exec(value) ?? []
  return name === undefined ? undefined : bare(name.toLowerCase())
}

function hostOfOrigin(origin: string): string | undefined {
  const authority = authorityOf(origin)
  return authority === undefined ? undefined : hostOf(authority)
}

function authorityOf(origin: string): string | undefined {
  return /^https?:\/\/([^/?#]+)$/.exec(origin)?.[1]
}

/** How the settings write all origins of an app's own scheme; '' for web origins. */
function anyOf(origin: string): string {
  const end = origin.indexOf('://')
  return end < 0 || /^https?$/i.test(origin.slice(0, end)) ? '' : `${origin.slice(0, end)}://*`
}

function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

function countOf(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length
}

const noHost: Refusal = {
  status: 400,
  code: 'bad_host',
  problem: 'A request must have exactly one Host header.',
  fix: 'Send exactly one.',
}

const foreignHost: Refusal = {
  status: 403,
  code: 'foreign_host',
  problem: 'This server does not accept requests for this host name.',
  fix: 'Use localhost or 127.0.0.1, or add the name to allowHosts (--allow-host, MINUTEBOOK_ALLOW_HOSTS). From a container: listen with --host 0.0.0.0, which needs a key, and --allow-host host.docker.internal.',
}

const foreignOrigin: Refusal = {
  status: 403,
  code: 'foreign_origin',
  problem: 'Web pages of this origin may not send requests to the server.',
  fix: 'To allow this origin, add it to allowOrigins (MINUTEBOOK_ALLOW_ORIGINS).',
}

const foreignRecord: Refusal = {
  status: 403,
  code: 'foreign_origin',
  problem: 'Only web pages of this server may read and change the record.',
  fix: 'To allow it to another page, add the origin of that page to allowOrigins (--allow-origin, MINUTEBOOK_ALLOW_ORIGINS).',
}

const noPage: Refusal = {
  status: 403,
  code: 'not_a_page',
  problem: 'A browser may not open an answer of the model server as a page, nor load it into one.',
  fix: 'Request it with fetch or curl. The console is at /console.',
}

/** What a page of another origin can read of an answer. A test compares it with all that there are. */
const shown = [
  'thread',
  'turn',
  'receipt',
  'tokens',
  'omitted',
  'cache',
  'window',
  'recorded',
  'ignored',
  'estimated',
].map((name) => `minutebook-${name}`)

/** Tells the browser that the page's origin is allowed. */
export function setCors({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('vary', 'origin')
  if (headers.origin === undefined) return
  response.setHeader('access-control-allow-origin', headers.origin)
  response.setHeader('access-control-expose-headers', [...shown, 'x-request-id', 'retry-after'].join(', '))
}

/** A CORS preflight request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** Answers a preflight of an allowed page: it may use any method and header. */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const wanted = headers['access-control-request-headers'] ?? ''
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-max-age': '600',
    ...(wanted !== '' && /^[A-Za-z0-9_, -]*$/.test(wanted) && { 'access-control-allow-headers': wanted }),
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  })
  response.end()
}
