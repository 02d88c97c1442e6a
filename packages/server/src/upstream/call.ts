import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import type { Headers } from '../http/headers.ts'
import type { Refusal } from '../http/reply.ts'
import type { Upstream } from './upstream.ts'

/** What is asked of an upstream. */
export interface UpstreamRequest {
  readonly upstream: Upstream
  readonly method: string
  /** From the root of the protocol, with the query: `/api/chat`. */
  readonly path: string
  readonly headers: Headers
  /** Bytes, or the client's request, which is read as fast as the upstream takes it. */
  readonly body?: Uint8Array | IncomingMessage | undefined
}

/** Takes the response as it comes. Contract: must not throw. */
export interface AnswerSink {
  /** Once, before all else. Never informational. */
  head(status: number, headers: IncomingHttpHeaders): void
  /** Bytes of the body as they arrived; false: no more until `resume()`. */
  data(bytes: Buffer): boolean
  end(): void
  /** Called instead of `end`, before or after the head. */
  failed(failure: UpstreamFailure): void
}

/** A call that is under way. */
export interface UpstreamCall {
  resume(): void
  /** Ends the call; the sink gets nothing more. */
  abort(): void
}

/** Calls upstreams: follows no redirect, changes no encoding, and never gives up waiting for an answer. */
export interface UpstreamClient {
  call(request: UpstreamRequest, sink: AnswerSink): UpstreamCall
  /** Ends all calls and closes all connections. */
  close(): Promise<void>
}

/** Called for every failed call, with the address that clients do not see. Contract: must not throw. */
export type OnFailure = (upstream: Upstream, failure: UpstreamFailure) => void

/**
 * @example
 * const client = createUpstreamClient((upstream, failure) => log.upstreamFailed(upstream.url, failure))
 * const call = client.call({ upstream, method: 'POST', path: '/api/chat', headers, body }, sink)
 */
export function createUpstreamClient(onFailure: OnFailure = () => undefined): UpstreamClient {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, pipelining: 1, allowH2: false, maxHeaderSize: 64 << 10 })
  return {
    call: (request, sink) =>
      dispatch(agent, request, {
        ...sink,
        failed: (failure) => {
          onFailure(request.upstream, failure)
          sink.failed(failure)
        },
      }),
    close: () => agent.destroy(),
  }
}

function dispatch(
  agent: Agent,
  { upstream, method, path, headers, body }: UpstreamRequest,
  sink: AnswerSink,
): UpstreamCall {
  let controller: Dispatcher.DispatchController | undefined
  let isOver = false
  const options = {
    origin: upstream.origin,
    path: upstream.base + path,
    method: method as Dispatcher.HttpMethod,
    headers,
    body: bodyOf(body),
  }
  const fail = (error: unknown): void => {
    if (isOver) return
    isOver = true
    sink.failed(failureOf(error))
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started
      if (isOver) started.abort(aborted)
    },
    onResponseStart: (_, status, received) => {
      if (status >= 200 && !isOver) sink.head(status, received)
    },
    onResponseData: (started, bytes) => {
      if (!isOver && !sink.data(bytes)) started.pause()
    },
    onResponseEnd: () => {
      if (isOver) return
      isOver = true
      sink.end()
    },
    onResponseError: (_, error) => fail(error),
  }
  try {
    agent.dispatch(options, handler)
  } catch (error) {
    queueMicrotask(() => fail(error))
  }
  return {
    resume: () => controller?.resume(),
    abort: () => {
      if (isOver) return
      isOver = true
      controller?.abort(aborted)
    },
  }
}

const aborted = new Error('The client disconnected.')

function bodyOf(body: UpstreamRequest['body']): Uint8Array | Readable | null {
  if (body === undefined || body instanceof Uint8Array) return body ?? null
  return piecesOf(body) as unknown as Readable
}

/**
 * Keeps the client's connection open when the upstream takes no more, since an answer still goes there. What the client
 * then still sends is read and thrown away, so that its next request can come.
 */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } finally {
    request.resume()
  }
}

/**
 * The reason why an upstream did not complete an answer, as a refusal that can be sent to the client unchanged. It does
 * not contain the address of the upstream, because only admins may see that.
 */
interface UpstreamFailure extends Refusal {
  readonly status: 502
  readonly code: 'upstream_unreachable' | 'upstream_broke_off'
  /** The code of the underlying error, such as `ECONNREFUSED`. */
  readonly cause: string
}

function failureOf(error: unknown): UpstreamFailure {
  const cause = causeOf(error)
  const isUnreachable = unreachable.has(cause)
  return {
    status: 502,
    code: isUnreachable ? 'upstream_unreachable' : 'upstream_broke_off',
    cause,
    problem: isUnreachable
      ? `The upstream cannot be reached (${cause}).`
      : `The upstream broke off its answer (${cause}).`,
    fix: isUnreachable
      ? 'Start the upstream, or set the address of another one in upstreams (MINUTEBOOK_UPSTREAMS). The log of the gateway and minutebook doctor show the address.'
      : 'Look into the log of the upstream, and ask again. The log of the gateway shows its address.',
  }
}

const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
])

/** The code of an error: its text may contain what was sent. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  if (typeof error !== 'object' || error === null) return 'unknown'
  const { code, cause, name } = error as { readonly code?: unknown; readonly cause?: unknown; readonly name?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? String(name) : causeOf(cause)
}
