import type { IncomingMessage, ServerResponse } from 'node:http'

const shown = [
  'thread',
  'turn',
  'receipt',
  'tokens',
  'omitted',
  'reuse',
  'window',
  'recorded',
  'truncated',
  'path',
].map((name) => `minutebook-${name}`)

/** Tells the browser of a page that was let in that it was. */
export function setCors({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('vary', 'origin')
  if (headers.origin === undefined) return
  response.setHeader('access-control-allow-origin', headers.origin)
  response.setHeader('access-control-expose-headers', [...shown, 'x-request-id', 'retry-after'].join(', '))
}

/** A browser's question whether a page may ask. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** Answers it for a page that was let in: it may ask with any method and header. */
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
