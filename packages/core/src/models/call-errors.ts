import { MinutebookError } from '../log/error.ts'
import { overflowIn, type ContextOverflow } from './server-window.ts'
import { bounded, errorText, fieldsOf } from './wire.ts'

/** The errors of one model call. */
export interface CallErrors {
  /** Removes secrets from a server's own words. */
  readonly redact: (text: string) => string
  /** For an answer whose status is not a success. `said`: its body, parsed if it is JSON. */
  refused(status: number, said: unknown): MinutebookError
  /** For an error that a server sent in the middle of an answer. */
  midway(said: unknown): MinutebookError
  /** For a call without any answer. `address`: the client's. Only its host and port are shown. */
  unreachable(error: unknown, address: unknown): MinutebookError
  /** For a call that was given up because its signal aborted. */
  aborted(): MinutebookError
}

/**
 * What are the errors of a model call? `redact`: default: the words of a server are shown as they are.
 *
 * @example
 * const errors = callErrors({ model: 'gemma3:4b', window: 8192 })
 * if (signal.aborted) throw errors.aborted()
 */
export function callErrors({
  model,
  window,
  redact = (text) => text,
}: {
  readonly model: string
  readonly window: number
  readonly redact?: CallErrors['redact']
}): CallErrors {
  const reasonOf = (said: unknown): string => bounded(redact(errorText(said))) || 'it did not say why'
  return {
    redact,
    refused: (status, said) => {
      const reason = reasonOf(said)
      const told = overflowIn(said)
      if (told) return overflowError(reason, { model, window, status, told })
      if (status >= 400 && status < 500) {
        const fix =
          fixes.get(status) ?? 'Correct the request by what the server says; sending it again unchanged will not help.'
        return new MinutebookError(
          'model_refused',
          `The server refused the call of model "${model}" with status ${status}: ${reason}.`,
          fix,
          { model, status },
        )
      }
      return new MinutebookError(
        'model_error',
        `The server of model "${model}" failed with status ${status}: ${reason}.`,
        "Retry the turn (thread.retry()) or call the model again; if it fails again, look into the server's log.",
        { model, status },
      )
    },
    midway: (said) => {
      const reason = reasonOf(said)
      const told = overflowIn(said)
      if (told) return overflowError(reason, { model, window, told })
      return new MinutebookError(
        'model_error',
        `The server of model "${model}" failed in the middle of its answer: ${reason}.`,
        "Retry the turn (thread.retry()) or call the model again; if it fails again, look into the server's log.",
        { model },
      )
    },
    unreachable: (error, address) => {
      const { message, cause } = fieldsOf(error)
      const code = deepestCode(cause)
      const reason = bounded(redact([code, message].filter((part) => typeof part === 'string').join(': ')))
      const host = hostIn(address)
      const place = host === undefined ? '' : ` at ${redact(host)}`
      return new MinutebookError(
        'model_unreachable',
        `The server of model "${model}"${place} did not answer (${reason}).`,
        'Check that it runs and that the client has its right address and time limit, then retry the turn (thread.retry()) or call the model again.',
        { model, ...(code !== undefined && { reason: code }) },
      )
    },
    aborted: () =>
      new MinutebookError(
        'model_aborted',
        `The call of model "${model}" was aborted.`,
        'Retry the turn (thread.retry()) or call the model again.',
        { model },
      ),
  }
}

/** True for a chunk in which the server says that it failed. */
export function isError(chunk: unknown): boolean {
  return Boolean(fieldsOf(chunk)['error'])
}

const fixes: ReadonlyMap<number, string> = new Map([
  [401, "Check the client's key."],
  [403, "Check what the client's key allows."],
  [404, 'Check the name of the model and the address of the server, and that the server has the model.'],
  [429, 'Wait, then retry the turn (thread.retry()) or call the model again.'],
])

function overflowError(
  reason: string,
  details: {
    readonly model: string
    readonly window: number
    readonly status?: number
    readonly told: ContextOverflow
  },
): MinutebookError {
  const { model, window } = details
  return new MinutebookError(
    'context_overflow',
    `The prompt is longer than the window that the server of model "${model}" has: ${reason}.`,
    `The prompt was compiled for ${window} tokens: give the server a window of that size, or pass a smaller window or a counter that counts more.`,
    details,
  )
}

