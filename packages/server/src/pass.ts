import type { IncomingMessage } from 'node:http'
import { clientHeaders, upstreamHeaders, type Headers } from './headers.ts'
import type { ProtocolName } from './protocol-name.ts'
import { refuse } from './refusal.ts'
import type { Services } from './services.ts'
import type { Upstream } from './upstream.ts'
import type { Visit } from './visit.ts'

/** What is passed on, and where to. */
export interface Passing {
  readonly protocol: ProtocolName
  /** The first that speaks the protocol unless told. */
  readonly upstream?: Upstream | undefined
  /** The body where it was read already. */
  readonly body?: Uint8Array | undefined
  /** Added to the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Sends a request on and its response back, both as they come and unread. Resolves when the response is over.
 *
 * @example
 * await pass(visit, services, { protocol: 'ollama' })
 */
export function pass(visit: Visit, services: Services, passing: Passing): Promise<void> {
  const { request, response } = visit
  const { protocol, headers: added, body = hasBody(request) ? request : undefined } = passing
  const upstream = passing.upstream ?? services.upstreams.choose(protocol)
  visit.tell({ mode: 'passed' })
  if (response.closed) return Promise.resolve()
  if (!upstream) {
    refuse(response, services.upstreams.missing(protocol), protocol)
    return Promise.resolve()
  }
  const path = visit.path + visit.query
  const headers = forwardedHeaders(visit, upstream)
  let hasBegun = false
  return new Promise((resolve) => {
    const call = services.caller.call(
      { upstream, method: request.method ?? 'GET', path, headers, body },
      {
        head: (status, received) => {
          response.writeHead(status, { ...clientHeaders(received), ...added })
          // The head and the beginning of the body mostly come together, and then go out together.
          setImmediate(() => {
            if (!hasBegun) response.flushHeaders()
          })
        },
        data: (bytes) => {
          hasBegun = true
          return response.write(bytes)
        },
        end: () => {
          hasBegun = true
          response.end()
        },
        failed: (failure) => {
          services.metrics.upstreamFailed(failure.code)
          visit.tell({ code: failure.code })
          refuse(response, failure, protocol)
        },
      },
    )
    response.on('drain', () => call.resume())
    response.on('close', () => {
      if (!response.writableFinished) call.abort()
      resolve()
    })
  })
}

/** The headers of a visit as they go to an upstream: with its own key, or with the client's where that is not ours. */
export function forwardedHeaders({ request, caller }: Visit, upstream: Upstream): Headers {
  const headers = upstreamHeaders(request, { key: upstream.key, forwardAuthorization: caller.shown === 'nothing' })
  return caller.system === false ? onlyPlain(headers) : headers
}

/** Some servers take addresses, templates and the like from headers: of a key for chats alone only these go on. */
function onlyPlain(headers: Headers): Headers {
  const plain = Object.fromEntries(Object.entries(headers).filter(([name]) => plainHeaders.has(name)))
  return 'content-type' in plain ? { ...plain, 'content-type': 'application/json' } : plain
}

const plainHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'content-length',
  'content-type',
  'user-agent',
])

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
