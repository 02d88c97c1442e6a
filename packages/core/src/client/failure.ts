import { MinutebookError } from '../log/error.ts'
import { overflowIn, type ContextOverflow } from '../models/overflow.ts'
import { fieldsOf } from '../wire/fields.ts'
import { bounded, errorText } from '../wire/reply.ts'
import { hostIn } from './redact.ts'

/** A model call that failed: where, and what is known about it. */
export interface Failure {
  readonly model: string
  readonly window: number
  readonly redact: (text: string) => string
}

/** The error for an answer with a status that is none of success. `said`: its body, parsed where it is JSON. */
export function refusedWith(status: number, said: unknown, { model, window, redact }: Failure): MinutebookError {
  const reason = reasonOf(said, redact)
  const told = overflowIn(said)
  if (told) return overflow(reason, { model, window, status, told })
  if (status >= 400 && status < 500) {
    const fix = fixes.get(status) ?? 'Correct the request by what the server says; sending it again unchanged will not help'
    return new MinutebookError('model_refused', `The server refused the call of model "${model}" with status ${status}: ${reason}. ${fix}.`, { model, status })
  }
  return new MinutebookError('model_error', `The server of model "${model}" failed with status ${status}: ${reason}. Retry the turn (thread.retry()) or call the model again; if it fails again, look into the server's log.`, { model, status })
}

/** The error for an error that a server sent in the middle of an answer. */
export function failedMidway(said: unknown, { model, window, redact }: Failure): MinutebookError {
  const reason = reasonOf(said, redact)
  const told = overflowIn(said)
  if (told) return overflow(reason, { model, window, told })
  return new MinutebookError('model_error', `The server of model "${model}" failed in the middle of its answer: ${reason}. Retry the turn (thread.retry()) or call the model again; if it fails again, look into the server's log.`, { model })
}

/** The error for a call that no answer came to. `address`: the client's, of which only host and port are told. */
export function unreachable(error: unknown, { model, redact }: Failure, address: unknown): MinutebookError {
  const { message, cause } = fieldsOf(error)
  const code = deepestCode(cause)
  const reason = bounded(redact([code, message].filter((part) => typeof part === 'string').join(': ')))
  const host = hostIn(address)
  const place = host === undefined ? '' : ` at ${redact(host)}`
  return new MinutebookError('model_unreachable', `The server of model "${model}"${place} did not answer (${reason}). Check that it runs and that the client has its right address and time limit, then retry the turn (thread.retry()) or call the model again.`, { model, ...(code !== undefined && { reason: code }) })
}

export function aborted({ model }: Failure): MinutebookError {
  return new MinutebookError('model_aborted', `The call of model "${model}" was aborted. Retry the turn (thread.retry()) or call the model again to ask anew.`, { model })
}

/** True for a chunk in which the server says that it failed. */
export function isError(chunk: unknown): boolean {
  return Boolean(fieldsOf(chunk)['error'])
}

const fixes: ReadonlyMap<number, string> = new Map([
  [401, "Check the client's key"],
  [403, "Check what the client's key allows"],
  [404, 'Check the name of the model and the address of the server, and that the server has the model'],
  [429, 'Wait, then retry the turn (thread.retry()) or call the model again'],
])

function overflow(reason: string, details: { readonly model: string; readonly window: number; readonly status?: number; readonly told: ContextOverflow }): MinutebookError {
  const { model, window } = details
  const fix = `The prompt was compiled for ${window} tokens: give the server a window of that size, or pass a smaller window or a counter that counts more`
  return new MinutebookError('context_overflow', `The prompt is longer than the window that the server of model "${model}" has: ${reason}. ${fix}.`, details)
}

function reasonOf(said: unknown, redact: (text: string) => string): string {
  return bounded(redact(errorText(said))) || 'it did not say why'
}

/** The system's own word for what happened, such as ECONNREFUSED: it stands in the innermost cause. */
function deepestCode(cause: unknown, levels: number = 5): string | undefined {
  const { code, cause: inner } = fieldsOf(cause)
  return (levels > 0 && inner !== undefined ? deepestCode(inner, levels - 1) : undefined) ?? (typeof code === 'string' ? code : undefined)
}
