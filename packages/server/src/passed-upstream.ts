import { readBody } from './body.ts'
import type { Passing } from './pass.ts'
import type { ProtocolName } from './protocol-name.ts'
import type { Refusal } from './refusal.ts'
import type { Services } from './services.ts'
import type { Upstream } from './upstream.ts'
import type { Visit } from './visit.ts'

/** Where a request that is passed on goes, and its body where that had to be read to know. */
export type Direction = Pick<Passing, 'upstream' | 'body'> | { readonly refusal: Refusal } | { readonly gone: true }

/**
 * Where one upstream speaks the protocol, it gets everything unread. Where there are several, the model decides: it is
 * read from the path or, if that is not too long, from the body, which goes on byte for byte; the first gets what names
 * none.
 */
export async function directionOf(
  visit: Visit,
  protocol: ProtocolName,
  { upstreams, config }: Services,
): Promise<Direction> {
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

function toward(upstream: Upstream | undefined, refusal: Refusal): Direction {
  return upstream ? { upstream } : { refusal }
}

function modelInPath(path: string): string | undefined {
  const prefix = '/v1/models/'
  if (!path.startsWith(prefix)) return undefined
  try {
    return decodeURIComponent(path.slice(prefix.length))
  } catch {
    return undefined
  }
}

/** Files and what comes without a length may be endless. curl says "form" where nobody said what it sends. */
function mayNameModel({ request }: Visit, limit: number): boolean {
  const { 'content-length': length = '0', 'content-type': type = 'json' } = request.headers
  return Number(length) > 0 && Number(length) <= limit && (type.includes('json') || type.includes('form-urlencoded'))
}

/** Ollama's older requests have the model under other names. */
function modelInBody(bytes: Buffer): string | undefined {
  try {
    const { model, name, source } = JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>>
    return [model, name, source].find((value) => typeof value === 'string')
  } catch {
    return undefined
  }
}
