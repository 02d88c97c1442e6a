import type { Caller, Scope } from '../config/caller.ts'
import type { ProtocolName } from '../config/settings.ts'
import type { Refusal } from './reply.ts'

/** How a request is handled. `name` is for log and metrics: one of a few. */
export type Route =
  | { readonly kind: 'chat'; readonly name: string; readonly protocol: ProtocolName }
  | { readonly kind: 'count'; readonly name: string; readonly protocol: ProtocolName }
  | { readonly kind: 'pass'; readonly name: string; readonly protocol: ProtocolName }
  | { readonly kind: 'responses'; readonly name: string; readonly protocol: 'openai' }
  | { readonly kind: 'api' | 'console' | 'livez' | 'readyz' | 'metrics' | 'none'; readonly name: string }

/**
 * Decided by the unchanged path alone; for chats also by the method; for responses by which server answers them.
 * Default: this server.
 */
export function routeOf(
  method: string,
  path: string,
  { responses }: { readonly responses?: 'auto' | 'chats' | 'pass' } = {},
): Route {
  const chat = chats.get(path)
  if (chat !== undefined) return { kind: method === 'POST' ? 'chat' : 'pass', name: path, protocol: chat }
  // Some servers read capitals and a trailing slash as the chat itself, which would then go unrecorded.
  if (chats.has(plainest(path))) return none
  if (path === '/')
    return method === 'GET' || method === 'HEAD' ? { kind: 'pass', name: '/', protocol: 'ollama' } : none
  if (isBelow(path, '/minutebook/v1')) return { kind: 'api', name: '/minutebook/v1/*' }
  if (isBelow(path, '/console')) return { kind: 'console', name: '/console' }
  if (path === '/livez') return { kind: 'livez', name: path }
  if (path === '/readyz') return { kind: 'readyz', name: path }
  if (path === '/metrics') return { kind: 'metrics', name: path }
  const stateful = statefuls.find((folder) => isBelow(path, folder))
  if (stateful !== undefined && responses !== 'pass') return { kind: 'responses', name: stateful, protocol: 'openai' }
  if (path === countPath && method === 'POST') return { kind: 'count', name: path, protocol: 'anthropic' }
  if (path.startsWith('/v1/messages/')) return { kind: 'pass', name: '/v1/messages/*', protocol: 'anthropic' }
  if (path.startsWith('/api/')) return { kind: 'pass', name: '/api/*', protocol: 'ollama' }
  if (path.startsWith('/v1/')) return { kind: 'pass', name: '/v1/*', protocol: 'openai' }
  return none
}

const chats: ReadonlyMap<string, ProtocolName> = new Map([
  ['/api/chat', 'ollama'],
  ['/v1/chat/completions', 'openai'],
  ['/v1/messages', 'anthropic'],
])

const countPath = '/v1/messages/count_tokens'

const statefuls: readonly string[] = ['/v1/responses', '/v1/conversations']

const none: Route = { kind: 'none', name: 'other' }

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function plainest(path: string): string {
  return (path.endsWith('/') ? path.slice(0, -1) : path).toLowerCase()
}

/**
 * Every kind of caller. `installation`: its operator. `chats`: a key with `system: false`. `anybody`: a caller of a
 * server without keys.
 */
export type Who = 'installation' | Scope | 'chats' | 'anybody'

/** Everything that can be requested. `upstream`: every other request that is passed on. */
export type Use =
  | 'chat'
  | 'models'
  | 'inference'
  | 'greeting'
  | 'responses'
  | 'read'
  | 'write'
  | 'metrics'
  | 'console'
  | 'upstream'
  | 'nothing'

/**
 * Who may do what. What is not named here is refused. So a new route, or a path that an upstream reads in its own way,
 * is closed until it is opened here. The scope that an operation of the API needs is part of the operation. Without
 * keys the gateway is as open as the upstream next to it, and listens to this machine only.
 */
export const access: Readonly<Record<Use, readonly Who[]>> = {
  chat: ['installation', 'admin', 'app', 'chats', 'anybody'],
  models: ['installation', 'admin', 'app', 'chats', 'anybody'],
  inference: ['installation', 'admin', 'app', 'anybody'],
  responses: ['installation', 'admin', 'app', 'anybody'],
  write: ['installation', 'admin', 'app', 'anybody'],
  read: ['installation', 'admin', 'app', 'viewer', 'anybody'],
  metrics: ['installation', 'admin', 'app', 'viewer', 'anybody'],
  greeting: ['installation', 'admin', 'app', 'viewer', 'anybody'],
  console: ['installation', 'admin', 'app', 'viewer'],
  upstream: ['installation', 'anybody'],
  nothing: ['installation', 'admin', 'app', 'viewer', 'chats', 'anybody'],
}

