import { countTools, messageTokens, overheadOf } from 'minutebook/inspect'
import { Buffer } from 'node:buffer'
import { setImmediate as pause } from 'node:timers/promises'
import { readBody } from '../http/body.ts'
import { clientHeaders, type Headers } from '../http/headers.ts'
import { refuse, type Refusal } from '../http/reply.ts'
import type { Visit } from '../http/http.ts'
import { anthropic, isUnserved } from '../protocol/anthropic.ts'
import type { Services } from '../services.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { forwardedHeaders } from './pass.ts'
import { readRequest, type ChatRequest } from './request.ts'

/**
 * Answers how many tokens a request of Anthropic's protocol has: the upstream's own count. If the upstream does not
 * serve that path, the answer is an estimate, and the header `minutebook-estimated` says so.
 */
export async function countTokens(visit: Visit, services: Services): Promise<void> {
  const { request, response } = visit
  const body = await readBody(request, { limit: services.config.bodyLimit, hold: visit.hold })
  if ('gone' in body) return
  const refused = (refusal: Refusal): void => {
    visit.tell({ code: refusal.code })
    if (!response.destroyed) refuse(response, refusal, 'anthropic')
  }
  if ('refusal' in body) return refused(body.refusal)
  const read = readRequest(body.bytes, anthropic)
  if (read.kind === 'refused') return refused(read.refusal)
  const model = read.kind === 'chat' ? read.request.model : read.model
  const upstream = services.upstreams.choose('anthropic', model)
  if (!upstream) return refused(services.upstreams.missing('anthropic', model))
  visit.tell({ mode: 'passed' })
  const told = await askUpstream(visit, services, upstream, body.bytes)
  if ('code' in told) {
    services.metrics.upstreamFailed(told.code)
    return refused(told)
  }
  if (response.destroyed) return
  if (!isUnserved(told.status) || read.kind !== 'chat') {
    const unserved = anthropic.unserved?.(told.status, told.bytes)
    if (unserved) return refused(unserved)
    response.writeHead(told.status, { ...told.headers, 'content-length': told.bytes.length })
    response.end(told.bytes)
    return
  }
  const estimate = Buffer.from(JSON.stringify({ input_tokens: await estimated(visit, services, read.request) }))
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': estimate.length,
    'minutebook-estimated': 'yes',
  })
  response.end(estimate)
}

interface Told {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

function askUpstream(
  visit: Visit,
  { upstreamClient }: Services,
  upstream: Upstream,
  body: Buffer,
): Promise<Told | Refusal> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let head: Pick<Told, 'status' | 'headers'> = { status: 0, headers: {} }
    let length = 0
    const headers = {
      ...forwardedHeaders(visit, upstream, 'anthropic'),
      'accept-encoding': 'identity',
      'content-length': String(body.length),
    }
    const over = (): void => resolve({ ...head, bytes: Buffer.concat(pieces) })
    const call = upstreamClient.call(
      { upstream, method: 'POST', path: visit.path + visit.query, headers, body },
      {
        head: (status, received) => {
          head = { status, headers: clientHeaders(received) }
        },
        data: (bytes) => {
          length += bytes.length
          if (length <= longestCount) return pieces.push(bytes) > 0
          call.abort()
          over()
          return false
        },
        end: over,
        failed: resolve,
      },
    )
    visit.response.on('close', () => {
      call.abort()
      over()
    })
  })
}

/** Bytes of an answer that says how many tokens there are. */
const longestCount = 1 << 20

async function estimated(
  { caller: { tenant, name: owner } }: Visit,
  { calibrations }: Services,
  { model, messages, tools }: ChatRequest,
): Promise<number> {
  const counter = await calibrations.counter({ tenant, owner, model })
  let tokens = overheadOf(counter).prompt + countTools(counter, tools)
  for (const message of messages) {
    tokens += messageTokens(counter, message)
    // Others work in between: a message may be long, and there may be many.
    await pause()
  }
  return tokens
}
