import { MinutebookError } from 'minutebook'
import type { ServerResponse } from 'node:http'
import type { ProtocolName } from '../config/settings.ts'

/** Why a request is refused, and what to do about it. */
export interface Refusal {
  readonly status: number
  /** For programs. */
  readonly code: string
  /** What is wrong. Never holds content or keys. */
  readonly problem: string
  /** What to do about it. */
  readonly fix: string
  /** The field of the request that it is about. */
  readonly param?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** If even what must be sent is longer than the window, in tokens. */
  readonly overflow?: { readonly window: number; readonly needed: number } | undefined
}

/** From a server that only reads the file of another program. */
export const onlyReads: Refusal = {
  status: 403,
  code: 'read_only',
  problem: 'This server only reads the file of another program.',
  fix: 'Write with the program that has the file open. For a server that writes and calls models: minutebook serve.',
}

/** The body of a refusal in the form that the protocol's clients read; without a protocol in our own form. */
export function refusalBody(refusal: Refusal, protocol?: ProtocolName): string {
  const { status, code, problem, fix, param, overflow } = refusal
  const message = `${overflowWords(refusal, protocol)}${messageOf(refusal)}`
  if (protocol === 'ollama') return JSON.stringify({ error: message })
  if (protocol === 'openai') {
    const counts = overflow && { n_ctx: overflow.window, n_prompt_tokens: overflow.needed }
    return JSON.stringify({ error: { message, type: errorType(status), param: param ?? null, code, ...counts } })
  }
  if (protocol === 'anthropic')
    return JSON.stringify({
      type: 'error',
      error: { type: status === 413 ? 'request_too_large' : errorType(status), message, code },
    })
  return JSON.stringify({ error: { code, message: problem, fix } })
}

/** Agents shorten their conversation if they read what the servers of their protocol say. */
function overflowWords({ overflow }: Refusal, protocol: ProtocolName | undefined): string {
  if (!overflow) return ''
  const { window, needed } = overflow
  if (protocol === 'anthropic') return `prompt is too long: ${needed} tokens > ${window} maximum. `
  return protocol === 'ollama'
    ? `the input length exceeds the context length (${needed} tokens, ${window}). `
    : `This model's maximum context length is ${window} tokens. However, your messages resulted in ${needed} tokens. `
}

/** What is wrong and what to do, in one text. */
export function messageOf({ problem, fix }: Pick<Refusal, 'problem' | 'fix'>): string {
  return `${problem} ${fix}`
}

/** A refusal as an error, for callers that cannot answer a request yet. */
export function refusalError(
  { code, problem, fix }: Pick<Refusal, 'code' | 'problem' | 'fix'>,
  details = {},
): MinutebookError {
  return new MinutebookError(code, problem, fix, details)
}

/**
 * Answers with a refusal. If an answer has begun already, it breaks the connection, so the answer cannot look whole.
 */
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

/**
 * What an error says to the operator of a server. The library's texts name pools and methods; these name roles,
 * settings and commands.
 */
export function messageForOperator({ code, problem, fix }: Pick<MinutebookError, 'code' | 'problem' | 'fix'>): {
  readonly message: string
  readonly fix: string
} {
  return { message: problem, fix, ...forOperators[code] }
}

const forOperators: Readonly<Record<string, { readonly message?: string; readonly fix: string }>> = {
  store_forbidden: {
    message: 'The database role of the server may not do this.',
    fix: 'Grant the role this right, or let the server connect as the role that owns the tables.',
  },
  store_refused: {
    message: 'Postgres refuses the login of the server.',
    fix: 'Correct the user, password or database in the settings (database, MINUTEBOOK_DATABASE).',
  },
  store_outdated: { fix: 'Run: minutebook migrate.' },
  store_readonly: { fix: 'Write the address of the primary into the settings (database, MINUTEBOOK_DATABASE).' },
}
