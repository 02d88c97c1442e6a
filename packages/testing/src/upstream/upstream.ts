import { fieldsOf } from 'minutebook/wire'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { words } from '../builders.ts'
import {
  cacheUse,
  findLockedOut,
  readChat,
  usageFor,
  type CacheUse,
  type Chat,
  type Demands,
  type OpenRequest,
  type Refusal,
  type StrictUpstreamOptions,
  type UpstreamFaults,
} from './chat.ts'
import { deliver, receive, refuse, send, type Connection, type Delivery } from './delivery.ts'
import { anthropicProtocol } from './anthropic.ts'
import { anthropicModels, pageAt, showModel } from './pages.ts'
import { reuseOf, type Measured } from './prompt.ts'
import {
  answering,
  ollamaProtocol,
  openAiProtocol,
  type Protocol,
  type UpstreamAnswers,
  type UpstreamRequest,
} from './protocols.ts'
import { responsesProtocol } from './responses.ts'

/** A strict server that listens on this machine. */
export interface StrictUpstream {
  /** Its address, without a slash at the end. */
  readonly url: string
  /** All that it received, oldest first. */
  readonly requests: readonly UpstreamRequest[]
  /** Faults, or another answer, for the next chat that is in order. Can be called several times, for one chat each. */
  next(faults: UpstreamFaults & { readonly answer?: UpstreamAnswers }): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A local server that speaks the chat protocols of Ollama, OpenAI and Anthropic, refuses what strict servers refuse,
 * fails on demand, and records every request byte for byte. Its answers are the same bytes every time.
 *
 * @example
 * await using upstream = await strictUpstream({ answer: ['Hello.', { calls: [{ name: 'now' }] }], window: 4096 })
 * const client = new Ollama({ host: upstream.url })
 */
export async function strictUpstream(options: StrictUpstreamOptions = {}): Promise<StrictUpstream> {
  const upstream = serving(options)
  const server = createServer((incoming, response) => {
    upstream.serve(incoming, response).catch(() => response.socket?.destroy())
  })
  // On a busy machine, a client may ask over a connection that is about to be closed because it was idle.
  server.keepAliveTimeout = 600_000
  const url = await listen(server)
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, requests: upstream.requests, next: upstream.next, close, [Symbol.asyncDispose]: close }
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
    })
  })
}

/** What a server does with each request. */
interface Serving {
  readonly requests: readonly UpstreamRequest[]
  readonly next: (faults: UpstreamFaults & { readonly answer?: UpstreamAnswers }) => void
  serve(incoming: IncomingMessage, response: ServerResponse): Promise<void>
}

function serving(options: StrictUpstreamOptions): Serving {
  const demands: Demands = {
    ...options,
    counter: options.counter ?? words,
    profile: options.profile ?? {},
    ...(options.limit !== undefined && { window: options.limit }),
  }
  const names = options.models ?? ['strict']
  const window = options.claims ?? options.window ?? 4096
  const requests: OpenRequest[] = []
  const queue: (UpstreamFaults & { readonly answer?: UpstreamAnswers })[] = []
  const answer = answering(options.answer ?? 'ok')
  const before = new Map<string, Measured>()
  let answers = 0

  return {
    requests,
    next: (faults) => void queue.push(faults),
    serve: async (incoming, response) => {
      const connection = await receive(incoming, response)
      const { request } = connection
      requests.push(request)
      const protocol = protocolOf(request)
      if (protocol) return chat(connection, protocol)
      if (request.method === 'POST' && request.path === '/v1/messages/count_tokens') return count(connection)
      const page = pageFor(request)
      if (page === undefined)
        return send(connection, {
          status: 404,
          body: JSON.stringify({ error: `there is no ${request.method} ${request.path}` }),
        })
      send(
        connection,
        typeof page === 'string'
          ? { status: 200, body: page, type: 'text/plain' }
          : { status: 200, body: JSON.stringify(page) },
      )
    },
  }

  function protocolOf({ method, path }: UpstreamRequest): Protocol | undefined {
    if (method !== 'POST') return undefined
    return options.responses === true && path === '/v1/responses' ? responsesProtocol : protocols.get(path)
  }

  function pageFor({ method, path, json, headers }: UpstreamRequest): unknown {
    if (method === 'POST' && path === '/api/show')
      return names.includes(String(fieldsOf(json)['model'])) ? showModel(options.limit ?? window) : undefined
    if (method === 'GET' && path === '/v1/models' && headers['anthropic-version'] !== undefined)
      return anthropicModels(names, window)
    return method === 'GET' || method === 'HEAD' ? pageAt(path, names, window) : undefined
  }

  async function chat(connection: Connection, protocol: Protocol): Promise<void> {
    const { request } = connection
    const asked = protocol.chatOf ? protocol.chatOf(request.json) : request.json
    const read =
      findLockedOut(request.headers, protocol, demands) ??
      (isRefusal(asked) ? asked : readChat(asked, protocol, demands))
    if ('status' in read) return refuse(connection, protocol, read)
    const cache = record(request, read)
    const { answer: other, ...faults } = queue.shift() ?? {}
    const wrong: UpstreamFaults = { ...options, ...faults }
    const { failWith, errorText = 'this request was made to fail' } = wrong
    if (failWith !== undefined) return refuse(connection, protocol, { status: failWith, text: errorText })
    const said = await (other === undefined ? answer : answering(other))(request).catch((error: unknown) => ({
      thrown: String(error),
    }))
    if (said === undefined)
      return refuse(connection, protocol, {
        status: 500,
        text: `the upstream has no answer left for chat ${answers + 1}; give it more answers`,
      })
    if ('thrown' in said) return refuse(connection, protocol, { status: 500, text: said.thrown })
    const facts = {
      model: read.model,
      request: read.fields,
      number: answers++,
      usage: wrong.usage === false ? undefined : usageFor(said, read, cache, demands),
      written: cache.written,
    }
    const isWhole = wrong.whole === true || !protocol.streams(read.fields)
    const delivery: Delivery = isWhole
      ? { type: 'application/json', chunks: [protocol.whole(said, facts)], error: protocol.refusal(500, errorText) }
      : { type: protocol.streamType, chunks: protocol.chunks(said, facts), error: protocol.errorChunk(errorText) }
    request.status = 200
    await deliver(connection, delivery, wrong)
  }

  /** The count of a prompt's tokens, also of one that is too long. */
  function count(connection: Connection): void {
    const { json, headers } = connection.request
    const { window: _, ...endless } = demands
    const read = findLockedOut(headers, anthropicProtocol, demands) ?? readChat(json, anthropicProtocol, endless, true)
    if ('status' in read) return refuse(connection, anthropicProtocol, read)
    send(connection, { status: 200, body: JSON.stringify({ input_tokens: read.prompt.total }) })
  }

  function record(request: OpenRequest, { model, prompt, seen }: Chat): CacheUse {
    const { messages, tools, total } = prompt
    const last = before.get(model)
    const reuse = reuseOf(prompt, last)
    before.set(model, prompt)
    Object.assign(request, { messages, tools, tokens: total, seen: seen.messages, seenTokens: seen.tokens, reuse })
    return cacheUse(prompt, reuse, last)
  }
}

function isRefusal(value: unknown): value is Refusal {
  return 'status' in fieldsOf(value)
}

const protocols: ReadonlyMap<string, Protocol> = new Map([
  ['/api/chat', ollamaProtocol],
  ['/v1/chat/completions', openAiProtocol],
  ['/v1/messages', anthropicProtocol],
])
