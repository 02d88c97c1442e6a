import { HTTPException } from 'hono/http-exception'
import { MinutebookError } from 'minutebook'
import { parted } from '../parted.ts'
import { errorCodes, isErrorCode, type ErrorFact } from './error-codes.ts'

/** What a request that failed is answered with. */
export interface Failure {
  readonly status: ErrorFact['status']
  readonly code: string
  /** What is wrong. Neither this nor the fix holds anything that was said in a thread. */
  readonly message: string
  /** What to do about it. */
  readonly fix: string
}

/** What an error is told as. One that is not ours tells nothing of itself. */
export function failureOf(error: unknown): Failure {
  if (error instanceof HTTPException && error.status === 400) return { status: 400, code: 'invalid_json', message: 'The body is not JSON.', fix: 'Send valid JSON as application/json, in UTF-8.' }
  if (!MinutebookError.isInstance(error)) return { status: 500, code: 'internal', message: 'The server failed to answer.', fix: 'Look into its log, and try again.' }
  const { code, message } = error
  const status = isErrorCode(code) ? errorCodes[code].status : code.startsWith('store_') ? 503 : code === 'corrupt_entry' ? 500 : 400
  return { status, code, ...parted(message) }
}

/** The body of a refusal. */
export function failureText({ code, message, fix }: Failure): string {
  return JSON.stringify({ error: { code, message, fix } })
}
