import { MinutebookError } from 'minutebook'
import type { ServerResponse } from 'node:http'
import type { ProtocolName } from '../config/settings.ts'

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

/** Our messages say what is wrong, then what to do, after a semicolon or a full stop: the two by themselves. */
export function parted(text: string): { readonly message: string; readonly fix: string } {
  const at = seamIn(text)
  if (at < 0) return { message: text, fix: 'See the documentation of this error code.' }
  const fix = text.slice(at + 2)
  return { message: `${text.slice(0, at)}.`, fix: `${fix.charAt(0).toUpperCase()}${fix.slice(1)}` }
}

/** The first of the two marks that stands in neither brackets nor quotes; -1 where there is none. */
function seamIn(text: string): number {
  let [depth, isQuoted] = [0, false]
  for (let at = 0; at < text.length - 2; at++) {
    const mark = text[at]
    if (mark === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (mark === '(') depth++
    if (mark === ')') depth--
    if (depth === 0 && at > 0 && (mark === ';' || mark === '.') && text[at + 1] === ' ') return at
  }
  return -1
}

/**
 * What an error says to somebody who has a server before them, and not the library below it: where that speaks of pools
 * and methods, this speaks of roles and commands.
 */
export function worded({ code, problem, fix }: Pick<MinutebookError, 'code' | 'problem' | 'fix'>): {
  readonly message: string
  readonly fix: string
} {
  const reworded = (text: string): string =>
    rewordings.reduce((said, [of, from, to]) => (of === code ? said.replace(from, to) : said), text)
  return { message: reworded(problem), fix: reworded(fix) }
}

const rewordings: readonly (readonly [code: string, from: string, to: string])[] = [
  ['store_forbidden', 'The role of this pool may not do this.', 'The database role of the server may not do this.'],
  ['store_forbidden', 'use a pool of the role', 'let the server use the role'],
  [
    'store_refused',
    'Correct its user, password or database.',
    'Correct user, password or database in the settings (database, MINUTEBOOK_DATABASE).',
  ],
  ['store_refused', 'Postgres does not let this pool in.', 'Postgres does not let the server in.'],
  ['store_outdated', 'Run migrate(pool).', 'Run: minutebook migrate.'],
  [
    'store_readonly',
    'Point the pool at the primary and repeat the call.',
    'Point the settings (database, MINUTEBOOK_DATABASE) at the primary.',
  ],
  [
    'unknown_call',
    'Choose one that thread.receipts() lists.',
    'List the receipts of the thread to see which there are.',
  ],
  [
    'unknown_call',
    'Choose a call that thread.receipts() lists.',
    'List the receipts of the thread to see those of the others.',
  ],
]
