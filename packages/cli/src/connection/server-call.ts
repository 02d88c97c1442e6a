import { MinutebookError } from 'minutebook'

/** A server that is spoken to over HTTP. */
export interface ServerAddress {
  readonly url: string
  /** Of the local operator, or a key; undefined where the server asks for none. */
  readonly token?: string | undefined
}

export interface ServerCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON. */
  readonly body?: object
  /** Sent as lines, as they come. */
  readonly lines?: AsyncIterable<string> | Iterable<string>
  /** Ends an answer that goes on. */
  readonly signal?: AbortSignal | undefined
}

/** Asks the API of a server. Throws what it answers an error with, as it would be thrown here. */
export async function askServer(
  { url, token }: ServerAddress,
  path: string,
  { method = 'GET', query = {}, body, lines, signal }: ServerCall = {},
): Promise<Response> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  const search = given.length === 0 ? '' : `?${given.join('&')}`
  const type = body ? { 'content-type': 'application/json' } : lines ? { 'content-type': 'application/x-ndjson' } : {}
  const headers = { ...type, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const sent = body
    ? { body: JSON.stringify(body) }
    : lines
      ? { body: ReadableStream.from(bytesOf(lines)), duplex: 'half' as const }
      : {}
  const response = await fetch(`${url}/minutebook/v1${path}${search}`, {
    method,
    headers,
    redirect: 'error',
    ...(signal && { signal }),
    ...sent,
  }).catch((error: unknown) => {
    // What our own lines threw is not the server's fault.
    const { cause } = Object(error) as { readonly cause?: unknown }
    if (MinutebookError.isInstance(cause)) throw cause
    throw new MinutebookError(
      'server_gone',
      `The server at ${url} does not answer (${causeOf(error)}).`,
      'Is it still running? Try again, or start it with: minutebook serve',
    )
  })
  if (response.ok) return response
  const { error } = (await response.json().catch(() => ({}))) as {
    readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly fix?: unknown }
  }
  const { code, message, fix } = error ?? {}
  throw (
    keyRefused(code, [message, fix].filter(Boolean).join(' '), { url, token }) ??
    new MinutebookError(
      typeof code === 'string' ? code : 'server_failed',
      typeof message === 'string' ? message : `The server answered ${response.status}.`,
      typeof fix === 'string' ? fix : '',
    )
  )
}

export async function jsonOf<T>(response: Response): Promise<T> {
  return (await response.json()) as T
}

async function* bytesOf(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const line of lines) yield encoder.encode(`${line}\n`)
}

/** Why there was no answer, in a word. */
export function causeOf(error: unknown): string {
  const { cause } = Object(error) as { readonly cause?: { readonly code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'no connection'
}

/**
 * What a server says of a key, as whoever passes it to a command can mend it; undefined where it is about something
 * else.
 */
export function keyRefused(
  code: unknown,
  message: unknown,
  { url, token }: { readonly url: string; readonly token?: string | undefined },
): MinutebookError | undefined {
  if (code === 'unauthorized')
    return token === undefined || token === ''
      ? new MinutebookError(code, `The server at ${url} wants a key.`, 'Pass yours with --key, or set MINUTEBOOK_KEY.')
      : new MinutebookError(
          code,
          `The server at ${url} does not know this key, or it was revoked.`,
          'Pass another with --key, or set MINUTEBOOK_KEY.',
        )
  if (code === 'forbidden' || code === 'only_chats')
    return new MinutebookError(code, String(message), 'The key is that of --key, or of MINUTEBOOK_KEY.')
  return undefined
}

/** The lines of a body, each with the break that ends it; one without was cut off there. */
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
