import { MinutebookError } from 'minutebook'
import type { ServerResponse } from 'node:http'
import { parted } from './parted.ts'
import type { ProtocolName } from './protocol-name.ts'

/** Why a request is not answered, and what to do about it. */
export interface Refusal {
  readonly status: number
  /** For programs. */
  readonly code: string
  /** What is wrong and what to do; never holds content or keys. */
  readonly message: string
  /** The field of the request that it is about. */
  readonly param?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** The body of a refusal in the shape that the protocol's clients read; without a protocol in our own. */
export function refusalBody({ status, code, message, param }: Refusal, protocol?: ProtocolName): string {
  if (protocol === 'ollama') return JSON.stringify({ error: message })
  if (protocol === 'openai')
    return JSON.stringify({ error: { message, type: errorType(status), param: param ?? null, code } })
  return JSON.stringify({ error: { code, ...parted(message) } })
}

/** A refusal as an error, to be thrown where nothing can be answered yet. */
export function refusalError({ code, message }: Pick<Refusal, 'code' | 'message'>, details = {}): MinutebookError {
  const told = parted(message)
  return new MinutebookError(code, told.message, told.fix, details)
}

/** Answers with a refusal; breaks the connection where an answer has begun already, so that it cannot look whole. */
export function refuse(response: ServerResponse, refusal: Refusal, protocol?: ProtocolName): void {
  if (response.headersSent) return void response.destroy()
  const body = refusalBody(refusal, protocol)
  response.writeHead(refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    ...refusal.headers,
  })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

function errorType(status: number): string {
  if (status >= 500) return 'api_error'
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status === 404 ? 'not_found_error' : 'invalid_request_error'
}
