import { HTTPException } from 'hono/http-exception'
import { MinutebookError } from 'minutebook'
import type { Scope } from '../config/caller.ts'
import { messageForOperator, type Refusal } from '../http/reply.ts'
import { errorCodes, type ErrorCode, type ErrorFact } from './error-codes.ts'

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code)
}

/** The answer to a failed request. */
export interface Failure {
  readonly status: ErrorFact['status']
  readonly code: string
  /** What is wrong. Neither this nor the fix contains anything that was said in a thread. */
  readonly message: string
  /** What to do about it. */
  readonly fix: string
  /** For a definition: everything that is wrong with it. */
  readonly problems?: unknown
  /** For a prompt that was made for a larger window than the model has. */
  readonly window?: unknown
  /** For a call that was decided before: that decision, by whom and when. */
  readonly decided?: unknown
}

/** Returns how an error is answered. An error that is not ours is answered without its text. */
export function failureOf(error: unknown): Failure {
  if (error instanceof HTTPException && error.status === 400)
    return {
      status: 400,
      code: 'invalid_json',
      message: 'The body is not JSON.',
      fix: 'Send valid JSON as application/json, in UTF-8.',
    }
  if (!MinutebookError.isInstance(error))
    return {
      status: 500,
      code: 'internal',
      message: 'The server failed to answer.',
      fix: 'Look into the log of the server, and try again.',
    }
  const {
    code,
    details: { problems, window, decision, by, via, time },
  } = error
  if (code === 'invalid_experiment')
    return {
      status: 400,
      code,
      message: error.message,
      fix: 'Fix the listed problems, and send the definition again.',
      ...(problems !== undefined && { problems }),
    }
  const { message, fix } = messageForOperator(error)
  return {
    status: statusOf(code),
    code,
    message,
    fix: fix === '' ? 'See the documentation of this error code.' : fix,
    ...(code === 'window_too_small' && { window }),
    ...(code === 'already_decided' && { decided: { decision, by, via, time } }),
  }
}

function statusOf(code: string): Failure['status'] {
  if (isErrorCode(code)) return errorCodes[code].status
  if (lasting.has(code)) return 500
  return code.startsWith('store_') ? 503 : 400
}

/** Retrying these soon does not help: a person must fix something first. */
const lasting: ReadonlySet<string> = new Set([
  'store_forbidden',
  'store_refused',
  'store_outdated',
  'store_corrupt',
  'store_older',
  'store_newer',
  'corrupt_entry',
])

/** The body of a refusal. */
function failureText({ code, message, fix, problems, window, decided }: Failure): string {
  return JSON.stringify({ error: { code, message, fix, problems, window, decided } })
}

/** A refusal as it is sent. */
export function refused(failure: Failure, headers: Readonly<Record<string, string>> = {}): Response {
  const response = new Response(failureText(failure), {
    status: failure.status,
    headers: {
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...(failure.status === 401 && { 'www-authenticate': 'Bearer realm="minutebook"' }),
      ...((failure.status === 429 || failure.status === 503) && { 'retry-after': '1' }),
      ...headers,
    },
  })
  codes.set(response, failure.code)
  return response
}

/** Returns the code of a refusal; undefined for any other response. */
export function codeOf(response: Response): string | undefined {
  return codes.get(response)
}

const codes = new WeakMap<Response, string>()

/** A refusal that was decided outside of the API. */
export function refusedWith({ status, code, problem, fix, headers }: Refusal): Response {
  return refused({ status: status as Failure['status'], code, message: problem, fix }, headers)
}

/** The caller may not do this. Says which scope is needed. */
export function forbiddenError(needed: Scope): MinutebookError {
  return new MinutebookError(
    'forbidden',
    'The scope of this key is too small for this operation.',
    `Use a key with the scope ${needed}.`,
    { needed },
  )
}
