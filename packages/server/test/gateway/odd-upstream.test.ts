import { user } from '@minutebook/testing'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { answersOf, gatewayBeforeOdd, writeInPieces } from './support/odd-upstream.ts'
import { paths, post } from './support/post.ts'

const chunk = (delta: object, finish: string | null = null, index = 0): string =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index, delta, finish_reason: finish }] })}`
const line = (content: string, done = false): string =>
  JSON.stringify({ message: { role: 'assistant', content }, done })
const sse = 'text/event-stream'
const ndjson = 'application/x-ndjson'
const body = (stream = true): object => ({ model: 'm', stream, messages: [user('Hello')] })

/** Streams as no server should send them, and as some do. */
const streams: readonly (readonly [
  name: string,
  wire: 'ollama' | 'openai',
  type: string,
  text: string,
  answer: string,
])[] = [
  [
    'line ends of two characters',
    'openai',
    sse,
    `${chunk({ content: 'Hi' })}\r\n\r\n${chunk({}, 'stop')}\r\n\r\ndata: [DONE]\r\n\r\n`,
    'complete: Hi',
  ],
  [
    'comments and names of events',
    'openai',
    sse,
    `: hi\n\nevent: a\nretry: 5\n${chunk({ content: 'Hi' })}\n\n: ping\n\n${chunk({}, 'stop')}\n\ndata: [DONE]\n\n: bye\n\n`,
    'complete: Hi',
  ],
  [
    'a byte order mark',
    'openai',
    `${sse}; charset=utf-8`,
    `\ufeff${chunk({ content: 'Hi' })}\n\n${chunk({}, 'stop')}\n\ndata: [DONE]\n\n`,
    'complete: Hi',
  ],
  ['no closing mark', 'openai', sse, `${chunk({ content: 'Hi' })}\n\n${chunk({}, 'stop')}\n\n`, 'complete: Hi'],
  [
    'no line end at the end',
    'openai',
    sse,
    `${chunk({ content: 'Hi' })}\n\n${chunk({}, 'stop')}\n\ndata: [DONE]`,
    'complete: Hi',
  ],
  [
    'two answers',
    'openai',
    sse,
    `${chunk({ content: 'Hi' })}\n\n${chunk({ content: 'Ho' }, null, 1)}\n\n${chunk({}, 'stop')}\n\n${chunk({ content: '!' }, 'stop', 1)}\n\ndata: [DONE]\n\n`,
    'complete: Hi',
  ],
  [
    'counts before the finish',
    'openai',
    sse,
    `data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n${chunk({ content: 'Hi' })}\n\n${chunk({}, 'stop')}\n\ndata: [DONE]\n\n`,
    'complete: Hi',
  ],
  ['a closing mark without a finish', 'openai', sse, `${chunk({ content: 'Hi' })}\n\ndata: [DONE]\n\n`, 'failed: Hi'],
  [
    'an error among events',
    'openai',
    sse,
    `${chunk({ content: 'Hi' })}\n\ndata: {"error":{"message":"no"}}\n\n`,
    'failed: Hi',
  ],
  [
    'garbage between events',
    'openai',
    sse,
    `${chunk({ content: 'Hi' })}\n\ndata: {"choi\n\n${chunk({}, 'stop')}\n\ndata: [DONE]\n\n`,
    'complete: Hi',
  ],
  ['line ends of two characters', 'ollama', ndjson, `${line('Hi')}\r\n${line('', true)}\r\n`, 'complete: Hi'],
  ['empty lines', 'ollama', ndjson, `\n${line('Hi')}\n\n\n${line('', true)}\n\n`, 'complete: Hi'],
  ['no line end at the end', 'ollama', ndjson, `${line('Hi')}\n${line('', true)}`, 'complete: Hi'],
  ['the type of a whole response', 'ollama', 'application/json', `${line('Hi')}\n${line('', true)}\n`, 'complete: Hi'],
  ['something behind the end', 'ollama', ndjson, `${line('Hi', true)}\n${line('more')}\n`, 'complete: Hi'],
  ['an error among lines', 'ollama', ndjson, `${line('Hi')}\n{"error":"no"}\n`, 'failed: Hi'],
]

