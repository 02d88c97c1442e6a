// Finding 10: the admin of one tenant deletes and reads what the upstream keeps for all tenants, and learns
// addresses and folders of the installation.
import { expect, test } from 'vitest'
import { bearer, keyOf, secretOf } from '../abuse/support/keys.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'

const keys = [
  keyOf('shop', { tenant: 'shop', scope: 'admin' }),
  keyOf('desk', { scope: 'admin' }),
  keyOf('owner', { tenant: 'office', scope: 'admin', installation: true }),
]

/** What an upstream keeps for all who use it, and what changes that. */
const managing = [
  ['POST', '/api/pull'],
  ['POST', '/api/push'],
  ['POST', '/api/create'],
  ['POST', '/api/copy'],
  ['DELETE', '/api/delete'],
  ['POST', '/api/blobs/sha256:00'],
  ['HEAD', '/api/blobs/sha256:00'],
  ['DELETE', '/v1/models/strict'],
  ['GET', '/v1/files'],
  ['POST', '/v1/files'],
  ['GET', '/v1/files/file-1/content'],
  ['DELETE', '/v1/files/file-1'],
  ['POST', '/v1/uploads'],
  ['GET', '/v1/batches'],
  ['POST', '/v1/batches'],
  ['GET', '/v1/chat/completions'],
  ['GET', '/v1/chat/completions/x/messages'],
  ['POST', '/v1/fine_tuning/jobs'],
  ['GET', '/v1/vector_stores'],
  ['POST', '/v1/assistants'],
  ['POST', '/v1/threads'],
  ['POST', '/v1/load_lora_adapter'],
  ['POST', '/api/anything-new'],
  ['PUT', '/v1/anything-new'],
] as const

const ask = async (url: string, key: string, method: string, path: string): Promise<number> =>
  (await fetch(url + path, { method, headers: bearer(key), ...(method === 'POST' && { body: '{"model":"strict"}' }) }))
    .status

test('no admin of a tenant, not even of the first one, reaches what the upstream keeps; the operator of the installation does', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys })
  for (const key of ['shop', 'desk'])
    for (const [method, path] of managing)
      expect([key, method, path, await ask(running.url, key, method, path)]).toEqual([key, method, path, 403])
  expect(upstream.requests).toEqual([])
  for (const [method, path] of managing)
    expect([method, path, await ask(running.url, 'owner', method, path)]).not.toContain(403)
  expect(upstream.requests.map(({ method, path }) => [method, path])).toEqual(managing)
  const token = await fetch(`${running.url}/v1/files`, { headers: { authorization: `Bearer ${running.token}` } })
  expect([token.status === 403, upstream.requests.at(-1)?.path]).toEqual([false, '/v1/files'])
})

test('nor with stored responses that the upstream answers itself', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys: [...keys, keyOf('app')], responses: 'pass' })
  for (const key of ['shop', 'app'])
    for (const [method, path] of [
      ['GET', '/v1/responses/resp_1'],
      ['DELETE', '/v1/responses/resp_1'],
      ['GET', '/v1/responses/resp_1/input_items'],
      ['POST', '/v1/conversations'],
      ['GET', '/v1/conversations/conv_1/items'],
    ] as const) {
      expect([key, path, await ask(running.url, key, method, path)]).toEqual([key, path, 403])
    }
  expect(upstream.requests).toEqual([])
  await ask(running.url, 'app', 'POST', '/v1/responses')
  expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/responses'])
})

test('addresses and the data folder are told to the operator of the installation alone', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys })
  const { data } = running.services.config
  for (const key of ['shop', 'desk']) {
    const { status, body } = await native(running.url, secretOf(key)).ask('GET', '')
    expect([
      status,
      body['upstreams'],
      body['data'],
      JSON.stringify(body).includes(new URL(upstream.url).port),
    ]).toEqual([200, undefined, undefined, false])
  }
  for (const key of [secretOf('owner'), running.token])
    expect((await native(running.url, key).ask('GET', '')).body).toMatchObject({
      upstreams: [{ url: upstream.url }],
      data,
    })
})

test('an admin of a tenant cannot make a key that is of the installation, or of another tenant', async () => {
  const { running } = await gatewayBefore({}, { keys })
  const shop = native(running.url, secretOf('shop'))
  expect(await shop.ask('POST', '/keys', { name: 'mine', scope: 'admin', installation: true })).toMatchObject({
    status: 400,
  })
  expect(await shop.ask('POST', '/keys', { name: 'mine', scope: 'installation' })).toMatchObject({ status: 400 })
  expect(await shop.ask('POST', '/keys', { name: 'mine', scope: 'admin', tenant: 'default' })).toMatchObject({
    status: 403,
    body: { error: { code: 'foreign_tenant' } },
  })
  const made = await shop.ask('POST', '/keys', { name: 'mine', scope: 'admin' })
  const answer = await fetch(`${running.url}/api/delete`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${String(made.body['key'])}` },
  })
  expect([made.status, answer.status]).toEqual([201, 403])
  expect(
    await native(running.url, secretOf('owner')).ask('POST', '/keys', {
      name: 'first',
      scope: 'admin',
      tenant: 'bakery',
    }),
  ).toMatchObject({ status: 201, body: { tenant: 'bakery' } })
})
