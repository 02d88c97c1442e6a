import { createHash } from 'node:crypto'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import type { ServeOptions } from '../src/index.ts'
import { gateway, gatewayBefore } from '../../../tests/support/server/gateway.ts'
import { raw, rawGet } from '../../../tests/support/server/raw.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const keys = [
  { name: 'app', sha256: sha256('app-key'), tenant: 'default', scope: 'app' },
  { name: 'desk', sha256: sha256('desk-key'), tenant: 'garden', scope: 'admin' },
  { name: 'wall', sha256: sha256('wall-key'), tenant: 'garden', scope: 'viewer' },
] as const
const bearer = (key: string): { readonly authorization: string } => ({ authorization: `Bearer ${key}` })

/** Says which handler was asked, for whom. */
const telling: ServeOptions = {
  chat: async ({ response, caller, path, query }, protocol) =>
    void response.end(JSON.stringify({ chat: protocol, path, query, caller })),
  api: async ({ response, caller }) => void response.end(JSON.stringify({ api: caller })),
}

test('chats go to their handler, our own paths are never forwarded, all else of the two protocols is', async () => {
  const { upstream, running } = await gatewayBefore({}, {}, telling)
  const post = async (path: string): Promise<unknown> =>
    (await fetch(running.url + path, { method: 'POST', body: '{}' })).json()
  expect(await post('/api/chat?a=1')).toMatchObject({
    chat: 'ollama',
    path: '/api/chat',
    query: '?a=1',
    caller: { name: '', tenant: 'default', scope: 'app' },
  })
  expect(await post('/v1/chat/completions')).toMatchObject({ chat: 'openai' })
  for (const path of [
    '/minutebook/v1/threads',
    '/console',
    '/console/x',
    '/livez',
    '/readyz',
    '/metrics',
    '/nowhere',
    '/favicon.ico',
  ])
    await fetch(running.url + path)
  expect(upstream.requests).toEqual([])
  await fetch(`${running.url}/api/tags?x=1`)
  await fetch(`${running.url}/v1/models`)
  await fetch(`${running.url}/api/chat`)
  expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/tags',
    'GET /v1/models',
    'GET /api/chat',
  ])
})

test('clients that test for Ollama find it', async () => {
  const { running } = await gatewayBefore()
  expect(await (await fetch(running.url)).text()).toBe('Ollama is running')
  expect((await fetch(running.url, { method: 'HEAD' })).status).toBe(200)
  expect((await fetch(running.url, { method: 'POST' })).status).toBe(404)
})

test('a browser at / is led to the console, also with keys and without an upstream; other clients are not', async () => {
  const { running } = await gatewayBefore({}, { keys })
  const at = (headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(running.url, { method, headers, redirect: 'manual' })
  for (const headers of [
    { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    { accept: '*/*', 'sec-fetch-dest': 'document' },
  ]) {
    const { status, headers: told } = await at(headers)
    expect([status, told.get('location'), told.get('cache-control')]).toEqual([302, '/console', 'no-store'])
    expect((await at(headers, 'HEAD')).status).toBe(302)
    expect((await at(headers, 'POST')).status).not.toBe(302)
  }
  for (const accept of ['*/*', 'application/json', 'text/plain'])
    expect((await at({ accept, ...bearer('app-key') })).status).toBe(200)
  expect((await at({ accept: '*/*' })).status).toBe(401)
  const alone = await gateway({ upstreams: [{ url: 'http://127.0.0.1:9', protocol: 'openai' }] })
  const led = await fetch(alone.url, { headers: { accept: 'text/html' }, redirect: 'manual' })
  expect(led.headers.get('location')).toBe('/console')
  expect(await (await fetch(alone.url)).text()).toBe('Minutebook is running')
})

test('a path that is not there is told what is', async () => {
  const response = await fetch(`${(await gateway()).url}/chat`)
  expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
    404,
    'application/json; charset=utf-8',
    {
      error: {
        code: 'no_such_path',
        message: 'There is nothing at this address.',
        fix: expect.stringContaining('/v1/messages (the protocol of Anthropic)'),
      },
    },
  ])
})

test.each([
  ['/api/../metrics', 400],
  ['/api/%2e%2e/metrics', 400],
  ['//metrics', 400],
  ['/%6detrics', 400],
  ['http://attacker.example/metrics', 403],
  ['http://localhost/metrics', 200],
  ['/metrics', 200],
])('GET %s on the wire is %i', async (target, status) => {
  const { upstream, running } = await gatewayBefore()
  expect((await rawGet(running.url, target)).status).toBe(status)
  expect(upstream.requests).toEqual([])
})

test.each([
  ['another name', ['Host: attacker.example'], 403],
  ['two hosts', ['Host: localhost', 'Host: attacker.example'], 400],
  ['two hosts, the good one last', ['Host: attacker.example', 'Host: localhost'], 400],
  ['no host', [], 400],
  ['another origin', ['Host: localhost', 'Origin: https://attacker.example'], 403],
  ['an origin of nowhere', ['Host: localhost', 'Origin: null'], 403],
  ['two origins', ['Host: localhost', 'Origin: http://localhost', 'Origin: https://attacker.example'], 403],
  ['a page of this machine', ['Host: localhost', 'Origin: http://localhost:3000'], 200],
])('%s on the wire', async (_, headers, status) => {
  const { upstream, running } = await gatewayBefore()
  expect((await rawGet(running.url, '/api/tags', headers)).status).toBe(status)
  expect(upstream.requests.length).toBe(status === 200 ? 1 : 0)
})

