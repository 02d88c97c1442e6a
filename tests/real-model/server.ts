import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ollamaChat } from './chat-ollama.ts'
import { openAiChat } from './chat-openai.ts'
import { answerChat, promptOf, send, type Desk } from './chat.ts'
import type { ChatProtocol } from './chat-protocol.ts'
import { BadRequest, commonOf, fieldsOf, type Fields } from './chat-request.ts'
import { openEngine, type Engine } from './engine.ts'
import type { Seen } from './seen.ts'
import { pageOf } from './server-pages.ts'

/**
 * A server on the real engine, as llama.cpp's own would be: it refuses a prompt that is too long, and never cuts one.
 */
export interface EngineServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** Every chat, as the engine saw it, oldest first. */
  readonly seen: readonly Seen[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface EngineServerOptions {
  readonly contextSize: number
  /** The name of the one model. */
  readonly model?: string
  /** Any free one unless told. */
  readonly port?: number
  readonly host?: string
  /** Shared with others who close it, where given. */
  readonly engine?: Engine
  /** Whether it has pages on which it says what it is, its window among it. Default: true. */
  readonly tells?: boolean
}

export async function serveEngine({
  contextSize,
  model = 'tiny',
  port = 0,
  host = '127.0.0.1',
  engine: shared,
  tells = true,
}: EngineServerOptions): Promise<EngineServer> {
  const engine = shared ?? (await openEngine())
  const seen: Seen[] = []
  const desk: Desk = { engine, contextSize, model, seen }
  const server = createServer((incoming, response) => {
    answerRequest(desk, tells, incoming, response).catch(() => response.destroy())
  })
  // The engine keeps the process busy, and a client would ask over a connection that is about to be closed.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(port, host, resolve))
  const close = async (): Promise<void> => {
    await closed(server)
    if (shared === undefined) await engine.close()
  }
  return { url: urlOf(server, host), seen, close, [Symbol.asyncDispose]: close }
}

const protocols: ReadonlyMap<string, ChatProtocol> = new Map([
  ['POST /v1/chat/completions', openAiChat],
  ['POST /api/chat', ollamaChat],
])

async function answerRequest(
  desk: Desk,
  tells: boolean,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = `${incoming.method} ${(incoming.url ?? '/').split('?')[0]}`
  const protocol = protocols.get(route)
  try {
    const fields = await bodyOf(incoming)
    if (protocol) return await answerChat(desk, protocol, protocol.read(fields), response)
    const page = (tells ? pageOf(route, desk) : undefined) ?? tool(desk, route, fields)
    send(
      response,
      page === undefined ? 404 : 200,
      JSON.stringify(page ?? { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }),
    )
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error
    send(response, 400, (protocol ?? openAiChat).error(400, error.message))
  }
}

/** What llama.cpp's server offers to those who count before they ask. */
function tool({ engine }: Desk, route: string, fields: Fields): object | undefined {
  switch (route) {
    case 'POST /tokenize':
      return { tokens: engine.tokens(typeof fields['content'] === 'string' ? fields['content'] : '') }
    case 'POST /apply-template':
      return { prompt: promptOf(commonOf(fields)) }
    case 'POST /v1/chat/completions/input_tokens':
      return { object: 'response.input_tokens', input_tokens: engine.tokenize(promptOf(commonOf(fields))) }
    default:
      return undefined
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<Fields> {
  const pieces: Uint8Array[] = []
  for await (const piece of incoming) pieces.push(piece as Uint8Array)
  const text = Buffer.concat(pieces).toString('utf8')
  try {
    return fieldsOf(text === '' ? {} : (JSON.parse(text) as unknown))
  } catch {
    throw new BadRequest('the body is not JSON')
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  return `http://${host}:${typeof address === 'object' ? address?.port : address}`
}
