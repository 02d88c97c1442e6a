// A model server that says one delta after the other at a fixed pace, each with the moment at which it was sent.
// Arguments of a request go in its model name: paced:<deltas>:<milliseconds>
// With --prompts it keeps a hash of every chat, and GET /prompts answers and forgets the hash of all of them.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listening.ts'
import { stampedWord, withoutStamps } from '../../tests/support/process/moment.ts'

const window = 131_072
const pages: Readonly<Record<string, object>> = {
  '/props': { default_generation_settings: { n_ctx: window } },
  '/v1/models': { object: 'list', data: [] },
  '/api/tags': { models: [] },
  '/api/ps': { models: [] },
  '/v1/embeddings': {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: Array.from({ length: 4096 }, (_, index) => index / 4096) }],
  },
  '/api/version': { version: '0.0.0-paced' },
  '/api/show': {
    model_info: { 'general.architecture': 'paced', 'paced.context_length': window },
    parameters: `num_ctx ${window}`,
    details: {},
    capabilities: ['completion'],
  },
}

const keepsPrompts = process.argv.includes('--prompts')
const prompts: string[] = []

listen(createServer((incoming, response) => void answer(incoming, response).catch(() => response.destroy())))

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Uint8Array[] = []
  for await (const piece of incoming) pieces.push(piece as Uint8Array)
  const path = (incoming.url ?? '/').split('?')[0] ?? '/'
  if (path === '/prompts') return send(response, 200, JSON.stringify(hashOf(prompts.splice(0).toSorted().join())))
  const speaks = dialects[path]
  if (!speaks) return page(path, response)
  const body = Buffer.concat(pieces).toString('utf8')
  if (keepsPrompts) prompts.push(hashOf(withoutStamps(body)))
  const { model, stream } = JSON.parse(body) as {
    readonly model: string
    readonly stream?: boolean
  }
  const [, deltas = '10', milliseconds = '20'] = model.split(':')
  const dialect = speaks(model)
  if (stream === false || (stream === undefined && path !== '/api/chat'))
    return send(response, 200, dialect.whole('A whole answer.'))
  response.socket?.setNoDelay(true)
  response.writeHead(200, { 'content-type': dialect.type })
  speak(response, dialect, Number(deltas), Number(milliseconds))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function speak(response: ServerResponse, dialect: Dialect, deltas: number, milliseconds: number): void {
  let said = 0
  const began = performance.now()
  const say = (): void => {
    if (response.destroyed) return
    response.write((said === 0 ? dialect.first : '') + dialect.delta(stampedWord()))
    if (++said < deltas) setTimeout(say, Math.max(0, began + said * milliseconds - performance.now()))
    // The end is a chunk of its own, as it is from a real model.
    else setTimeout(() => void response.end(dialect.last), milliseconds)
  }
  say()
}

interface Dialect {
  readonly type: string
  readonly first: string
  readonly last: string
  delta(text: string): string
  whole(text: string): string
}

function openAi(model: string): Dialect {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_767_225_600, model }
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
  return {
    type: 'text/event-stream',
    first: chunk({ role: 'assistant', content: '' }),
    last: `${chunk({}, 'stop')}data: [DONE]\n\n`,
    delta: (content) => chunk({ content }),
    whole: (content) =>
      JSON.stringify({
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage,
      }),
  }
}

function ollama(model: string): Dialect {
  const line = (content: string, end: object = { done: false }): string =>
    `${JSON.stringify({ model, created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content }, ...end })}\n`
  const end = { done: true, done_reason: 'stop', total_duration: 1e6, prompt_eval_count: 100, eval_count: 10 }
  return {
    type: 'application/x-ndjson',
    first: '',
    last: line('', end),
    delta: (text) => line(text),
    whole: (text) => line(text, end),
  }
}

function anthropic(model: string): Dialect {
  const event = (value: { readonly type: string; readonly [field: string]: unknown }): string =>
    `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null }
  const usage = { input_tokens: 100, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 10 }
  const block = { type: 'text', text: '' }
  return {
    type: 'text/event-stream',
    first:
      event({ type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } }) +
      event({ type: 'content_block_start', index: 0, content_block: block }),
    last:
      event({ type: 'content_block_stop', index: 0 }) +
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage }) +
      event({ type: 'message_stop' }),
    delta: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    whole: (text) => JSON.stringify({ ...head, content: [{ ...block, text }], stop_reason: 'end_turn', usage }),
  }
}

const dialects: Readonly<Record<string, (model: string) => Dialect>> = {
  '/api/chat': ollama,
  '/v1/chat/completions': openAi,
  '/v1/messages': anthropic,
}

function page(path: string, response: ServerResponse): void {
  const found = pages[path]
  send(response, found === undefined ? 404 : 200, JSON.stringify(found ?? { error: 'not found' }))
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
}
