import { parseJson } from 'minutebook/store'
import { fieldsOf } from 'minutebook/wire'
import { Buffer } from 'node:buffer'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { words } from '../builders.ts'
import {
  openRequest,
  readChat,
  reuseOf,
  usageFor,
  type Chat,
  type Demands,
  type Measured,
  type OpenRequest,
  type Refusal,
  type StrictUpstreamOptions,
  type UpstreamFaults,
} from './chat.ts'
import {
  answering,
  ollamaProtocol,
  openAiProtocol,
  type Protocol,
  type UpstreamAnswers,
  type UpstreamRequest,
} from './protocols.ts'

/** A strict server that listens on this machine. */
export interface StrictUpstream {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** All that it received, oldest first. */
  readonly requests: readonly UpstreamRequest[]
  /** Faults, or another answer, for the next chat that is in order. Can be called several times, for one chat each. */
  next(faults: UpstreamFaults & { readonly answer?: UpstreamAnswers }): void
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A local server that speaks Ollama's and OpenAI's chat protocols, refuses what strict servers refuse, fails as it is
 * told, and records every request byte for byte. Its answers are the same bytes every time.
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
export interface Serving {
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
      const visit = await receive(incoming, response)
      const { request } = visit
      requests.push(request)
      const protocol = request.method === 'POST' ? protocols.get(request.path) : undefined
      if (protocol) return chat(visit, protocol)
      const page = pageFor(request)
      if (page === undefined)
        return send(visit, {
          status: 404,
          body: JSON.stringify({ error: `there is no ${request.method} ${request.path}` }),
        })
      send(
        visit,
        typeof page === 'string'
          ? { status: 200, body: page, type: 'text/plain' }
          : { status: 200, body: JSON.stringify(page) },
      )
    },
  }

  function pageFor({ method, path, json }: UpstreamRequest): unknown {
    if (method === 'POST' && path === '/api/show')
      return names.includes(String(fieldsOf(json)['model'])) ? showing(options.limit ?? window) : undefined
    return method === 'GET' || method === 'HEAD' ? listing(path, names, window) : undefined
  }

  async function chat(visit: Visit, protocol: Protocol): Promise<void> {
    const { request } = visit
    const read = readChat(request.json, protocol, demands)
    if ('status' in read) return refuse(visit, protocol, read)
    record(request, read)
    const { answer: other, ...faults } = queue.shift() ?? {}
    const wrong: UpstreamFaults = { ...options, ...faults }
    const { failWith, errorText = 'this request was made to fail' } = wrong
    if (failWith !== undefined) return refuse(visit, protocol, { status: failWith, text: errorText })
    const said = await (other === undefined ? answer : answering(other))(request).catch((error: unknown) => ({
      thrown: String(error),
    }))
    if (said === undefined)
      return refuse(visit, protocol, {
        status: 500,
        text: `the upstream has no answer left for chat ${answers + 1}; give it more answers`,
      })
    if ('thrown' in said) return refuse(visit, protocol, { status: 500, text: said.thrown })
    const facts = {
      model: read.model,
      request: read.fields,
      number: answers++,
      usage: wrong.usage === false ? undefined : usageFor(said, read, demands),
    }
    const isWhole = wrong.whole === true || !protocol.streams(read.fields)
    const delivery: Delivery = isWhole
      ? { type: 'application/json', chunks: [protocol.whole(said, facts)], error: protocol.refusal(500, errorText) }
      : { type: protocol.streamType, chunks: protocol.chunks(said, facts), error: protocol.errorChunk(errorText) }
    request.status = 200
    await deliver(visit, delivery, wrong)
  }

  function record(request: OpenRequest, { model, prompt, seen }: Chat): void {
    const { messages, tools, total } = prompt
    const reuse = reuseOf(prompt, before.get(model))
    before.set(model, prompt)
    Object.assign(request, { messages, tools, tokens: total, seen: seen.messages, seenTokens: seen.tokens, reuse })
  }
}

const protocols: ReadonlyMap<string, Protocol> = new Map([
  ['/api/chat', ollamaProtocol],
  ['/v1/chat/completions', openAiProtocol],
])

/** A request, and where its answer goes. */
interface Visit extends Recipient {
  readonly request: OpenRequest
}

