// Finding 4: names of models without a limit, and threads without a limit, fill the memory until the process ends.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  heapFlags,
  measuredServer,
  type Answered,
  type MeasuredServer,
} from '../../../../tests/endurance/server/complexity/measured-server.ts'

const mega = 1 << 20

/**
 * All sizes are a quarter of what ended a process with a heap of 512 MB or more, and half as many threads for less than
 * half of the room: the same in less time.
 */
let server: MeasuredServer
beforeAll(async () => {
  server = await measuredServer({
    flags: heapFlags(120),
    settings: { MINUTEBOOK_MODELS: '{}', MINUTEBOOK_THREAD_LIMIT: String(16 * mega) },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const codeOf = ({ text }: Answered): string => {
  const { error } = JSON.parse(text) as { error: string | { code: string } }
  return typeof error === 'string' ? error : error.code
}

describe('a process with a small heap', () => {
  test.each([
    [
      '/api/chat',
      40,
      { 'minutebook-record': 'no' },
      (model: string) => ({ model, stream: false, messages: [{ role: 'user', content: 'Hello.' }] }),
    ],
    ['/v1/chat/completions', 5, {}, (model: string) => ({ model, messages: [{ role: 'user', content: 'Hello.' }] })],
    ['/v1/responses', 5, {}, (model: string) => ({ model, input: 'Hello.' })],
  ])('refuses names of models of 1 MB at %s, and goes on', async (path, times, headers, body) => {
    for (let count = 0; count < times; count++) {
      const { status, text } = await server.send({ path, headers, body: body(`${count} ${'x'.repeat(mega)}`) })
      expect([status, text.includes('200 characters')]).toEqual([400, true])
    }
    expect(server.ended()).toBeUndefined()
  })

  test('keeps nothing of 200 models that nobody has', async () => {
    const ask = (model: string): Promise<Answered> =>
      server.send({
        path: '/api/chat',
        headers: { 'minutebook-record': 'no' },
        body: { model, stream: false, messages: [{ role: 'user', content: 'Hello.' }] },
      })
    for (let count = 0; count < 20; count++) await ask(`warm ${count}`)
    const before = await server.heap()
    for (let count = 0; count < 200; count += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) => ask(`${count + index} ${'x'.repeat(190)}`)))
    expect(((await server.heap()) - before) / mega).toBeLessThan(40)
  })

  test('refuses what would make a thread too large, says what to do, and goes on', async () => {
    const image = 'A'.repeat(5 * mega)
    const ask = (count: number): Promise<Answered> =>
      server.send({
        path: '/api/chat',
        headers: { 'minutebook-thread': 'pictures' },
        body: {
          model: 'plain',
          stream: false,
          messages: [{ role: 'user', content: `Picture ${count}.`, images: [image] }],
        },
      })
    const answers: Answered[] = []
    for (let count = 0; count < 5; count++) answers.push(await ask(count))
    expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.slice(3).map(({ status }) => status)).toEqual([413, 413])
    expect(codeOf(answers[4]!)).toMatch(/new thread.*threadLimit/)
    expect(server.ended()).toBeUndefined()
  })

  test('holds no more of many large threads than of one, however little is sent to each', async () => {
    const image = 'B'.repeat(5 * mega)
    for (let thread = 0; thread < 7; thread++) {
      const headers = { 'minutebook-thread': `album-${thread}` }
      const say = (message: object): Promise<Answered> =>
        server.send({ path: '/api/chat', headers, body: { model: 'plain', stream: false, messages: [message] } })
      for (let count = 0; count < 2; count++)
        expect((await say({ role: 'user', content: `Picture ${count}.`, images: [image] })).status).toBe(200)
      expect((await say({ role: 'user', content: 'And now?' })).status).toBe(200)
    }
    expect(server.ended()).toBeUndefined()
  })

  test('holds no more of large threads that are read at once than there is room for', async () => {
    const { threads } = JSON.parse((await server.send({ method: 'GET', path: '/minutebook/v1/threads' })).text) as {
      threads: readonly { readonly thread: string }[]
    }
    const albums = threads.map(({ thread }) => thread).filter((thread) => thread.includes('album-'))
    expect(albums.length).toBe(7)
    // Whatever waits too long is refused: of each kind, something is sent early.
    const [speaking, reading] = await Promise.all([
      Promise.all(
        albums.map((_, thread) =>
          server.send({
            path: '/api/chat',
            headers: { 'minutebook-thread': `album-${thread}` },
            body: { model: 'plain', stream: false, messages: [{ role: 'user', content: 'And then?' }] },
          }),
        ),
      ),
      Promise.all(
        albums
          .flatMap((thread) => [thread, thread, thread])
          .map((thread) =>
            server.send({ method: 'GET', path: `/minutebook/v1/threads/${encodeURIComponent(thread)}/entries` }),
          ),
      ),
    ])
    expect(server.ended()).toBeUndefined()
    for (const answers of [reading, speaking]) {
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
      expect(
        answers
          .filter(({ status }) => status !== 200)
          .every(({ status, headers }) => status === 503 && headers.has('retry-after')),
      ).toBe(true)
    }
  })

  test('refuses items that would make a conversation too large', async () => {
    const { id } = JSON.parse((await server.send({ path: '/v1/conversations', body: {} })).text) as { id: string }
    const add = (): Promise<Answered> =>
      server.send({
        path: `/v1/conversations/${id}/items`,
        body: { items: [{ type: 'message', role: 'user', content: `${Math.random()} ${'x'.repeat(5 * mega)}` }] },
      })
    const answers = [await add(), await add(), await add(), await add()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 413])
    expect(codeOf(answers[3]!)).toBe('thread_too_large')
  })
})
