import type { IncomingMessage } from 'node:http'
import type { ProtocolName } from '../config/settings.ts'
import { readBody } from '../http/body.ts'
import { clientHeaders, keyHeaders, upstreamHeaders, type Headers } from '../http/headers.ts'
import { refuse, type Refusal } from '../http/reply.ts'
import type { Visit } from '../http/http.ts'
import type { Services } from '../services.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** What is passed on, and to which upstream. */
interface Passing {
  readonly protocol: ProtocolName
  /** Default: the first that speaks the protocol. */
  readonly upstream?: Upstream | undefined
  /** The body, if it was read already. */
  readonly body?: Uint8Array | undefined
  /** Added to the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Sends a request on and its response back, both unread and as they come. Resolves when the response is over.
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
  const headers = {
    ...forwardedHeaders(visit, upstream, protocol),
    ...(passing.body && { 'content-length': String(passing.body.length) }),
  }
  let hasBegun = false
  return new Promise((resolve) => {
    const call = services.upstreamClient.call(
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

/**
 * The headers of a request as they go to an upstream: with the upstream's own key, or with the client's if that is not
 * ours.
 */
export function forwardedHeaders({ request, caller }: Visit, upstream: Upstream, protocol: ProtocolName): Headers {
  const keys = keyHeaders(upstream, protocol)
  const headers = upstreamHeaders(request, { keys, forwardAuthorization: caller.shown === 'nothing' })
  return caller.system === false ? onlyPlain(headers) : headers
}

/** Some servers take addresses, templates and the like from headers: for a key for chats alone only these are sent. */
function onlyPlain(headers: Headers): Headers {
  const plain = Object.fromEntries(Object.entries(headers).filter(([name]) => plainHeaders.has(name)))
  return 'content-type' in plain ? { ...plain, 'content-type': 'application/json' } : plain
}

const plainHeaders: ReadonlySet<string> = new Set([
  'anthropic-version',
  'accept',
  'accept-encoding',
  'authorization',
  'content-length',
  'content-type',
  'user-agent',
  'x-api-key',
])

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * The protocol of a request that is passed on. Lists of models have the same path in two protocols: clients of
 * Anthropic's say with a header that they speak it.
 */
export function passedProtocol({ path, request }: Visit, byPath: ProtocolName, { upstreams }: Services): ProtocolName {
  const isList = path === '/v1/models' || path.startsWith(modelPrefix)
  const isAnthropic = isList && request.headers['anthropic-version'] !== undefined
  return isAnthropic && upstreams.choose('anthropic') ? 'anthropic' : byPath
}

/** The upstream of a request that is passed on, and its body if that had to be read to choose. */
export type PickedUpstream =
  | Pick<Passing, 'upstream' | 'body'>
  | { readonly refusal: Refusal }
  | { readonly gone: true }

/**
 * If only one upstream speaks the protocol, it gets everything unread. If there are several, the model decides. It is
 * read from the path or, if that is not too long, from the body, which goes on byte for byte. The first upstream gets
 * requests that name no model.
 */
export async function upstreamFor(
  visit: Visit,
  protocol: ProtocolName,
  { upstreams, config }: Services,
): Promise<PickedUpstream> {
  if (!upstreams.areSeveral(protocol)) return {}
  const inPath = modelInPath(visit.path)
  if (inPath !== undefined) return toward(upstreams.choose(protocol, inPath), upstreams.missing(protocol, inPath))
  if (!mayNameModel(visit, config.bodyLimit)) return {}
  const body = await readBody(visit.request, { limit: config.bodyLimit, hold: visit.hold })
  if (!('bytes' in body)) return body
  const model = modelInBody(body.bytes)
  if (model === undefined) return { body: body.bytes }
  return { ...toward(upstreams.choose(protocol, model), upstreams.missing(protocol, model)), body: body.bytes }
}

function toward(upstream: Upstream | undefined, refusal: Refusal): PickedUpstream {
  return upstream ? { upstream } : { refusal }
}

const modelPrefix = '/v1/models/'

function modelInPath(path: string): string | undefined {
  if (!path.startsWith(modelPrefix)) return undefined
  try {
    return decodeURIComponent(path.slice(modelPrefix.length))
  } catch {
    return undefined
  }
}

/** Files and bodies without a length may be endless. curl says "form" if the user did not say what it sends. */
function mayNameModel({ request }: Visit, limit: number): boolean {
  const { 'content-length': length = '0', 'content-type': type = 'json' } = request.headers
  return Number(length) > 0 && Number(length) <= limit && (type.includes('json') || type.includes('form-urlencoded'))
}

/** Ollama's older requests name the model differently. */
function modelInBody(bytes: Buffer): string | undefined {
  try {
    const { model, name, source } = JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>>
    return [model, name, source].find((value) => typeof value === 'string')
  } catch {
    return undefined
  }
}