/** Reads the whole body. A client that goes away while it sends has sent nothing. */
async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<Visit> {
  let request: OpenRequest | undefined
  let isOver = false
  const closed = new Promise<void>((resolve) => void response.on('close', resolve)).then(() => {
    if (request) request.aborted = !isOver
  })
  const pieces: Uint8Array[] = []
  for await (const piece of incoming) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const text = bytes.toString('utf8')
  const { method = 'GET', url = '/', headers } = incoming
  request = openRequest({
    method,
    path: url.split('?')[0] ?? url,
    headers,
    bytes,
    text,
    json: text === '' ? undefined : parseJson(text),
    closed,
  })
  return { request, response, closed, over: () => void (isOver = true) }
}

function refuse(visit: Visit, protocol: Protocol, { status, text, code }: Refusal): void {
  send(visit, { status, body: protocol.refusal(status, text, code) })
}

function send(
  { request, response, over }: Visit,
  { status, body, type = 'application/json' }: { status: number; body: string; type?: string },
): void {
  request.status = status
  response.writeHead(status, { 'content-type': type })
  over()
  response.end(request.method === 'HEAD' ? '' : body)
}

/** An answer that is ready to go out. */
interface Delivery {
  readonly type: string
  readonly chunks: readonly string[]
  /** The chunk that says that the server failed. */
  readonly error: string
}

/** Where an answer goes. */
interface Recipient {
  readonly response: ServerResponse
  readonly closed: Promise<void>
  /** Says that from here on it is no longer the client that breaks off. */
  readonly over: () => void
}

/** Sends an answer, with all that goes wrong on the way. */
async function deliver(recipient: Recipient, { type, chunks, error }: Delivery, faults: UpstreamFaults): Promise<void> {
  const { response, closed, over } = recipient
  if (faults.stallAfter === 0) return closed
  if (faults.abortAfter === 0) return destroy(recipient)
  response.socket?.setNoDelay(true)
  response.writeHead(200, { 'content-type': type })
  for (let sent = 0; sent <= chunks.length; sent++) {
    if (sent === faults.stallAfter) return closed
    if (sent === faults.abortAfter) return destroy(recipient)
    if (sent === faults.endAfter) break
    if (sent === faults.errorAfter) {
      await write(recipient, error, faults, true)
      break
    }
    const chunk = chunks[sent]
    if (chunk === undefined) break
    if (faults.delay !== undefined) await setTimeout(faults.delay)
    await write(recipient, chunk, faults, sent === chunks.length - 1 && faults.stallAfter === undefined)
  }
  over()
  response.end()
}

/** Writes in pieces, each on its way before the next one follows, as long as somebody listens. */
async function write(
  { response, over }: Recipient,
  text: string,
  { split }: UpstreamFaults,
  isLast: boolean,
): Promise<void> {
  const bytes = Buffer.from(text)
  const step = split ?? Math.max(1, bytes.length)
  for (let from = 0; from < bytes.length && !response.destroyed; from += step) {
    if (isLast && from + step >= bytes.length) over()
    await new Promise<void>((resolve) => response.write(bytes.subarray(from, from + step), () => resolve()))
    await setImmediate()
  }
}

function destroy({ response, over }: Recipient): void {
  over()
  response.socket?.destroy()
}

/** What an upstream says about itself and its models, by path. Undefined: there is no such page. */
function listing(path: string, models: readonly string[], window: number): unknown {
  switch (path) {
    case '/':
      return 'Ollama is running'
    case '/api/version':
      return { version: '0.0.0-strict' }
    case '/api/tags':
      return {
        models: models.map((name) => ({ name, model: name, modified_at: time, size: 1, digest: name, details })),
      }
    case '/api/ps':
      return {
        models: models.map((name) => ({
          name,
          model: name,
          size: 1,
          digest: name,
          details,
          expires_at: time,
          size_vram: 1,
          context_length: window,
        })),
      }
    case '/v1/models':
      return {
        object: 'list',
        data: models.map((id) => ({ id, object: 'model', created: 1_767_225_600, owned_by: 'minutebook' })),
      }
    default:
      return undefined
  }
}

/** What `/api/show` says of one model. */
function showing(window: number): object {
  const info = { 'general.architecture': 'strict', 'strict.context_length': window }
  return {
    modelfile: '',
    parameters: '',
    template: '',
    details,
    model_info: info,
    capabilities: ['completion', 'tools', 'vision', 'thinking'],
    modified_at: time,
  }
}

const time = '2026-01-01T00:00:00Z'
const details = {
  parent_model: '',
  format: 'gguf',
  family: 'strict',
  families: ['strict'],
  parameter_size: '0B',
  quantization_level: 'none',
}
