import Anthropic from '@anthropic-ai/sdk'
import { user } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { paths, post, type Posted } from './support/post.ts'

const body = { model: 'strict', max_tokens: 50, messages: [user('Hello')] }
const count = '/v1/messages/count_tokens'

/** A gateway before a server that refuses everything so. */
async function before(
  status: number,
  said: string,
): Promise<{ readonly url: string; readonly stops: () => Promise<unknown> }> {
  const { url } = await plainUpstream((_, response) => void response.writeHead(status).end(said))
  const running = await gateway({ upstreams: [{ url }] }, { chat: relayChat() })
  const { store } = running.services.stores.of('default')
  return {
    url: running.url,
    stops: async () => {
      const { threads } = await store.list()
      const logs = await Promise.all(threads.map(({ thread }) => store.read(thread)))
      return logs
        .flat()
        .flatMap(({ kind, text }) => (kind === 'stop' ? [(JSON.parse(text) as { code?: unknown }).code] : []))
    },
  }
}

/** What servers say that have no such path: Ollama, llama.cpp, vLLM, OpenAI, and others. */
const unserved: readonly (readonly [string, number, string])[] = [
  ['a page', 404, '404 page not found'],
  ['a file', 404, '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}'],
  ['a detail', 404, '{"detail":"Not Found"}'],
  ['an address', 404, '{"error":{"message":"Invalid URL (POST /v1/messages)","type":"invalid_request_error"}}'],
  ['a method', 405, '{"detail":"Method Not Allowed"}'],
  ['nothing', 501, ''],
]

describe("an upstream without Anthropic's protocol", () => {
  test.each(unserved)('is named with what to do, if it misses %s', async (_, status, said) => {
    const { url, stops } = await before(status, said)
    for (const stream of [false, true]) {
      const told = await post(url, paths.anthropic, { ...body, stream })
      expect([told.status, told.json]).toEqual([400, refusal])
      expect(told.headers['minutebook-thread']).toEqual(expect.any(String))
    }
    expect(await stops()).toEqual(['model_refused', 'model_refused'])
  })

  const refusal = {
    type: 'error',
    error: {
      type: 'invalid_request_error',
      code: 'messages_not_served',
      message: expect.stringMatching(/llama\.cpp.*Ollama.*vLLM.*\/v1\/chat\/completions/) as unknown,
    },
  }

  test('is read by the official client', async () => {
    const { url } = await before(404, '404 page not found')
    const client = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 2 })
    const asked = client.messages.create({ ...body, messages: [{ role: 'user', content: 'Hello' }] })
    await expect(asked).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' })
  })

  test.each(unserved)('has its tokens estimated, if it misses %s', async (_, status, said) => {
    const { url } = await before(status, said)
    const told = await post(url, count, body)
    expect([told.status, told.headers['minutebook-estimated']]).toEqual([200, 'yes'])
    // What only an upstream could read cannot be estimated.
    const odd = await post(url, count, { ...body, messages: [{ role: 'oracle', content: 'x' }] })
    expect([odd.status, odd.json]).toEqual([400, refusal])
  })

  test('may be one that speaks only another', async () => {
    const running = await gateway(
      { upstreams: [{ url: 'http://127.0.0.1:9', protocol: 'openai' }] },
      { chat: relayChat() },
    )
    const error = { code: 'no_upstream', message: expect.stringContaining('protocol: anthropic') as unknown }
    const asked: Posted[] = await Promise.all([paths.anthropic, count].map((path) => post(running.url, path, body)))
    for (const { status, json } of asked) expect([status, json]).toMatchObject([400, { type: 'error', error }])
  })
})

test.each([
  ["in Anthropic's form", 404, '{"type":"error","error":{"type":"not_found_error","message":"nothing by that name"}}'],
  ['about a model', 404, '{"error":"model \'strict\' not found"}'],
  ['with another status', 400, 'no'],
])('a refusal %s is the upstream’s own, and goes to the client as it is', async (_, status, said) => {
  const { url } = await before(status, said)
  const told = await post(url, paths.anthropic, body)
  expect([told.status, told.text]).toEqual([status, said])
})
