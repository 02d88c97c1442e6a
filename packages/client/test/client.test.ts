import { getEventListeners } from 'node:events'
import { createServer, request as ask, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cases } from '../../../tests/support/runs.ts'
import { nativeServer } from '../../../tests/support/server/native.ts'
import { ApiError, createClient, createView, type MinutebookClient, type StreamEvent } from '../src/index.ts'

const thread = { path: { thread: 'garden' } }
const numbers = Array.from({ length: 12 }, (_, index) => `word${index}`).join(' ')

async function speaking(
  answer: string,
  delay = 0,
): Promise<{ readonly client: MinutebookClient; readonly url: string; readonly token: string }> {
  const { running } = await nativeServer({ answer, delay })
  const client = createClient({ url: running.url, key: running.token })
  await client.POST('/minutebook/v1/threads', { body: { thread: 'garden' } })
  return { client, url: running.url, token: running.token }
}

async function said(client: MinutebookClient, message: string): Promise<string> {
  const { data } = await client.POST('/minutebook/v1/threads/{thread}/turns', { params: thread, body: { message } })
  return data!.position
}

describe('a client', () => {
  test('speaks to every kind of name', async () => {
    const { client } = await speaking('ok')
    for (const name of ['a/b', '~x', 'a?b#c', '%2e']) {
      expect((await client.POST('/minutebook/v1/threads', { body: { thread: name } })).response.status).toBe(201)
      expect(
        (await client.GET('/minutebook/v1/threads/{thread}', { params: { path: { thread: name } } })).data?.thread,
      ).toBe(name)
    }
  })

  test('gets errors with code, message and fix', async () => {
    const { client } = await speaking('ok')
    const { error } = await client.GET('/minutebook/v1/threads/{thread}', { params: { path: { thread: 'nowhere' } } })
    expect(error?.error).toMatchObject({
      code: 'unknown_thread',
      message: expect.any(String) as string,
      fix: expect.any(String) as string,
    })
    const following = async (): Promise<void> => {
      for await (const _ of client.follow('nowhere')) break
    }
    await expect(following()).rejects.toMatchObject({ name: 'ApiError', status: 404, code: 'unknown_thread' })
    await expect(following()).rejects.toBeInstanceOf(ApiError)
  })

  test('follows across turns until its signal aborts, and to leave is not to stop', async () => {
    const { client } = await speaking('ok')
    const leaving = new AbortController()
    const seen: StreamEvent[] = []
    const following = (async () => {
      for await (const event of client.follow('garden', { from: '0.0.0', signal: leaving.signal })) {
        seen.push(event)
        if (seen.filter(({ event: name, data }) => name === 'end' && 'turn' in data && data.turn !== null).length === 2)
          leaving.abort()
      }
    })()
    for (const message of ['One', 'Two']) {
      const position = await said(client, message)
      for await (const _ of client.follow('garden', { from: position, until: 'rest' }));
    }
    await following
    expect(seen.filter(({ event }) => event === 'entry').length).toBe(4)
  })

  test('that waits for a server leaves no listener behind', async () => {
    const leaving = new AbortController()
    const listeners: number[] = []
    const fetch = async (): Promise<Response> => {
      if (listeners.push(getEventListeners(leaving.signal, 'abort').length) === 4) leaving.abort()
      return new Response(null, { status: 503, headers: { 'retry-after': '0.01' } })
    }
    const client = createClient({ url: 'http://127.0.0.1:9', fetch })
    for await (const _ of client.follow('garden', { signal: leaving.signal }));
    expect(listeners).toEqual([1, 1, 1, 1])
    expect(getEventListeners(leaving.signal, 'abort')).toEqual([])
  })

  test('a thread where nothing was said is at rest', async () => {
    const { client } = await speaking('ok')
    const seen: string[] = []
    for await (const { event } of client.follow('garden', { until: 'rest' })) seen.push(event)
    expect(seen).toEqual(['end'])
  })
})

test('whatever breaks on the way, what is shown is what is on record', async () => {
  const { client: direct, url, token } = await speaking(numbers, 5)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 40, max: 900 }), { maxLength: 5 }), async (cuts) => {
      const proxy = await breaking(url, cuts)
      const client = createClient({ url: proxy, key: token })
      const from = await said(direct, `Count ${Math.random()}.`)
      const view = createView()
      const texts: string[] = []
      for await (const event of client.follow('garden', { from, until: 'rest' })) {
        view.take(event)
        if (event.event === 'text') texts.push(view.text)
      }
      expect(view.entries.map(({ kind, text }) => (kind === 'user' ? kind : text))).toEqual(['user', numbers])
      for (const text of texts) expect(numbers.startsWith(text)).toBe(true)
    }),
    { numRuns: cases('few') },
  )
})

/** Breaks its connections off, each after so many bytes of the answer; those after the last cut stay whole. */
async function breaking(url: string, cuts: readonly number[]): Promise<string> {
  const left = [...cuts]
  const server: Server = createServer((incoming, response) => {
    const most = left.shift() ?? Infinity
    const forwarded = ask(
      `${url}${incoming.url}`,
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(url).host } },
      (answer) => {
        let sent = 0
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.on('data', (bytes: Buffer) => {
          response.write(bytes.subarray(0, Math.max(0, most - sent)))
          sent += bytes.length
          if (sent < most) return
          response.destroy()
          forwarded.destroy()
        })
        answer.on('end', () => response.end())
        answer.on('error', () => response.destroy())
      },
    )
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
