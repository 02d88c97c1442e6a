import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson } from '../../log/json.ts'
import { fieldsOf } from '../../models/wire.ts'
import { words } from '../words.ts'
import { answering, type UpstreamAnswers } from './answer.ts'
import { readChat, usageFor, type Chat, type Demands, type Refusal } from './chat.ts'
import { deliver, type Delivery, type Recipient } from './delivery.ts'
import type { UpstreamFaults } from './faults.ts'
import { listing, showing } from './listing.ts'
import { reuseOf, type Measured } from './meter.ts'
import { ollamaProtocol } from './ollama-protocol.ts'
import { openAiProtocol } from './openai-protocol.ts'
import type { StrictUpstreamOptions } from './options.ts'
import type { Protocol } from './protocol.ts'
import { openRequest, type OpenRequest, type UpstreamRequest } from './request.ts'

/** What a server does with each request. */
export interface Serving {
  readonly requests: readonly UpstreamRequest[]
  readonly next: (faults: UpstreamFaults & { readonly answer?: UpstreamAnswers }) => void
  serve(incoming: IncomingMessage, response: ServerResponse): Promise<void>
}

export function serving(options: StrictUpstreamOptions): Serving {
  const demands: Demands = { ...options, counter: options.counter ?? words, profile: options.profile ?? {}, ...(options.limit !== undefined && { window: options.limit }) }
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
      if (page === undefined) return send(visit, { status: 404, body: JSON.stringify({ error: `there is no ${request.method} ${request.path}` }) })
      send(visit, typeof page === 'string' ? { status: 200, body: page, type: 'text/plain' } : { status: 200, body: JSON.stringify(page) })
    },
  }

  function pageFor({ method, path, json }: UpstreamRequest): unknown {
    if (method === 'POST' && path === '/api/show') return names.includes(String(fieldsOf(json)['model'])) ? showing(options.limit ?? window) : undefined
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
    const said = await (other === undefined ? answer : answering(other))(request).catch((error: unknown) => ({ thrown: String(error) }))
    if (said === undefined) return refuse(visit, protocol, { status: 500, text: `the upstream has no answer left for chat ${answers + 1}; give it more answers` })
    if ('thrown' in said) return refuse(visit, protocol, { status: 500, text: said.thrown })
    const facts = { model: read.model, request: read.fields, number: answers++, usage: wrong.usage === false ? undefined : usageFor(said, read, demands) }
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
  request = openRequest({ method, path: url.split('?')[0] ?? url, headers, bytes, text, json: text === '' ? undefined : parseJson(text), closed })
  return { request, response, closed, over: () => void (isOver = true) }
}

function refuse(visit: Visit, protocol: Protocol, { status, text, code }: Refusal): void {
  send(visit, { status, body: protocol.refusal(status, text, code) })
}

function send({ request, response, over }: Visit, { status, body, type = 'application/json' }: { status: number; body: string; type?: string }): void {
  request.status = status
  response.writeHead(status, { 'content-type': type })
  over()
  response.end(request.method === 'HEAD' ? '' : body)
}
