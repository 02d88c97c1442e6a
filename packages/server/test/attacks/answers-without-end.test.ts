// Finding 4: a model that is asked to go on for ever, or an answer of a gigabyte, fills the memory: all of it is held
// until it is on record.
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  heapFlags,
  measuredServer,
  type MeasuredServer,
} from '../../../../tests/endurance/server/complexity/measured-server.ts'

/** What comes again and again, by what the model is asked to do; as fast as it is taken. */
const endless: Readonly<Record<string, { readonly type: string; readonly begin: string; readonly again: string }>> = {
  'one JSON text': {
    type: 'application/json',
    begin: '{"choices":[{"index":0,"message":{"role":"assistant","content":"',
    again: 'lemon '.repeat(10_000),
  },
  'large events': {
    type: 'text/event-stream',
    begin: '',
    again: `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'lemon '.repeat(10_000) } }] })}\n\n`,
  },
  'small events': {
    type: 'text/event-stream',
    begin: '',
    again:
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'lemon '.repeat(20) } }] })}\n\n`.repeat(
        200,
      ),
  },
  'one event': { type: 'text/event-stream', begin: 'data: ', again: 'lemon '.repeat(10_000) },
}

/** For turns that the server runs: it asks in Ollama's protocol. */
const lines = {
  type: 'application/x-ndjson',
  begin: '',
  again:
    `${JSON.stringify({ model: 'plain', message: { role: 'assistant', content: 'lemon '.repeat(20) }, done: false })}\n`.repeat(
      200,
    ),
}

let kind = ''
let left = 0
function answer(response: ServerResponse): void {
  const { type, begin, again } = response.req.url === '/api/chat' ? lines : endless[kind]!
  response.writeHead(200, { 'content-type': type })
  response.write(begin)
  response.on('close', () => left++)
  const more = (): void => {
    while (!response.destroyed && response.write(again));
  }
  response.on('drain', more)
  more()
}

let server: MeasuredServer
beforeAll(async () => {
  server = await measuredServer({ flags: heapFlags(128), settings: { MINUTEBOOK_MODELS: '{}' }, answer })
})
afterAll(() => server[Symbol.asyncDispose]())

describe.each(Object.keys(endless))('an answer without end, as %s,', (name) => {
  test.each([
    [
      '/v1/chat/completions',
      { model: 'plain', stream: true, messages: [{ role: 'user', content: 'Go on for ever.' }] },
    ],
    ['/v1/responses', { model: 'plain', input: 'Go on for ever.' }],
  ])('is broken off at %s, the upstream is left, and the question stays on record', async (path, body) => {
    kind = name
    const before = left
    const { text } = await server.send({ path, body })
    expect(text.slice(-1000)).toContain('is longer than this server can hold')
    expect(server.ended()).toBeUndefined()
    await expect.poll(() => left).toBe(before + 1)
  })
})

test('an answer without end to a turn of the server is broken off, and the turn has failed', async () => {
  const api = '/minutebook/v1/threads'
  const before = left
  expect((await server.send({ path: api, body: { thread: 'for-ever', setup: { model: 'plain' } } })).status).toBe(201)
  const { turn } = JSON.parse(
    (await server.send({ path: `${api}/for-ever/turns`, body: { message: 'Go on for ever.' } })).text,
  ) as { turn: string }
  await expect
    .poll(
      async () =>
        (
          JSON.parse((await server.send({ method: 'GET', path: `${api}/for-ever/turns/${turn}` })).text) as {
            status: string
          }
        ).status,
    )
    .toBe('failed')
  expect(server.ended()).toBeUndefined()
  await expect.poll(() => left).toBe(before + 1)
})