test('a refusal has the shape of its protocol', async () => {
  const { url } = await gateway({ keys })
  expect(JSON.parse((await rawGet(url, '/api/tags', ['Host: x.example'])).body)).toEqual({
    error: expect.stringContaining('allowHosts'),
  })
  expect(JSON.parse((await rawGet(url, '/v1/models', ['Host: x.example'])).body)).toEqual({
    error: {
      message: expect.stringContaining('allowHosts'),
      type: 'permission_error',
      param: null,
      code: 'foreign_host',
    },
  })
  await expect(new Ollama({ host: url }).list()).rejects.toThrow(/requires a valid key/)
  await expect(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wrong' }).models.list()).rejects.toMatchObject({
    status: 401,
    code: 'unauthorized',
    type: 'authentication_error',
  })
})

test('a browser is told what a page may do', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys, allowOrigins: ['https://app.example'] })
  const asked = {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, x-stainless-os',
  }
  const preflight = await fetch(`${running.url}/v1/chat/completions`, { method: 'OPTIONS', headers: asked })
  expect(preflight.status).toBe(204)
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-allow-headers': 'authorization, x-stainless-os',
    'access-control-allow-methods': expect.stringContaining('DELETE'),
    vary: 'origin',
  })
  const response = await fetch(`${running.url}/v1/models`, {
    headers: { origin: 'https://app.example', ...bearer('app-key') },
  })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-expose-headers': expect.stringContaining('minutebook-thread'),
  })
  expect(upstream.requests[0]?.headers['origin']).toBeUndefined()
  const foreign = await fetch(`${running.url}/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: { ...asked, origin: 'https://attacker.example' },
  })
  expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null])
})

test('with keys a request needs one, which goes no further; the upstream gets its own', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys }, telling)
  const ask = (path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(running.url + path, { headers })
  for (const path of ['/api/tags', '/v1/models', '/api/chat', '/', '/metrics', '/minutebook/v1/x', '/nowhere'])
    expect((await ask(path, {})).status, path).toBe(401)
  for (const path of ['/livez', '/readyz']) expect((await ask(path, {})).status, path).toBe(200)
  expect(upstream.requests).toEqual([])
  expect((await ask('/api/tags', bearer('app-key'))).status).toBe(200)
  expect((await ask('/metrics', bearer('app-key'))).status).toBe(200)
  expect(upstream.requests[0]?.headers['authorization']).toBeUndefined()
  const other = await gateway({ keys, upstreams: [{ url: upstream.url, key: 'upstream-key' }] })
  await fetch(`${other.url}/api/tags`, { headers: bearer('app-key') })
  expect(upstream.requests[1]?.headers['authorization']).toBe('Bearer upstream-key')
})

test("without keys the client's own goes to the upstream, unless that has one", async () => {
  const { upstream, running } = await gatewayBefore()
  await fetch(`${running.url}/v1/models`, { headers: bearer('theirs') })
  const other = await gateway({ upstreams: [{ url: upstream.url, key: 'upstream-key' }] })
  await fetch(`${other.url}/v1/models`, { headers: bearer('theirs') })
  await fetch(`${running.url}/v1/models`, { headers: bearer(running.token) })
  expect(upstream.requests.map(({ headers }) => headers['authorization'])).toEqual([
    'Bearer theirs',
    'Bearer upstream-key',
    undefined,
  ])
})

test('the record is there for every key, and each operation of it says what it needs; no viewer changes anything', async () => {
  const running = await gateway({ keys }, telling)
  const ask = (headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(`${running.url}/minutebook/v1/threads`, { headers, method })
  expect((await ask({})).status).toBe(401)
  expect(await (await ask(bearer('desk-key'))).json()).toEqual({
    api: { name: 'desk', tenant: 'garden', scope: 'admin', shown: 'key' },
  })
  expect(await (await ask(bearer('wall-key'))).json()).toEqual({
    api: { name: 'wall', tenant: 'garden', scope: 'viewer', shown: 'key' },
  })
  expect(await (await ask(bearer(running.token))).json()).toMatchObject({ api: { scope: 'admin', shown: 'token' } })
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
    const refused = await ask(bearer('wall-key'), method)
    expect([refused.status, await refused.json()], method).toEqual([
      403,
      {
        error: {
          code: 'forbidden',
          message: 'A key with the scope viewer may not do this.',
          fix: expect.stringContaining('the scope app'),
        },
      },
    ])
    expect((await ask(bearer('app-key'), method)).status).toBe(200)
  }
})

test("what a handler throws is an answer in the protocol's shape, and says nothing of the cause", async () => {
  const running = await gateway(
    {},
    {
      chat: async () => {
        throw new Error('canary-4711')
      },
    },
  )
  const response = await fetch(`${running.url}/v1/chat/completions`, { method: 'POST', body: '{}' })
  const text = await response.text()
  expect([response.status, JSON.parse(text).error.code, text.includes('canary')]).toEqual([500, 'unforeseen', false])
})

test('what a handler throws in mid-answer breaks the connection: it cannot look whole', async () => {
  const running = await gateway(
    {},
    {
      chat: async ({ response }) => {
        response.write('half')
        await new Promise((resolve) => void setTimeout(resolve, 20))
        throw new Error()
      },
    },
  )
  const response = await fetch(`${running.url}/api/chat`, { method: 'POST', body: '{}' })
  await expect(response.text()).rejects.toThrow()
})

test('who asks whether to go on is refused before the body', async () => {
  const { running } = await gatewayBefore({}, { keys })
  const answer = await raw(
    running.url,
    'POST /api/embed HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n',
  )
  expect(answer.status).toBe(401)
})
