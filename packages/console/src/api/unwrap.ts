import { readError } from '@minutebook/client'

/** What an operation answered with, as openapi-fetch has it. */
interface Answer {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/**
 * The data of an answer; throws an `ApiError` with what the server says to do. The type is named by the caller: the
 * client's own takes lists for objects.
 *
 * @example
 * const { threads } = unwrap<ThreadPage>(await client.GET('/minutebook/v1/threads', {}))
 */
export function unwrap<T>({ data, error, response }: Answer): T {
  if (response.ok && data !== undefined) return data as T
  throw readError(response.status, error, 'Load the page again, or look into the log of the server.')
}
