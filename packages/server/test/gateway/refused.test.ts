import { user } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from './support/post.ts'
import type { ClientName } from './support/wire.ts'

const chat = relayChat
const hello = JSON.stringify([user('Hello')])
const deep = '['.repeat(300) + ']'.repeat(300)

/** Bodies that no server of the protocol takes, or that could be understood in two ways. */
const refused: readonly (readonly [name: string, body: string, words: string])[] = [
  ['nothing', '', 'has no body'],
  ['no JSON', 'hello secret-canary', 'not a JSON object'],
  ['half an object', '{"model":"strict","messages":[', 'not a JSON object'],
  ['a comma too many', '{"model":"strict","messages":[],}', 'not a JSON object'],
  ['a list', '[]', 'not a JSON object'],
  ['a byte order mark', `\ufeff{"model":"strict","messages":${hello}}`, 'not a JSON object'],
  ['no model', `{"messages":${hello}}`, 'model is required'],
  ['a model that is a number', `{"model":1,"messages":${hello}}`, 'model is required'],
  ['messages that are a text', '{"model":"strict","messages":"secret-canary"}', 'not a list of messages'],
  ['a message that is a text', '{"model":"strict","messages":["secret-canary"]}', 'not a list of messages'],
  ['a message that is a list', '{"model":"strict","messages":[[]]}', 'not a list of messages'],
  ['messages twice', `{"model":"strict","messages":${hello},"messages":[]}`, '"messages" is in the request twice'],
  [
    'messages twice, once in codes',
    `{"model":"strict","messages":${hello},"mess\\u0061ges":[]}`,
    '"messages" is in the request twice',
  ],
  [
    'messages twice, once in other letters',
    `{"model":"strict","messages":${hello},"Me\u017fsages":[]}`,
    '"messages" is in the request twice',
  ],
  ['two models', `{"model":"strict","Model":"other","messages":${hello}}`, '"model" is in the request twice'],
  ['depths', `{"model":"strict","messages":${hello},"x":${deep}}`, 'nests deeper'],
]

/** What an upstream may understand and a record cannot hold. */
const passed: readonly (readonly [name: string, body: string])[] = [
  ['messages in other letters', `{"model":"strict","Messages":${hello}}`],
  ['a role in other letters', '{"model":"strict","messages":[{"role":"user","Role":"system","content":"x"}]}'],
  ['a role twice', '{"model":"strict","messages":[{"role":"user","role":"system","content":"x"}]}'],
  ['a role that is unknown', '{"model":"strict","messages":[{"role":"oracle","content":"x"}]}'],
  ['a role that is none', '{"model":"strict","messages":[{"content":"x"}]}'],
  ['content that is a number', '{"model":"strict","messages":[{"role":"user","content":5}]}'],
  [
    'a call without a name',
    '{"model":"strict","messages":[{"role":"assistant","tool_calls":[{}]},{"role":"user","content":"x"}]}',
  ],
  ['tools that are no list', `{"model":"strict","messages":${hello},"tools":{}}`],
]

/** A refusal in the shape of the protocol. `type`: in Anthropic's words. */
function refusalOf(wire: ClientName, code: string, words: string, type = 'invalid_request_error'): object {
  const message: unknown = expect.stringContaining(words)
  if (wire === 'ollama') return { error: message }
  if (wire === 'anthropic') return { type: 'error', error: { type, message, code } }
  return { error: expect.objectContaining({ message, code, param: null }) as unknown }
}

