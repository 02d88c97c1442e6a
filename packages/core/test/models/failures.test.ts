import { user } from '@minutebook/testing'
import { strictUpstream, type UpstreamFaults } from '@minutebook/testing/server'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { hostIn } from '../../src/models/call-errors.ts'
import { listen, requestOf, textOf, wires, type Heard } from '../../../../tests/support/wires.ts'

const chunks = { ollama: 4, openai: 7 } as const

describe.each(wires)('a failure through the client of $wire', ({ wire, connect }) => {
  const ask = async (
    faults: UpstreamFaults & { window?: number; onOverflow?: 'refuse' | 'halve' | 'obey' },
  ): Promise<Heard & { requests: number }> => {
    await using upstream = await strictUpstream({ answer: 'one two three', ...faults })
    const heard = await listen(connect(upstream.url)(requestOf([user('a b c')])))
    return { ...heard, requests: upstream.requests.length }
  }

  test.each<[number, string, RegExp]>([
    [400, 'model_refused', /Correct the request/],
    [401, 'model_refused', /Check the client's key/],
    [403, 'model_refused', /what the client's key allows/],
    [404, 'model_refused', /Check the name of the model/],
    [409, 'model_refused', /Correct the request/],
    [422, 'model_refused', /Correct the request/],
    [429, 'model_refused', /Wait, then retry the turn/],
    [500, 'model_error', /Retry the turn \(thread\.retry\(\)\) or call the model again/],
    [503, 'model_error', /Retry the turn \(thread\.retry\(\)\) or call the model again/],
  ])('status %i is %s, says what to do, and was tried once', async (status, code, fix) => {
    const { error, events, requests } = await ask({ failWith: status, errorText: 'because of the weather' })
    expect(error).toMatchObject({ code, details: { status, model: 'strict' } })
    expect(error?.message).toMatch(fix)
    expect(error?.message).toContain('because of the weather')
    expect({ events, requests }).toEqual({ events: [], requests: 1 })
  })

  test('a prompt that is too long for the server', async () => {
    const { error } = await ask({ window: 3 })
    expect(error).toMatchObject({ code: 'context_overflow', details: { status: 400, window: 4096 } })
    expect(error?.message).toMatch(/compiled for 4096 tokens: give the server a window of that size/)
  })

  test('a server that cuts silently: the counts tell', async () => {
    const { events } = await ask({ window: 3, onOverflow: 'halve' })
    expect(events.at(-1)).toMatchObject({ usage: { prompt: 2 } })
  })

  test('a server that cuts where it may: Ollama is told not to', async () => {
    const { error, events } = await ask({ window: 3, onOverflow: 'obey' })
    if (wire === 'ollama') expect(error).toMatchObject({ code: 'context_overflow' })
    else expect(events.at(-1)).toMatchObject({ usage: { prompt: 2 } })
  })

  test('a server that is not there', async () => {
    const port = await freePort()
    const { error } = await listen(connect(`http://127.0.0.1:${port}`)(requestOf([user('a')])))
    expect(error).toMatchObject({ code: 'model_unreachable', details: { reason: 'ECONNREFUSED' } })
    expect(error?.message).toContain(`The server of model "strict" at 127.0.0.1:${port} did not answer`)
    expect(error?.message).toMatch(/ECONNREFUSED.*Check that it runs.*retry the turn/)
  })

  test.each(Array.from({ length: chunks[wire] }, (_, count) => [count]))(
    'an error after %i chunks',
    async (errorAfter) => {
      const heard = await ask({ errorAfter, errorText: 'out of memory' })
      expect(heard.error).toMatchObject({ code: 'model_error' })
      expect(heard.error?.message).toMatch(/middle of its answer: out of memory\. Retry the turn/)
      expect('one two three').toContain(textOf(heard))
      expect(heard.events.some(({ type }) => type === 'end')).toBe(false)
    },
  )

  test('an overflow that the server notices late', async () => {
    expect((await ask({ errorAfter: 1, errorText: 'the input exceeds the context length' })).error).toMatchObject({
      code: 'context_overflow',
    })
  })

  test.each(Array.from({ length: chunks[wire] }, (_, count) => [count]))(
    'a connection that is destroyed after %i chunks',
    async (abortAfter) => {
      const { error, events } = await ask({ abortAfter })
      expect(error).toMatchObject({ code: abortAfter === 0 ? 'model_unreachable' : 'model_cut' })
      expect(events.some(({ type }) => type === 'end')).toBe(false)
    },
  )

  // The counts and the closing mark of OpenAI's protocol come after the answer is whole.
  test.each(Array.from({ length: chunks[wire] - (wire === 'openai' ? 2 : 0) }, (_, count) => [count]))(
    'an answer that ends after %i chunks',
    async (endAfter) => {
      const { error, events } = await ask({ endAfter })
      expect(error).toMatchObject({ code: 'model_cut' })
      expect(error?.message).toMatch(/broke off.*Retry the turn/)
      expect(events.some(({ type }) => type === 'end')).toBe(false)
    },
  )

  test('the number of chunks is right', async () => {
    expect(await ask({ endAfter: chunks[wire] })).not.toHaveProperty('error')
  })
})

describe.each(wires)('a key in the client of $wire', ({ connect }) => {
  const key = 'sk-canary-0123456789'
  const canary = 'canary/of a+header'
  const leaks = ({ error }: Heard): string[] => {
    const told = [
      error?.message,
      error?.stack,
      JSON.stringify(error),
      JSON.stringify(error?.details),
      String(error),
    ].join('\n')
    return [key, canary, encodeURIComponent(canary), key.slice(0, 12), 'canary'].filter((secret) =>
      told.includes(secret),
    )
  }

  test.each<[string, UpstreamFaults]>([
    ['a refusal', { failWith: 401 }],
    ['a failure', { failWith: 500 }],
    ['an error in the middle', { errorAfter: 1 }],
  ])('is not repeated from %s', async (_, faults) => {
    const errorText = `Incorrect key ${key}, header ${canary} or ${encodeURIComponent(canary)}, ${'x '.repeat(95)}${key}`
    await using upstream = await strictUpstream({ ...faults, errorText })
    const heard = await listen(connect(upstream.url, { key, headers: { 'x-canary': canary } })(requestOf([user('a')])))
    expect(upstream.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${key}`, 'x-canary': canary })
    expect(heard.error?.message).toContain('Incorrect key [redacted], header [redacted] or [redacted]')
    expect(heard.error?.message.length).toBeLessThan(600)
    expect(leaks(heard)).toEqual([])
  })

  test('is not repeated where there is no server', async () => {
    const heard = await listen(
      connect(`http://127.0.0.1:${await freePort()}`, { key, headers: { 'x-canary': canary } })(requestOf([user('a')])),
    )
    expect(heard.error?.code).toBe('model_unreachable')
    expect(leaks(heard)).toEqual([])
  })

  test('is not repeated from an address', async () => {
    const heard = await listen(connect(`http://canary:${key}@127.0.0.1:1`)(requestOf([user('a')])))
    expect(heard.error?.code).toBe('model_unreachable')
    expect(leaks(heard)).toEqual([])
  })
})

test.each<[unknown, string | undefined]>([
  ['http://127.0.0.1:8080/v1', '127.0.0.1:8080'],
  ['https://api.example.com', 'api.example.com'],
  ['http://[::1]:11434', '[::1]:11434'],
  ['https://name:secret@api.example.com:8443/v1?key=secret', 'api.example.com:8443'],
  ['https://api.example.com?key=secret', 'api.example.com'],
  ['https://name:sec/ret@api.example.com', undefined],
  ['https://api.example.com/@secret', undefined],
  ['https://sec ret/v1', undefined],
  ['secret', undefined],
  [undefined, undefined],
])('of the address %s only %s is told', (address, host) => {
  expect(hostIn(address)).toBe(host)
})

/** A port on which nobody listens any more. */
async function freePort(): Promise<number> {
  const server = createServer()
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  await new Promise((resolve) => server.close(resolve))
  return port
}
