// How does a program ask a chat model over HTTP? In Ollama's protocol or OpenAI's, whole or as a stream, as it would ask an Ollama.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import type { WireMessage } from '../wire-message.ts'
import type { ChatAnswer, ChatModel } from './chat-model.ts'

/** What a server says of its one model. */
export interface ServedModel {
  readonly name: string
  /** Tokens of the context window. */
  readonly window: number
}

export interface ModelServer {
  /** Without a slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/** `port` 0: any free one. */
export async function serveModel(model: ChatModel, served: ServedModel, port: number): Promise<ModelServer> {
  const server = createServer((request, response) => {
    answerRequest(model, served, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else send(response, 500, { error: { message: String(error) } })
    })
  })
  // A request waits for the one before it, and a client may ask over a connection that is about to be closed.
  server.requestTimeout = 0
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => closed(server) }
}

async function answerRequest(
  model: ChatModel,
  served: ServedModel,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = `${request.method} ${(request.url ?? '/').split('?')[0]}`
  const protocol = protocols.get(route)
  const page = pageOf(route, served)
  if (protocol === undefined)
    return send(response, page ? 200 : 404, page ?? { error: { message: `no ${route} here` } })
  const asked = JSON.parse(await textOf(request)) as AskedChat
  const limit = asked.max_tokens ?? asked.options?.num_predict ?? usualLimit
  const { name } = served
  if (!(asked.stream ?? protocol.streams)) {
    return send(response, 200, protocol.whole(await model.answer(asked.messages, limit), name))
  }
  response.writeHead(200, { 'content-type': protocol.streamType })
  const answer = await model.answer(asked.messages, limit, (piece) => response.write(protocol.piece(piece, name)))
  response.end(protocol.end(answer, name))
}

/** What is read of a request in either protocol. */
interface AskedChat {
  readonly messages: readonly WireMessage[]
  readonly stream?: boolean
  readonly max_tokens?: number
  readonly options?: { readonly num_predict?: number }
}

/** Tokens of an answer, if the request does not say. */
const usualLimit = 64

/** How an answer is written. */
interface Protocol {
  /** Whether an answer is a stream if the request does not say. */
  readonly streams: boolean
  readonly streamType: string
  piece(text: string, model: string): string
  end(answer: ChatAnswer, model: string): string
  whole(answer: ChatAnswer, model: string): object
}

const created = 1_767_225_600
const day = '2026-01-01T00:00:00Z'

const protocols: ReadonlyMap<string, Protocol> = new Map([
  [
    'POST /v1/chat/completions',
    {
      streams: false,
      streamType: 'text/event-stream',
      piece: (content, model) => event(chunk(model, { delta: { content }, finish_reason: null })),
      end: (answer, model) =>
        `${event({ ...chunk(model, { delta: {}, finish_reason: answer.finish }), usage: usageOf(answer) })}data: [DONE]\n\n`,
      whole: (answer, model) => ({
        object: 'chat.completion',
        created,
        model,
        choices: [{ index: 0, message: { role: 'assistant', content: answer.text }, finish_reason: answer.finish }],
        usage: usageOf(answer),
      }),
    },
  ],
  [
    'POST /api/chat',
    {
      streams: true,
      streamType: 'application/x-ndjson',
      piece: (content, model) => line({ model, created_at: day, message: { role: 'assistant', content }, done: false }),
      end: (answer, model) => line(ollamaAnswer({ ...answer, text: '' }, model)),
      whole: ollamaAnswer,
    },
  ],
])

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}

function chunk(model: string, choice: object): object {
  return { object: 'chat.completion.chunk', created, model, choices: [{ index: 0, ...choice }] }
}

function usageOf({ promptTokens, answerTokens }: ChatAnswer): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: answerTokens,
    total_tokens: promptTokens + answerTokens,
  }
}

function ollamaAnswer({ text, finish, promptTokens, answerTokens }: ChatAnswer, model: string): object {
  const message = { role: 'assistant', content: text }
  const counts = { prompt_eval_count: promptTokens, eval_count: answerTokens }
  return { model, created_at: day, message, done: true, done_reason: finish, ...counts }
}

/** What the server says of itself, by method and path; undefined if there is no such page. */
function pageOf(route: string, { name, window }: ServedModel): object | undefined {
  const model = { name, model: name, size: 1, digest: name, details: { family: 'llama', parameter_size: '1.1B' } }
  switch (route) {
    case 'GET /v1/models':
      return { object: 'list', data: [{ id: name, object: 'model', created, owned_by: 'library' }] }
    case 'GET /api/version':
      return { version: '0.0.0-tinyllama' }
    case 'GET /api/tags':
      return { models: [{ ...model, modified_at: day }] }
    case 'GET /api/ps':
      return { models: [{ ...model, expires_at: day, size_vram: 0, context_length: window }] }
    case 'POST /api/show':
      return {
        details: model.details,
        model_info: { 'general.architecture': 'llama', 'llama.context_length': window },
        capabilities: ['completion'],
        modified_at: day,
      }
    default:
      return undefined
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