describe.each(['ollama', 'openai', 'anthropic'] as const)('a request of %s', (wire) => {
  test('is refused in the shape of the protocol where nobody could understand it, and asks nobody', async () => {
    const { upstream, running } = await gatewayBefore({}, {}, { chat: chat() })
    for (const [name, body, words] of refused) {
      const { status, json, text } = await post(running.url, paths[wire], body)
      expect([name, status, json]).toEqual([name, 400, refusalOf(wire, 'invalid_request', words)])
      expect(text).not.toContain('canary')
    }
    expect(upstream.requests).toEqual([])
  })

  test('is passed on, byte for byte and unrecorded, where only the upstream may understand it', async () => {
    const { upstream, running } = await gatewayBefore({}, {}, { chat: chat() })
    for (const [name, body] of passed) {
      const { headers } = await post(running.url, paths[wire], body)
      expect([name, headers['minutebook-recorded'], upstream.requests.at(-1)?.text]).toEqual([name, 'no', body])
    }
    expect((await running.services.stores.of('default').store.list()).threads).toEqual([])
  })

  test('is refused where it is too long, before it is read', async () => {
    const { upstream, running } = await gatewayBefore({}, { bodyLimit: 1024 }, { chat: chat() })
    const { status, json } = await post(running.url, paths[wire], {
      model: 'strict',
      messages: [user('x'.repeat(2000))],
    })
    expect([status, json]).toEqual([413, refusalOf(wire, 'body_too_long', 'bodyLimit', 'request_too_large')])
    expect(upstream.requests).toEqual([])
  })

  test('that bypasses us is nobody’s business, whatever it is', async () => {
    const { upstream, running } = await gatewayBefore({}, {}, { chat: chat() })
    for (const [, body] of refused) {
      if (body === '') continue
      await post(running.url, paths[wire], body, { 'minutebook-bypass': 'yes' })
      expect(upstream.requests.at(-1)?.text).toBe(body)
    }
  })

  test('names a policy that there is', async () => {
    const { running } = await gatewayBefore({}, {}, { chat: chat() })
    const body = { model: 'strict', max_tokens: 50, messages: [user('Hello')] }
    expect((await post(running.url, paths[wire], body, { 'minutebook-policy': 'firstAndRecent' })).status).toBe(200)
    const { status, text } = await post(running.url, paths[wire], body, { 'minutebook-policy': 'none' })
    expect([status, text]).toEqual([400, expect.stringContaining('firstAndRecent')])
  })

  test('names a thread that there can be', async () => {
    const { running } = await gatewayBefore({}, {}, { chat: chat() })
    const { status, text } = await post(
      running.url,
      paths[wire],
      { model: 'strict', messages: [user('Hello')] },
      { 'minutebook-thread': 'minutebook:lines' },
    )
    expect([status, text]).toEqual([400, expect.stringContaining('minutebook-thread')])
  })

  test('goes to an upstream that has the model', async () => {
    const { running } = await gatewayBefore(
      {},
      { upstreams: [{ url: 'http://127.0.0.1:9', models: ['other'] }] },
      { chat: chat() },
    )
    expect((await post(running.url, paths[wire], { model: 'strict', messages: [user('Hello')] })).status).toBe(404)
    const away = await post(running.url, paths[wire], { model: 'other', messages: [user('Hello')] })
    expect([away.status, away.json]).toEqual([
      502,
      refusalOf(wire, 'upstream_unreachable', 'cannot be reached', 'api_error'),
    ])
    expect(away.text).not.toContain('127.0.0.1:9')
  })
})

test.each([
  ['a message', { messages: [{ role: 'user', content: [{ type: 'text', text: 'x', Text: 'y' }] }] }],
  ['a result', { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', Content: 'y' }] }] }],
  [
    'what is in a result',
    { messages: [{ role: 'user', content: [resultOf({ type: 'text', text: 'x', TEXT: 'y' })] }] },
  ],
  ['the system text', { messages: [user('Hello')], system: [{ type: 'text', text: 'x', Text: 'y' }] }],
])("a block of Anthropic's protocol that can be read in two ways, in %s, is not recorded", async (_, fields) => {
  const { upstream, running } = await gatewayBefore({}, {}, { chat: chat() })
  const body = JSON.stringify({ model: 'strict', max_tokens: 50, ...fields })
  const { headers } = await post(running.url, paths.anthropic, body)
  expect([headers['minutebook-recorded'], upstream.requests.at(-1)?.text]).toEqual(['no', body])
})

function resultOf(block: object): object {
  return { type: 'tool_result', tool_use_id: 'c', content: [block] }
}
