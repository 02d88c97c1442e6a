import OpenAI from 'openai'
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses'
import type { Message } from 'minutebook'
import type { StrictUpstream, StrictUpstreamOptions } from '@minutebook/testing/server'
import type { Config, Running, ServeOptions } from '../../../src/index.ts'
import { gatewayBefore } from '../../../../../tests/support/server/gateway.ts'

/** The official client before a server with a strict upstream. */
export interface Seat {
  readonly client: OpenAI
  readonly upstream: StrictUpstream
  readonly running: Running
}

export async function seat(
  upstream: StrictUpstreamOptions = {},
  settings: Partial<Config> = {},
  options: ServeOptions = {},
): Promise<Seat> {
  const before = await gatewayBefore(upstream, settings, options)
  return { ...before, client: clientOf(before.running) }
}

export function clientOf(
  { url }: Pick<Running, 'url'>,
  key = 'none',
  headers: Readonly<Record<string, string>> = {},
): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, defaultHeaders: headers })
}

/** What a client is given: the response, and the events it came in. */
export interface Given {
  readonly response: Response
  readonly events: readonly ResponseStreamEvent[]
}

/** Asks, streamed or not; a stream is also put together by the client's own helper, which checks it. */
export async function given(
  client: OpenAI,
  params: ResponseCreateParamsNonStreaming,
  streams: boolean,
): Promise<Given> {
  if (!streams) return { response: await client.responses.create(params), events: [] }
  const stream = client.responses.stream({ ...params, stream: true })
  const events: ResponseStreamEvent[] = []
  for await (const event of stream) events.push(event)
  const last = events.at(-1)
  const { output_text: text } = await stream.finalResponse()
  if (!last || !('response' in last)) throw new Error(`the stream ends with ${last?.type}`)
  return { response: { ...last.response, output_text: text }, events }
}

/** What an error of the client says. */
export async function failure(
  asked: Promise<unknown>,
): Promise<{ readonly status: unknown; readonly code: unknown; readonly param: unknown; readonly message: string }> {
  try {
    await asked
  } catch (error) {
    const { status, code, param, message } = error as {
      status?: unknown
      code?: unknown
      param?: unknown
      message: string
    }
    return { status, code, param, message }
  }
  throw new Error('nothing failed')
}

/** The messages that the upstream was asked with last. */
export function sent({ upstream }: Pick<Seat, 'upstream'>): readonly Message[] {
  return upstream.requests.filter(({ path }) => path === '/v1/chat/completions').at(-1)?.messages ?? []
}

/** The same in brief: a letter for each role, and what was said. */
export function brief(messages: readonly Message[]): string[] {
  return messages.map(
    ({ role, content, tool_calls: calls }) =>
      `${role[0]}:${typeof content === 'string' ? content : content ? JSON.stringify(content) : ''}${Array.isArray(calls) ? `+${calls.length}` : ''}`,
  )
}

/** The body that the upstream was asked with last. */
export function body({ upstream }: Pick<Seat, 'upstream'>): Readonly<Record<string, unknown>> {
  return upstream.requests.findLast(({ path }) => path === '/v1/chat/completions')?.json as Readonly<
    Record<string, unknown>
  >
}

export async function threadsOf(running: Running, tenant = 'default'): Promise<readonly string[]> {
  const { threads } = await running.services.stores.of(tenant).store.list({ limit: 1000 })
  return threads.map(({ thread }) => thread).filter((thread) => !thread.startsWith('minutebook:'))
}

/** An upstream that repeats what it was asked last, in the order of its questions. */
export function echo({ messages }: { readonly messages: readonly Message[] }): string {
  const { content } = messages.at(-1) ?? {}
  return `heard ${typeof content === 'string' ? content : JSON.stringify(content)}`
}
