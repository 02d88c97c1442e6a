import type { ProtocolName } from './protocol-name.ts'

/** What is done with a request. `name` is for log and metrics: one of a few. */
export type Route =
  | { readonly kind: 'chat'; readonly name: string; readonly protocol: ProtocolName }
  | { readonly kind: 'pass'; readonly name: string; readonly protocol: ProtocolName }
  | { readonly kind: 'responses'; readonly name: string; readonly protocol: 'openai' }
  | { readonly kind: 'api' | 'console' | 'livez' | 'readyz' | 'metrics' | 'none'; readonly name: string }

/**
 * Decided by the path alone, as it came; for chats by the method; for responses by who answers them. Default: this
 * server.
 */
export function routeOf(
  method: string,
  path: string,
  { responses = 'ours' }: { readonly responses?: 'ours' | 'pass' } = {},
): Route {
  const chat = chats.get(path)
  if (chat !== undefined) return { kind: method === 'POST' ? 'chat' : 'pass', name: path, protocol: chat }
  // Some servers read capitals and a slash at the end as the chat itself, which then nobody would record.
  if (chats.has(plainest(path))) return none
  if (path === '/')
    return method === 'GET' || method === 'HEAD' ? { kind: 'pass', name: '/', protocol: 'ollama' } : none
  if (isBelow(path, '/minutebook/v1')) return { kind: 'api', name: '/minutebook/v1/*' }
  if (isBelow(path, '/console')) return { kind: 'console', name: '/console' }
  if (path === '/livez') return { kind: 'livez', name: path }
  if (path === '/readyz') return { kind: 'readyz', name: path }
  if (path === '/metrics') return { kind: 'metrics', name: path }
  const stateful = statefuls.find((folder) => isBelow(path, folder))
  if (stateful !== undefined && responses === 'ours') return { kind: 'responses', name: stateful, protocol: 'openai' }
  if (path.startsWith('/api/')) return { kind: 'pass', name: '/api/*', protocol: 'ollama' }
  if (path.startsWith('/v1/')) return { kind: 'pass', name: '/v1/*', protocol: 'openai' }
  return none
}

const chats: ReadonlyMap<string, ProtocolName> = new Map([
  ['/api/chat', 'ollama'],
  ['/v1/chat/completions', 'openai'],
])

const statefuls: readonly string[] = ['/v1/responses', '/v1/conversations']

const none: Route = { kind: 'none', name: 'other' }

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function plainest(path: string): string {
  return (path.endsWith('/') ? path.slice(0, -1) : path).toLowerCase()
}
