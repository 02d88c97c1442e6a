import { MinutebookError } from 'minutebook'

/** What a request that failed is answered with. */
export interface Failure {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 500 | 503
  readonly code: string
  /** What is wrong. Neither this nor the fix holds anything that was said in a thread. */
  readonly message: string
  /** What to do about it. */
  readonly fix: string
}

/** What an error is told as. One that is not ours tells nothing of itself. */
export function failureOf(error: unknown): Failure {
  if (!MinutebookError.isInstance(error)) return { status: 500, code: 'internal', message: 'The server failed to answer.', fix: 'Look into its log, and try again.' }
  const { code, message } = error
  return { status: statuses.get(code) ?? (code.startsWith('store_') ? 503 : 400), code, ...parted(message) }
}

const statuses: ReadonlyMap<string, Failure['status']> = new Map([
  ['unknown_thread', 404],
  ['unknown_call', 404],
  ['unknown_entry', 404],
  ['no_calls', 404],
  ['cannot_derive', 409],
  ['corrupt_entry', 500],
])

/** Our messages say what is wrong, then what to do, after a semicolon or a full stop. */
function parted(text: string): { readonly message: string; readonly fix: string } {
  const at = ['; ', '. '].map((mark) => text.indexOf(mark)).find((place) => place > 0) ?? -1
  if (at < 0) return { message: text, fix: 'See the documentation of this error code.' }
  const fix = text.slice(at + 2)
  return { message: `${text.slice(0, at)}.`, fix: `${fix.charAt(0).toUpperCase()}${fix.slice(1)}` }
}
