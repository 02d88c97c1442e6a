import type { Caller } from './caller.ts'
import type { Refusal } from './refusal.ts'
import type { Route } from './route.ts'
import { isWithin, type Scope } from './scope.ts'

/**
 * Why a caller may not take a route; undefined where they may. Without keys the gateway is as open as the upstream beside it;
 * the record is not.
 *
 * @example
 * const refusal = refusedAt(routeOf('POST', '/api/pull'), { method: 'POST', path: '/api/pull', caller })
 */
export function refusedAt(route: Route, { method, path, caller }: { readonly method: string; readonly path: string; readonly caller: Caller }): Refusal | undefined {
  if (caller.system === false && route.kind !== 'chat' && !looks.has(method)) return onlyChats
  return route.kind === 'pass' && caller.shown === 'nothing' ? undefined : forbidden(caller, scopeFor(route, method, path))
}

/**
 * What is not named here needs an operator: so a route that somebody adds, and a path that an upstream reads in a way of its
 * own, is closed until it is opened.
 */
function scopeFor(route: Route, method: string, path: string): Scope {
  const isReading = method === 'GET' || method === 'HEAD'
  switch (route.kind) {
    case 'api':
      // Which scope each of its operations needs stands with the operation.
      return isReading ? 'viewer' : 'app'
    case 'metrics':
    case 'none':
      return 'viewer'
    case 'chat':
    case 'responses':
      return 'app'
    case 'pass':
      if (path === '/') return 'viewer'
      return (isReading ? isReadByApps(path) : method === 'POST' && inference.has(path)) ? 'app' : 'operator'
    default:
      return 'operator'
  }
}

/** Why somebody with that key may not do what needs this scope. */
export function forbidden({ scope, shown }: Caller, needed: Scope): Refusal | undefined {
  if (isWithin(scope, needed)) return undefined
  return shown === 'nothing' ? noToken : { ...tooSmall, message: `A key with the scope ${scope} may not do this. Use one with the scope ${needed}, or the minutebook command on the machine of the server.` }
}

/** What a model is asked with. The record of chats begins elsewhere: `chat` routes are not among these. */
const inference: ReadonlySet<string> = new Set([
  '/api/generate', '/api/embed', '/api/embeddings', '/api/show',
  '/v1/completions', '/v1/embeddings', '/v1/moderations', '/v1/rerank', '/v1/images/generations',
  '/v1/audio/speech', '/v1/audio/transcriptions', '/v1/audio/translations',
])

/** Which models there are. What else an upstream keeps (files, stored answers, batches) is of all who use it: for operators. */
function isReadByApps(path: string): boolean {
  return ['/api/tags', '/api/ps', '/api/version', '/v1/models'].includes(path) || path.startsWith('/v1/models/')
}

/** Methods that bring nothing along. */
const looks: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

const onlyChats: Refusal = {
  status: 403,
  code: 'only_chats',
  message: 'This key is for chats alone: it may send no system messages, and other requests could hold some. Use another key, or take "system: false" off this one.',
}

const tooSmall = { status: 403, code: 'forbidden' }

const noToken: Refusal = {
  status: 401,
  code: 'unauthorized',
  message: 'This is for the operator alone. Use the minutebook command on the machine of the server, or send the token of its server.json as "Authorization: Bearer …".',
  headers: { 'www-authenticate': 'Bearer' },
}
