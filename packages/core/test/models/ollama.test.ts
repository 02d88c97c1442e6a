import type { Message } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { dot, ollamaPicture, user } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { Ollama } from 'ollama'
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import { listen, requestOf, textOf, type Heard } from '../../../../tests/support/wires.ts'

let spies: MockInstance[] = []
beforeEach(() => {
  spies = (['log', 'warn', 'error', 'info', 'debug'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  )
})
afterEach(() => vi.restoreAllMocks())

/** A model whose server answers with this. */
function behind(answer: () => Response | Promise<Response>): ReturnType<typeof ollamaModel> {
  return ollamaModel(new Ollama({ fetch: async () => answer() }), { model: 'm' })
}

const ask = (model: ReturnType<typeof ollamaModel>): Promise<Heard> => listen(model(requestOf([user('a')])))
const line = (content: string, done: boolean = false): string =>
  `${JSON.stringify({ message: { role: 'assistant', content }, done, ...(done && { done_reason: 'stop' }) })}\n`

describe('what the server is told', () => {
  const sent = async (options: Partial<Parameters<typeof ollamaModel>[1]>, window: number = 2048): Promise<unknown> => {
    await using upstream = await strictUpstream()
    await listen(
      ollamaModel(new Ollama({ host: upstream.url }), { model: 'm', ...options })(requestOf([user('a')], { window })),
    )
    return upstream.requests[0]?.json
  }

  test('the window of the prompt, and to cut nothing', async () => {
    expect(await sent({})).toEqual({
      model: 'm',
      messages: [user('a')],
      stream: true,
      truncate: false,
      shift: false,
      options: { num_ctx: 2048 },
    })
  })

  test('a window of the caller, where the caller names one', async () => {
    expect(await sent({ options: { num_ctx: 8192, temperature: 0 } })).toMatchObject({
      options: { num_ctx: 8192, temperature: 0 },
    })
    expect(await sent({ options: { temperature: 0 } })).toMatchObject({ options: { num_ctx: 2048, temperature: 0 } })
  })

  test('options that the client does not know, and still the window', async () => {
    expect(await sent({ options: { temperature: 0 }, extra: { options: { own: 1, temperature: 1 } } })).toMatchObject({
      options: { num_ctx: 2048, temperature: 1, own: 1 },
    })
  })

  test('no misspelt field: the types refuse it', () => {
    // @ts-expect-error it is keep_alive
    expect(ollamaModel(new Ollama(), { model: 'm', kep_alive: '5m' }).model).toBe('m')
    // @ts-expect-error it is num_ctx
    expect(ollamaModel(new Ollama(), { model: 'm', options: { num_ctxt: 1 } }).model).toBe('m')
  })

  test('what the caller says of cutting', async () => {
    expect(await sent({ extra: { truncate: true, shift: true } })).toMatchObject({ truncate: true, shift: true })
  })
})

describe('an image', () => {
  const path = `/tmp/minutebook${process.pid}`.padEnd(24, 'x')
  beforeEach(() => writeFileSync(path, 'a secret file'))
  afterEach(() => rmSync(path))

  test('whose base64 happens to be the path of a file is not that file', async () => {
    expect(existsSync(path)).toBe(true)
    await using upstream = await strictUpstream()
    const client = new Ollama({ host: upstream.url })
    expect(
      await listen(ollamaModel(client, { model: 'm' })(requestOf([ollamaPicture('look', path, dot)]))),
    ).not.toHaveProperty('error')
    expect(upstream.requests[0]?.messages).toEqual([ollamaPicture('look', path, dot)])
    // What the client does by itself: the day it stops, this test can go.
    await client.chat({ model: 'm', messages: [ollamaPicture('look', path)] })
    expect(upstream.requests[1]?.messages).toEqual([
      ollamaPicture('look', Buffer.from('a secret file').toString('base64')),
    ])
  })

  test('can be in a message that nobody may change', async () => {
    await using upstream = await strictUpstream()
    const message = Object.freeze({ ...ollamaPicture('look', dot), images: Object.freeze([dot]) }) as Message
    const heard = await listen(
      ollamaModel(new Ollama({ host: upstream.url }), { model: 'm' })(requestOf(Object.freeze([message]))),
    )
    expect(heard).not.toHaveProperty('error')
    expect(upstream.requests[0]?.messages).toEqual([message])
  })
})

describe('the client', () => {
  const ongoing = (client: Ollama): number =>
    (client as unknown as { ongoingStreamedRequests: unknown[] }).ongoingStreamedRequests.length

  test('aborts our calls with its own, and only where it is asked to', async () => {
    await using upstream = await strictUpstream({ answer: 'one two three', stallAfter: 2 })
    const client = new Ollama({ host: upstream.url })
    const { error } = await listen(
      ollamaModel(client, { model: 'm' })(requestOf([user('a')])),
      (count) => count === 2 && client.abort(),
    )
    expect(error).toMatchObject({ code: 'model_aborted' })
    await upstream.requests[0]?.closed
    expect(upstream.requests[0]?.aborted).toBe(true)
  })

  test.each([
    ['an answer', {}],
    ['a cut', { endAfter: 1 }],
    ['an error', { errorAfter: 1 }],
    ['a refusal', { failWith: 400 }],
    ['a broken connection', { abortAfter: 1 }],
  ])('keeps nothing of a call after %s', async (_, faults) => {
    await using upstream = await strictUpstream({ answer: 'one two three', ...faults })
    const client = new Ollama({ host: upstream.url })
    await ask(ollamaModel(client, { model: 'm' }))
    expect(ongoing(client)).toBe(0)
  })

  test('keeps nothing of a call that was aborted or left', async () => {
    await using upstream = await strictUpstream({ answer: 'one two three', stallAfter: 2 })
    const client = new Ollama({ host: upstream.url })
    const controller = new AbortController()
    await listen(ollamaModel(client, { model: 'm' })(requestOf([user('a')], { signal: controller.signal })), () =>
      controller.abort(),
    )
    for await (const event of ollamaModel(client, { model: 'm' })(requestOf([user('a')]))) {
      expect(event.type).toBe('text')
      expect(ongoing(client)).toBe(1)
      break
    }
    expect(ongoing(client)).toBe(0)
  })
})

describe('an answer that is out of order', () => {
  afterEach(() => {
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  })

  test('a line that is not JSON is an error, not a gap', async () => {
    const heard = await ask(behind(() => new Response(`${line('one ')}<html>secret\n${line('two', true)}`)))
    expect(heard.error).toMatchObject({ code: 'model_error' })
    expect(heard.error?.message).toMatch(/line that is not JSON/)
    expect(heard.error?.message).not.toContain('secret')
    expect(textOf(heard)).toBe('one ')
  })

  test('a line that breaks off is a cut', async () => {
    expect((await ask(behind(() => new Response(line('one ') + line('two', true).slice(0, 30))))).error).toMatchObject({
      code: 'model_cut',
    })
  })

  test('a last line without its end is whole', async () => {
    expect(textOf(await ask(behind(() => new Response(line('one ') + line('two', true).trimEnd()))))).toBe('one two')
  })

  test('empty lines say nothing', async () => {
    expect(textOf(await ask(behind(() => new Response(`\n${line('one ')}\r\n\n${line('two', true)}`))))).toBe('one two')
  })

  test('a body that is none is a cut', async () => {
    expect((await ask(behind(() => new Response(null)))).error).toMatchObject({ code: 'model_cut' })
  })

  test('an answer in one piece is an answer', async () => {
    await using upstream = await strictUpstream({ answer: { text: 'Hello to you.', reasoning: 'Hm.' }, whole: true })
    const heard = await ask(ollamaModel(new Ollama({ host: upstream.url }), { model: 'm' }))
    expect(heard.events).toMatchObject([
      { type: 'reasoning' },
      { type: 'text', text: 'Hello to you.' },
      { type: 'end', finish: 'stop' },
    ])
  })

  test('an error in the shape of another protocol can be read', async () => {
    const { error } = await ask(
      behind(() => Response.json({ error: { message: 'no such model', type: 'not_found_error' } }, { status: 404 })),
    )
    expect(error).toMatchObject({ code: 'model_refused', details: { status: 404 } })
    expect(error?.message).toContain('404: no such model. Check')
  })

  test("an error that is a proxy's page", async () => {
    const { error } = await ask(
      behind(
        () =>
          new Response('<html>\n\nBad gateway</html>'.padEnd(100_000, '.'), {
            status: 502,
            headers: { 'content-type': 'text/html' },
          }),
      ),
    )
    expect(error).toMatchObject({ code: 'model_error', details: { status: 502 } })
    expect(error?.message).toContain('<html> Bad gateway')
    expect(error?.message.length).toBeLessThan(500)
  })

  test('an error without a body', async () => {
    const { error } = await ask(behind(() => new Response(null, { status: 503 })))
    expect(error?.message).toContain('503: it did not say why. Retry the turn')
  })
})

test('a fetch that does not listen to its signal does not hold up an abort', async () => {
  const controller = new AbortController()
  const model = behind(() => new Promise<Response>(() => undefined))
  const answer = listen(model(requestOf([user('a')], { signal: controller.signal })))
  controller.abort()
  expect((await answer).error).toMatchObject({ code: 'model_aborted' })
})
