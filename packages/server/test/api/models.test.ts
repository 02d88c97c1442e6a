import { expect, test } from 'vitest'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { native, nativeServer } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

/** An upstream that lists these models. */
async function listing(models: readonly unknown[]): Promise<string> {
  const { url } = await plainUpstream((request, response) => {
    if (request.url === '/v1/models') response.end(JSON.stringify({ data: models }))
    else response.writeHead(404).end()
  })
  return url
}

test('the models of all upstreams are listed once each, by name, without what is not a name', async () => {
  const running = await gateway({
    upstreams: [
      { url: await listing([{ id: 'b' }, { id: 'a' }, { id: 7 }, { id: '' }, { id: 'x'.repeat(201) }, null]) },
      { url: await listing([{ id: 'never asked' }]), models: ['c', 'a'] },
      { url: 'http://127.0.0.1:9' },
    ],
  })
  expect(await native(running.url, '').ask('GET', '/models')).toMatchObject({
    status: 200,
    body: { models: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
  })
})

test('without an upstream that answers, the list is empty', async () => {
  const running = await gateway({ upstreams: [{ url: 'http://127.0.0.1:9' }] })
  expect((await native(running.url, '').ask('GET', '/models')).body).toEqual({ models: [] })
})

test('the server says whether clients need a key', async () => {
  const { operator } = await nativeServer({})
  expect((await operator.ask('GET', '')).body['needsKey']).toBe(false)
  await operator.ask('POST', '/keys', { name: 'first', scope: 'app' })
  expect((await operator.ask('GET', '')).body['needsKey']).toBe(true)
})