/** The system's own code, such as ECONNREFUSED. It is in the innermost cause. */
function deepestCode(cause: unknown, levels: number = 5): string | undefined {
  const { code, cause: inner } = fieldsOf(cause)
  return (
    (levels > 0 && inner !== undefined ? deepestCode(inner, levels - 1) : undefined) ??
    (typeof code === 'string' ? code : undefined)
  )
}

/**
 * Removes every occurrence of these values from a text, because a server's error may repeat the key it was sent. Needs
 * the whole text: shorten it afterwards.
 */
export function redactor(values: Iterable<unknown>): (text: string) => string {
  const secrets = new Set([...values].filter((value) => typeof value === 'string').flatMap(formsOf))
  const longestFirst = [...secrets].toSorted((left, right) => right.length - left.length)
  return (text) => longestFirst.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text)
}

/** The value, the parts of it that could be secrets themselves (`Bearer …`, cookies), and both URL-encoded. */
function formsOf(value: string): string[] {
  const parts = value.split(/[\s;,=]/).filter((part) => part.length >= 8)
  const forms = [value.trim(), ...parts].filter((form) => form.length >= shortest)
  return forms.flatMap((form) => [form, attempted(encodeURIComponent, form)])
}

/** A shorter value is not a secret, and it would match in ordinary words. */
const shortest = 4

/** The values of headers, in any form that a client accepts, except those that say nothing about the caller. */
export function headerValues(headers: unknown): unknown[] {
  if (typeof headers !== 'object' || headers === null) return []
  const list: readonly unknown[] =
    Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers)
  return list.flatMap((entry) => {
    const [name, ...values] = Array.isArray(entry) ? (entry as unknown[]) : []
    if (plain.has(String(name).toLowerCase())) return []
    return values.flat().flatMap((value) => (typeof value === 'object' ? headerValues(value) : [value]))
  })
}

const plain: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent'])

/** User name and password of an address such as `http://user:password@host`. */
export function credentialsIn(address: unknown): string[] {
  if (typeof address !== 'string') return []
  const start = address.indexOf('://') + 3
  const end = address.lastIndexOf('@')
  if (start < 3 || end < start) return []
  const pair = address.slice(start, end)
  return [pair, ...pair.split(':')].flatMap((value) => [value, attempted(decodeURIComponent, value)])
}

/** Host and port of an address, without anything else. Undefined if it is unclear which part they are. */
export function hostIn(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined
  const start = address.indexOf('://') + 3
  if (start < 3) return undefined
  const rest = address.slice(start)
  const end = rest.search(/[/?#]/)
  const place = end < 0 ? rest : rest.slice(0, end)
  // A slash in a password that was not encoded: the part before it is not a host.
  if (rest.lastIndexOf('@') > place.length) return undefined
  const host = place.slice(place.lastIndexOf('@') + 1)
  return host.length <= 255 && /^[A-Za-z0-9._:[\]-]+$/.test(host) ? host : undefined
}

/** A value that cannot be converted stays as it is. */
function attempted(convert: (value: string) => string, value: string): string {
  try {
    return convert(value)
  } catch {
    return value
  }
}

/** A controller that aborts together with the signals it follows, until it is released. */
export interface Link {
  readonly controller: AbortController
  follow(signal: AbortSignal | null | undefined): void
  /** Aborts what still runs, and stops listening to the signals. */
  release(): void
}

export function linked(signal: AbortSignal): Link {
  const controller = new AbortController()
  const followed: AbortSignal[] = []
  const abort = (): void => controller.abort()
  const link: Link = {
    controller,
    follow: (other) => {
      if (!other) return
      followed.push(other)
      other.addEventListener('abort', abort, { once: true })
      if (other.aborted) abort()
    },
    release: () => {
      for (const other of followed) other.removeEventListener('abort', abort)
      abort()
    },
  }
  link.follow(signal)
  return link
}

/** Returns the promise, but rejects as soon as the signal aborts: not every fetch listens to its signal. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined
  const aborting = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('aborted'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  promise.catch(() => undefined)
  try {
    return await Promise.race([promise, aborting])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
