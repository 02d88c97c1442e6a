import { createClient, readError, type MinutebookClient } from '@minutebook/client'
import { MinutebookError } from 'minutebook'

/** A server that the command speaks to over HTTP. */
export interface ServerAddress {
  readonly url: string
  /** The local operator's token, or a key. Undefined if the server asks for none. */
  readonly token?: string | undefined
  /** Milliseconds that an answer may take. Default: no limit. */
  readonly within?: number | undefined
}

/** A client of a server's API. A call that the server refuses throws the error that the same work would throw here. */
export function clientOf(server: ServerAddress): MinutebookClient {
  const { url, token, within } = server
  return createClient({
    url,
    key: token,
    fetch: async (input, init) => {
      const limit = within === undefined ? {} : { signal: AbortSignal.timeout(within) }
      const response = await fetch(input, { ...init, redirect: 'error', ...limit }).catch((error: unknown) => {
        throw unansweredError(error, url)
      })
      if (response.ok) return response
      throw await refusedError(response, server)
    },
  })
}

/**
 * The data of an answer; an answer without data has thrown already. The caller names the type: the archive's types say
 * more than the API's document does.
 */
export async function dataOf<T>(answer: Promise<{ readonly data?: unknown }>): Promise<T> {
  return (await answer).data as T
}

/** The bytes of an answer to a call with `parseAs: 'stream'`. */
export async function streamOf(
  answer: Promise<{ readonly data?: ReadableStream<Uint8Array> | null }>,
): Promise<ReadableStream<Uint8Array>> {
  return (await answer).data ?? new Blob([]).stream()
}

/** The fields that are given: the client's types do not take undefined for a field that is left out. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
}

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** What a person can do if a server does not answer. */
export function unansweredError(error: unknown, url: string): unknown {
  const { name, cause } = Object(error) as { readonly name?: unknown; readonly cause?: unknown }
  // The lines that we send may fail, too, and the caller may have left: neither is the server's fault.
  if (MinutebookError.isInstance(cause)) return cause
  if (name === 'AbortError') return error
  return new MinutebookError(
    'server_gone',
    `The server at ${url} does not answer (${causeOf(error)}).`,
    'Is it still running? Try again, or start it with: minutebook serve',
  )
}

async function refusedError(response: Response, server: ServerAddress): Promise<MinutebookError> {
  const { code, problem, fix, decided } = readError(response.status, await response.json().catch(() => undefined))
  return keyError(code, `${problem} ${fix}`.trim(), server) ?? new MinutebookError(code, problem, fix, { ...decided })
}

/** What a person can do about a key that the server refuses. Undefined if the error is about something else. */
export function keyError(code: unknown, message: unknown, { url, token }: ServerAddress): MinutebookError | undefined {
  if (code === 'unauthorized')
    return token === undefined || token === ''
      ? new MinutebookError(
          code,
          `The server at ${url} requires a key.`,
          'Pass yours with --key, or set MINUTEBOOK_KEY.',
        )
      : new MinutebookError(
          code,
          `The server at ${url} does not know this key, or the key was revoked.`,
          'Pass another key with --key, or set MINUTEBOOK_KEY.',
        )
  if (code === 'forbidden' || code === 'only_chats' || code === 'may_not_approve')
    return new MinutebookError(code, String(message), 'Pass another key with --key, or set MINUTEBOOK_KEY.')
  return undefined
}

/** Why there was no answer, in a word. */
export function causeOf(error: unknown): string {
  const { name, cause } = Object(error) as { readonly name?: unknown; readonly cause?: { readonly code?: unknown } }
  if (name === 'TimeoutError') return 'no answer in time'
  return typeof cause?.code === 'string' ? cause.code : 'no connection'
}

/** The lines of a body, each with the break that ends it. A line without one was cut off. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.map((line) => `${line}\n`)
  }
  if (rest !== '') yield rest
}
