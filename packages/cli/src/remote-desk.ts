import { segmentOf, type Desk } from '@minutebook/server'
import { MinutebookError, type CallChoice } from 'minutebook'
import { linesOf } from './lines.ts'

/** A server that is spoken to over HTTP. */
export interface ServerAddress {
  readonly url: string
  /** Of the local operator. */
  readonly token: string
}

/** The desk of a server that runs, with the same answers as one in this process. */
export function remoteDesk(server: ServerAddress): Desk {
  const below = (thread: string, what: string, query: Query = {}): Promise<Response> => ask(server, `/threads/${segmentOf(thread)}${what}`, query)
  return {
    threads: async (page = {}) => json(await ask(server, '/threads', { ...page })),
    show: async (thread, { head } = {}) => json(await below(thread, '', { head })),
    receipts: async (thread) => (await json<{ receipts: Awaited<ReturnType<Desk['receipts']>> }>(await below(thread, '/receipts'))).receipts,
    dump: async (thread, call) => json(await below(thread, '/dump', queryOf(call))),
    explain: async (thread, call) => json(await below(thread, '/explain', queryOf(call))),
    verify: async (thread) => json(await below(thread, '/verify')),
    export: async function* (thread) {
      yield* entriesIn(await below(thread, '/export'))
    },
  }
}

type Query = Readonly<Record<string, string | number | undefined>>

/** What a server says of itself. */
export interface About {
  readonly upstreams?: readonly { readonly url: string; readonly protocol?: 'ollama' | 'openai'; readonly models?: readonly string[] }[]
  readonly store?: string
  readonly data?: string
}

export async function aboutServer(server: ServerAddress): Promise<About> {
  return json(await ask(server, '', {}))
}

function queryOf({ turn, receipt }: CallChoice = {}): Query {
  return { turn, receipt }
}

/** Throws what the server answers an error with, as it would be thrown here. */
async function ask({ url, token }: ServerAddress, path: string, query: Query): Promise<Response> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
  const search = given.length === 0 ? '' : `?${given.join('&')}`
  const response = await fetch(`${url}/minutebook/v1${path}${search}`, { headers: { authorization: `Bearer ${token}` }, redirect: 'error' }).catch((error: unknown) => {
    throw new MinutebookError('server_gone', `The server at ${url} does not answer (${causeOf(error)}); is it still running? Try again, or start it with: minutebook serve`)
  })
  if (response.ok) return response
  const { error } = (await response.json().catch(() => ({}))) as { readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly fix?: unknown } }
  const { code, message, fix } = error ?? {}
  throw new MinutebookError(typeof code === 'string' ? code : 'server_failed', [message ?? `The server answered ${response.status}.`, fix].filter(Boolean).join(' '))
}

async function json<T>(response: Response): Promise<T> {
  return (await response.json()) as T
}

async function* entriesIn({ body }: Response): AsyncGenerator<string> {
  if (!body) return
  for await (const line of linesOf(body)) {
    if (!line.endsWith('\n')) throw new MinutebookError('export_broken', 'The server broke off in the middle of a line; export again.')
    yield line.slice(0, -1)
  }
}

function causeOf(error: unknown): string {
  const { cause } = Object(error) as { readonly cause?: { readonly code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'no connection'
}
