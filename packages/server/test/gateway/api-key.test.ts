import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import type { Config } from '../../src/index.ts'

const body = JSON.stringify({ model: 'strict', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] })
const ours = 'mb_a-key-of-a-client'
const sha256 = createHash('sha256').update(ours).digest('hex')
const keys: Config['keys'] = [{ name: 'client', sha256, tenant: 'default', scope: 'app' }]

const ask = (url: string, headers: Record<string, string>): Promise<Response> =>
  fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    body,
  })

test('x-api-key is a key of the server, and does not go on to the upstream', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys })
  expect((await ask(running.url, {})).status).toBe(401)
  const wrong = await ask(running.url, { 'x-api-key': 'mb_another' })
  expect([wrong.status, await wrong.json()]).toMatchObject([
    401,
    { type: 'error', error: { type: 'authentication_error' } },
  ])
  expect((await ask(running.url, { 'x-api-key': ours })).status).toBe(200)
  expect((await ask(running.url, { authorization: `Bearer ${ours}` })).status).toBe(200)
  // If both are sent, Authorization counts.
  expect((await ask(running.url, { authorization: 'Bearer mb_another', 'x-api-key': ours })).status).toBe(401)
  const chats = upstream.requests.filter(({ path }) => path === '/v1/messages')
  expect(chats).toHaveLength(2)
  for (const { headers } of upstream.requests) {
    expect(headers).not.toHaveProperty('x-api-key')
    expect(headers).not.toHaveProperty('authorization')
  }
})

test("without keys of ours the client's own key goes on, with its version and features", async () => {
  const { upstream, running } = await gatewayBefore()
  const headers = { 'x-api-key': 'of the client', 'anthropic-beta': 'a-feature' }
  expect((await ask(running.url, headers)).status).toBe(200)
  expect(upstream.requests.find(({ path }) => path === '/v1/messages')?.headers).toMatchObject({
    ...headers,
    'anthropic-version': '2023-06-01',
  })
})

test.each([
  ['a host of this protocol', 'anthropic', { 'x-api-key': 'theirs' }, 'authorization'],
  ['a server that may speak others, too', undefined, { 'x-api-key': 'theirs', authorization: 'Bearer theirs' }, 'none'],
] as const)('%s gets its own key in the form that it reads', async (_, protocol, sent, absent) => {
  const { upstream, running } = await gatewayBefore()
  const { url } = upstream
  await running.close()
  const { running: other } = await gatewayBefore(
    {},
    { upstreams: [{ url, key: 'theirs', ...(protocol && { protocol }) }] },
  )
  expect((await ask(other.url, { 'x-api-key': 'of the client', authorization: 'Bearer of the client' })).status).toBe(
    200,
  )
  const chat = upstream.requests.find(({ path }) => path === '/v1/messages')
  expect(chat?.headers).toMatchObject(sent)
  expect(chat?.headers).not.toHaveProperty(absent)
})

test('a list of models goes to an upstream of Anthropic, if the client says that it speaks that protocol', async () => {
  const { upstream, running } = await gatewayBefore({ models: ['claude-small'] })
  await running.close()
  const { url } = upstream
  const of = async (upstreams: Config['upstreams'], path: string, headers: Record<string, string>): Promise<unknown> =>
    (await fetch((await gatewayBefore({ models: ['other'] }, { upstreams })).running.url + path, { headers })).json()
  const version = { 'anthropic-version': '2023-06-01' }
  const alone = [{ url, protocol: 'anthropic', key: 'theirs' }] as const
  const listed = { data: [{ type: 'model', id: 'claude-small' }] }
  expect(await of(alone, '/v1/models', version)).toMatchObject(listed)
  expect(upstream.requests.at(-1)?.headers).toMatchObject({ 'x-api-key': 'theirs', ...version })
  expect(await of([{ url: 'http://127.0.0.1:9', protocol: 'openai' }, ...alone], '/v1/models', version)).toMatchObject(
    listed,
  )
  // Another path, a client of OpenAI's, and a server that only speaks OpenAI's.
  const unspoken = { error: { code: 'no_upstream' } }
  expect(await of(alone, '/v1/files', version)).toMatchObject(unspoken)
  expect(await of(alone, '/v1/models', {})).toMatchObject(unspoken)
  expect(await of([{ url, protocol: 'openai' }], '/v1/models', version)).toMatchObject(listed)
})
