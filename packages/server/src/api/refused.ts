import { parted } from '../parted.ts'
import type { Refusal } from '../refusal.ts'
import { failureText, type Failure } from './failure.ts'

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

/** The code of a refusal; undefined of any other response. */
export function codeOf(response: Response): string | undefined {
  return codes.get(response)
}

const codes = new WeakMap<Response, string>()

/** One that was decided outside of the API. */
export function refusedWith({ status, code, message, headers }: Refusal): Response {
  return refused({ status: status as Failure['status'], code, ...parted(message) }, headers)
}
