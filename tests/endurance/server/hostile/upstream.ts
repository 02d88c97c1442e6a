// A worker: a model that says `re: ` and what it was asked, as far as it reads. Says its address to whoever started it.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'

/** Bytes of a request that are looked at: the model and whether it is to stream stand at its beginning. */
const read = 4096

const server = createServer((request, response) => {
  let head = ''
  let length = 0
  request.on('data', (piece: Buffer) => {
    length += piece.length
    if (head.length < read) head += piece.toString('latin1', 0, read)
  })
  request.on('end', () => void answer(request.url ?? '', head, length, response).catch(() => response.destroy()))
})

async function answer(path: string, head: string, length: number, response: ServerResponse): Promise<void> {
  const isOllama = path.startsWith('/api/chat')
  if (!isOllama && !path.startsWith('/v1/chat/completions')) {
    const isKnown = path.startsWith('/v1/embeddings') || path.startsWith('/api/tags') || path.startsWith('/v1/models')
    return void response
      .writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
      .end(isKnown ? '{"data":[],"models":[]}' : '{"error":"not here"}')
  }
  const model = /"model":"(\w+)"/.exec(head)?.[1] ?? 'plain'
  if (model === 'slow') await pause(300)
  const text =
    model === 'long'
      ? 'lemon '.repeat(200_000)
      : length < read
        ? `re: ${/.*"content":"([^"]*)"/.exec(head)?.[1] ?? ''}`
        : 'ok'
  const streams = isOllama ? !head.includes('"stream":false') : head.includes('"stream":true')
  if (isOllama) {
    response.writeHead(200, { 'content-type': streams ? 'application/x-ndjson' : 'application/json' })
    return void response.end(
      `${JSON.stringify({ model, created_at: '2026-01-01T00:00:00Z', message: { role: 'assistant', content: text }, done: true, done_reason: 'stop', prompt_eval_count: 10, eval_count: 1 })}\n`,
    )
  }
  const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 }
  if (!streams)
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
        usage,
      }),
    )
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  response.end(`${chunk({ role: 'assistant', content: text }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
}

server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () =>
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