/** What a request is, as far as access goes. */
export interface Asking {
  readonly method: string
  readonly path: string
  /** '' or '?…'. */
  readonly query?: string
  readonly caller: Caller
}

/**
 * Why a caller may not use a route; undefined if they may.
 *
 * @example
 * const refusal = refusalAt(routeOf('POST', '/api/pull'), { method: 'POST', path: '/api/pull', caller })
 */
export function refusalAt(route: Route, { method, path, query = '', caller }: Asking): Refusal | undefined {
  // How an upstream reads a query is not known here.
  if (whoIs(caller) === 'chats' && query !== '') return onlyChats
  return refusedUse(useOf(route, method, path), caller)
}

/** Why a caller may not do this; undefined if they may. */
export function refusedUse(use: Use | undefined, caller: Caller): Refusal | undefined {
  const who = whoIs(caller)
  const allowed = use === undefined ? [] : access[use]
  if (allowed.includes(who)) return undefined
  if (who === 'chats') return onlyChats
  if (who === 'anybody') return noToken
  return {
    status: 403,
    code: 'forbidden',
    problem: `A key with the scope ${who} may not do this.`,
    fix: `${wayIn(allowed)}`,
  }
}

/** The kind of a caller in the table. */
export function whoIs({ scope, shown, system, installation }: Caller): Who {
  if (system === false) return 'chats'
  if (installation === true) return 'installation'
  return shown === 'nothing' ? 'anybody' : scope
}

function useOf(route: Route, method: string, path: string): Use | undefined {
  const isReading = method === 'GET' || method === 'HEAD'
  switch (route.kind) {
    case 'chat':
    case 'responses':
    case 'metrics':
    case 'console':
      return route.kind
    case 'count':
      return 'inference'
    case 'api':
      return isReading ? 'read' : 'write'
    case 'none':
      return 'nothing'
    case 'pass':
      return (
        (isReading ? readings : method === 'POST' ? inferences : undefined)?.get(path) ??
        (isReading && path.startsWith('/v1/models/') ? 'models' : 'upstream')
      )
    default:
      // `/livez` and `/readyz` are answered before a key is required.
      return undefined
  }
}

/**
 * Requests that only read. Everything else that an upstream keeps (files, stored answers, batches) belongs to all of
 * its users.
 */
const readings: ReadonlyMap<string, Use> = new Map([
  ['/', 'greeting'],
  ['/api/tags', 'models'],
  ['/v1/models', 'models'],
  ['/api/ps', 'inference'],
  ['/api/version', 'inference'],
])

/** Paths of model calls. Chats have a route of their own, and so have responses unless the upstream answers them. */
const inferences: ReadonlyMap<string, Use> = new Map(
  [
    '/api/generate',
    '/api/embed',
    '/api/embeddings',
    '/api/show',
    '/v1/completions',
    '/v1/embeddings',
    '/v1/moderations',
    '/v1/rerank',
    '/v1/images/generations',
    '/v1/audio/speech',
    '/v1/audio/transcriptions',
    '/v1/audio/translations',
    '/v1/responses',
  ].map((path) => [path, 'inference']),
)

/** What would be enough. */
function wayIn(allowed: readonly Who[]): string {
  const smallest = (['viewer', 'app', 'admin'] as const).find((scope) => allowed.includes(scope))
  if (smallest !== undefined)
    return `Use a key with the scope ${smallest}, or the minutebook command on the machine of the server.`
  return 'Only the operator of the installation may do this. Use the token in server.json on the machine of the server, or a key of the settings with "installation: true".'
}

const onlyChats: Refusal = {
  status: 403,
  code: 'only_chats',
  problem:
    'This key is only for chats: POST /api/chat, /v1/chat/completions or /v1/messages and the lists of models, without a query.',
  fix: 'Use another key, or remove "system: false" from the settings of this key.',
}

const noToken: Refusal = {
  status: 401,
  code: 'unauthorized',
  problem: 'Only the operator may do this.',
  fix: 'Use the minutebook command on the machine of the server, or send the token in its server.json as "Authorization: Bearer …".',
  headers: { 'www-authenticate': 'Bearer' },
}