describe('a stream with', () => {
  test.each(streams)('%s (%s) reaches the client byte for byte', async (_, wire, type, text, answer) => {
    for (const split of [text.length, 3]) {
      const running = await gatewayBeforeOdd((response) => {
        response.writeHead(200, { 'content-type': type, 'x-request-id': 'r1' })
        writeInPieces(response, text, split)
      })
      const seen = await post(running.url, paths[wire], body())
      expect([seen.text, seen.headers['content-type'], seen.headers['x-request-id']]).toEqual([text, type, 'r1'])
      expect(await answersOf(running)).toEqual([answer])
    }
  })
})

describe('an upstream', () => {
  test('that does not hang up after its answer keeps nobody waiting', async () => {
    const running = await gatewayBeforeOdd((response) => {
      response.writeHead(200, { 'content-type': sse })
      response.write(`${chunk({ content: 'Hi' })}\n\n${chunk({}, 'stop')}\n\ndata: [DONE]\n\n`)
    })
    const response = await request(`${running.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body()),
    })
    let text = ''
    response.body.on('data', (bytes: Buffer) => void (text += bytes.toString())).on('error', () => undefined)
    await expect.poll(() => text).toContain('[DONE]')
    expect(await answersOf(running)).toEqual(['complete: Hi'])
    response.body.destroy()
  })

  test('that breaks off after its answer has answered', async () => {
    const running = await gatewayBeforeOdd((response) => {
      response.writeHead(200, { 'content-type': ndjson })
      response.write(`${line('Hi')}\n${line('', true)}\n`, () => response.socket?.destroy())
    })
    const seen = await post(running.url, '/api/chat', body())
    expect(seen.text).toBe(`${line('Hi')}\n${line('', true)}\n`)
    expect(await answersOf(running)).toEqual(['complete: Hi'])
  })

  test('that compresses what it was asked not to is passed on, and is no answer that we know', async () => {
    const packed = gzipSync(`${line('Hi', true)}\n`)
    const running = await gatewayBeforeOdd((response) =>
      response.writeHead(200, { 'content-type': ndjson, 'content-encoding': 'gzip' }).end(packed),
    )
    const response = await request(`${running.url}/api/chat`, { method: 'POST', body: JSON.stringify(body()) })
    expect(Buffer.from(await response.body.arrayBuffer()).equals(packed)).toBe(true)
    expect(await answersOf(running)).toEqual([])
  })

  test('is asked for nothing compressed, and told nothing that is between the client and us', async () => {
    let headers: Record<string, unknown> = {}
    const running = await gatewayBeforeOdd((response, { headers: came }) => {
      headers = came
      response.writeHead(200, { 'content-type': ndjson }).end(`${line('Hi', true)}\n`)
    })
    await post(running.url, '/api/chat', body(), {
      'accept-encoding': 'gzip, br',
      'minutebook-thread': 'mine',
      'idempotency-key': 'k',
      authorization: 'Bearer theirs',
      'x-own': '1',
    })
    expect(headers).toMatchObject({ 'accept-encoding': 'identity', authorization: 'Bearer theirs', 'x-own': '1' })
    expect(Object.keys(headers).filter((name) => name.startsWith('minutebook-'))).toEqual([])
  })

  test('that says nothing for a while is waited for, and left when the client leaves', async () => {
    let [isAsked, isClosed] = [false, false]
    const running = await gatewayBeforeOdd((response) => {
      isAsked = true
      response.on('close', () => (isClosed = true))
    })
    const leaving = new AbortController()
    const left = request(`${running.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify(body()),
      signal: leaving.signal,
    })
    await expect.poll(() => isAsked).toBe(true)
    await setTimeout(100)
    expect(isClosed).toBe(false)
    leaving.abort()
    await expect(left).rejects.toThrow()
    await expect.poll(() => isClosed).toBe(true)
  })

  test('is read no faster than the client reads', async () => {
    let written = 0
    const text = `${JSON.stringify({ own: 'x'.repeat(1000), message: { content: '' }, done: false })}\n`
    const running = await gatewayBeforeOdd((response) => {
      response.writeHead(200, { 'content-type': ndjson })
      const more = (): void => {
        while (written < 30_000) {
          written++
          if (!response.write(text)) return void response.once('drain', more)
        }
        response.end(`${line('', true)}\n`)
      }
      more()
    })
    const response = await request(`${running.url}/api/chat`, { method: 'POST', body: JSON.stringify(body()) })
    for (let before = -1; before !== written; await setTimeout(250)) before = written
    expect(written).toBeLessThan(30_000)
    expect((await response.body.text()).length).toBe(30_000 * text.length + line('', true).length + 1)
  })
})
