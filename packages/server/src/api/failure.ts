import { HTTPException } from 'hono/http-exception'
import { MinutebookError } from 'minutebook'
import { worded } from '../worded.ts'
import { errorCodes, isErrorCode, type ErrorFact } from './error-codes.ts'

/** What a request that failed is answered with. */
export interface Failure {
  readonly status: ErrorFact['status']
  readonly code: string
  /** What is wrong. Neither this nor the fix holds anything that was said in a thread. */
  readonly message: string
  /** What to do about it. */
  readonly fix: string
  /** Of a definition: everything that is wrong with it. */
  readonly problems?: unknown
  /** Of a prompt that was made for a larger window than there is. */
  readonly window?: unknown
}

/** What an error is told as. One that is not ours tells nothing of itself. */
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
      fix: 'Look into its log, and try again.',
    }
  const {
    code,
    details: { problems, window },
  } = error
  if (code === 'invalid_experiment')
    return {
      status: 400,
      code,
      message: error.message,
      fix: 'Mend what is named, and send it again.',
      ...(problems !== undefined && { problems }),
    }
  const { message, fix } = worded(error)
  return {
    status: statusOf(code),
    code,
    message,
    fix: fix === '' ? 'See the documentation of this error code.' : fix,
    ...(code === 'window_too_small' && { window }),
  }
}

function statusOf(code: string): Failure['status'] {
  if (isErrorCode(code)) return errorCodes[code].status
  if (lasting.has(code)) return 500
  return code.startsWith('store_') ? 503 : 400
}

/** To try these again soon is of no use: somebody must mend something first. */
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
export function failureText({ code, message, fix, problems, window }: Failure): string {
  return JSON.stringify({
    error: { code, message, fix, ...(problems !== undefined && { problems }), ...(window !== undefined && { window }) },
  })
}
