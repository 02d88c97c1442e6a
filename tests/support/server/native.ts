import type { StrictUpstream, StrictUpstreamOptions } from '@minutebook/testing/server'
import { strictUpstream } from '@minutebook/testing/server'
import { onTestFinished } from 'vitest'
import type { Config, ProtocolName, Running } from '../../../packages/server/src/index.ts'
import { gateway } from './gateway.ts'

/** Somebody who speaks to the API over HTTP. */
export interface Native {
  readonly url: string
  readonly key: string
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** The events of a stream, until it ends or `until` says so. */
  stream(method: string, path: string, options?: StreamOptions): Promise<readonly Seen[]>
}

export interface StreamOptions {
  readonly body?: unknown
  readonly until?: (seen: Seen) => boolean
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

export interface Seen {
  readonly event: string
  readonly id?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** `always`: headers of every request. */
export function native(url: string, key: string, always: Readonly<Record<string, string>> = {}): Native {
  const send = (
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<Response> =>
    fetch(`${url}/minutebook/v1${path}`, {
      method,
      headers: {
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...always,
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  return {
    url,
    key,
    ask: async (method, path, body, headers) => {
      const response = await send(method, path, body, headers)
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: response.headers.get('content-type')?.includes('application/json')
          ? (JSON.parse(text) as Record<string, unknown>)
          : { text },
      }
    },
    stream: async (method, path, { body, until = () => false, headers = {}, signal } = {}) => {
      const left = new AbortController()
      signal?.addEventListener('abort', () => left.abort())
      const response = await send(method, path, body, { accept: 'text/event-stream', ...headers }, left.signal)
      const seen: Seen[] = []
      try {
        for await (const one of eventsIn(response)) {
          seen.push(one)
          if (until(one)) break
        }
      } catch (error) {
        if (!left.signal.aborted) throw error
      }
      left.abort()
      return seen
    },
  }
}

/** Somebody who is logged in to the console with a key. */
export async function consoleUser(url: string, key: string): Promise<Native> {
  const own = { 'sec-fetch-site': 'same-origin' }
  const response = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { ...own, 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })
  const { session } = (await response.json()) as { readonly session: string }
  const cookie = (response.headers.get('set-cookie') ?? '').split(';', 1)[0]!
  return native(url, '', { ...own, cookie, 'minutebook-session': session })
}

async function* eventsIn(response: Response): AsyncGenerator<Seen> {
  if (response.status !== 200 && response.status !== 202)
    throw new Error(`status ${response.status}: ${await response.text()}`)
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const field = (name: string): string | undefined =>
        part
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2)
      const event = field('event')
      const id = field('id')
      if (event !== undefined)
        yield {
          event,
          ...(id !== undefined && { id }),
          data: JSON.parse(field('data') ?? 'null') as Record<string, unknown>,
        }
    }
  }
}

/** A server with a strict upstream behind it, and its operator. */
export async function nativeServer(
  options: StrictUpstreamOptions = {},
  settings: Partial<Config> = {},
  protocol?: ProtocolName,
): Promise<{ readonly upstream: StrictUpstream; readonly running: Running; readonly operator: Native }> {
  const upstream = await strictUpstream(options)
  onTestFinished(() => upstream.close())
  const running = await gateway({ defaultModel: 'strict', upstreams: [{ url: upstream.url, protocol }], ...settings })
  return { upstream, running, operator: native(running.url, running.token) }
}

/** What a client shows that follows a stream: the text of the running call, and the entries. */
export function shownBy(seen: readonly Seen[]): { readonly text: string; readonly entries: readonly string[] } {
  let text = ''
  const entries: Record<string, unknown>[] = []
  for (const { event, data } of seen) {
    if (event === 'text') text = text.slice(0, data['offset'] as number) + String(data['text'])
    if (event === 'reset' || event === 'entry' || event === 'branch') text = ''
    if (event === 'entry') entries.push(data)
    if (event === 'branch')
      entries.splice(
        entries.findIndex(({ id }) => id === data['after']) + 1,
        Infinity,
        ...(data['entries'] as Record<string, unknown>[]),
      )
  }
  return { text, entries: entries.map((entry) => `${String(entry['kind'])}: ${String(entry['text'])}`) }
}
