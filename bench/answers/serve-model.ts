// A model server for `npm run bench:answers`: TinyLlama 1.1B Chat with a window of 2,048 tokens. First run install.sh.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { WireMessage } from '../wire-message.ts'
import { loadChatModel, type ChatModel } from './chat-model.ts'

const { values: options } = parseArgs({
  options: {
    folder: {
      type: 'string',
      default: join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'minutebook-tinyllama'),
    },
    port: { type: 'string', default: '11500' },
    window: { type: 'string', default: '2048' },
    threads: { type: 'string', default: '1' },
  },
})

const name = 'tinyllama-1.1b-chat'
const model = await loadChatModel({
  folder: options.folder,
  window: Number(options.window),
  threads: Number(options.threads),
})
const server = createServer((request, response) => {
  answer(model, request, response).catch((error: unknown) => send(response, 500, { error: { message: String(error) } }))
})
// A request waits for the one before it.
server.requestTimeout = 0
server.listen(Number(options.port), '127.0.0.1', () =>
  console.log(`${name} on http://127.0.0.1:${options.port}/v1, a context window of ${options.window} tokens`),
)

async function answer(chat: ChatModel, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const route = `${request.method} ${request.url}`
  if (route === 'GET /v1/models') return send(response, 200, { object: 'list', data: [{ id: name, object: 'model' }] })
  if (route !== 'POST /v1/chat/completions') return send(response, 404, { error: { message: `no ${route} here` } })
  const pieces: Uint8Array[] = []
  for await (const piece of request) pieces.push(piece as Uint8Array)
  const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as ChatRequest
  if (body.stream === true) return send(response, 400, { error: { message: 'this server does not stream' } })
  const { text, promptTokens, answerTokens, dropped } = await chat.answer(body.messages, body.max_tokens ?? 64)
  send(response, 200, {
    object: 'chat.completion',
    model: name,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: answerTokens,
      total_tokens: promptTokens + answerTokens,
    },
    // Not part of the protocol: a real server says nothing of it.
    dropped,
  })
}

interface ChatRequest {
  readonly messages: readonly WireMessage[]
  readonly max_tokens?: number
  readonly stream?: boolean
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
