// Finding 5: an upstream answers with a page whose script makes itself an admin's key with the console's session.
import { createServer, request as ask, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { testBrowser, type Visit } from '../../../../tests/support/browser/browser.ts'
import type { Running } from '../../src/index.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const browser = testBrowser()

const makeKey =
  "fetch('/minutebook/v1/keys', { method: 'POST', headers: { 'content-type': 'application/json', 'minutebook-session': localStorage.getItem('minutebook-session') }, body: JSON.stringify({ name: 'stolen', scope: 'admin' }) })"
const script = `document.title = 'ran'; ${makeKey}`

/** Whatever is asked of it, it is a page; or the script itself. */
function answerPage(path: string, response: ServerResponse): void {
  const [type, body] = path.endsWith('.js')
    ? ['text/javascript', script]
    : path.endsWith('.svg')
      ? ['image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>`]
      : ['text/html', `<!doctype html><script>${script}</script>`]
  response.writeHead(200, { 'content-type': type, ...actingHeaders }).end(body)
}

/** Headers by which a response acts on the origin that it comes from, or on whatever stands before us. */
const actingHeaders: Readonly<Record<string, string>> = {
  'set-cookie': 'minutebook=planted; Path=/',
  'clear-site-data': '"*"',
  refresh: '0; url=/v1/again',
  link: '</v1/x.js>; rel=preload; as=script',
  'service-worker-allowed': '/',
  'www-authenticate': 'Basic realm="password?"',
  'content-security-policy': "script-src 'unsafe-inline'",
  'content-security-policy-report-only': "default-src 'none'; report-uri /v1/report",
  'strict-transport-security': 'max-age=31536000',
  'access-control-allow-origin': '*',
  'access-control-allow-credentials': 'true',
  'alt-svc': 'h2="evil.example:443"',
  'report-to': '{}',
  nel: '{}',
  'x-accel-redirect': '/private',
  'x-sendfile': '/etc/passwd',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'none',
  'minutebook-thread': 'forged',
  'proxy-authenticate': 'Basic',
  'timing-allow-origin': '*',
  sourcemap: '/v1/map',
  'accept-ch': 'DPR',
  'permissions-policy': 'camera=*',
}

/**
 * A gateway without keys, a browser whose operator is logged in, the address at which it finds the gateway, and what
 * reached the upstream.
 */
async function loggedIn(before: (url: string) => Promise<string>): Promise<{
  readonly running: Running
  readonly visit: Visit
  readonly url: string
  readonly asked: readonly string[]
}> {
  const asked: string[] = []
  const upstream = await plainUpstream((request, response) => {
    asked.push(request.url ?? '')
    request.resume().on('end', () => answerPage(request.url ?? '', response))
  })
  const running = await gateway({ upstreams: [{ url: upstream.url }] })
  const url = await before(running.url)
  return { running, url, asked, visit: await browser.open(`${url}/console`, { key: running.token }) }
}

/** Stands between the browser and the gateway, and leaves out what the browser tells of its wish, as older ones do. */
async function quietProxy(url: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !name.startsWith('sec-fetch-')),
    )
    const call = ask(url + (incoming.url ?? ''), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    // The page may still ask when the gateway is closed.
    call.on('error', () => outgoing.destroy())
    incoming.pipe(call)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function keyNames({ url, token }: Running): Promise<readonly string[]> {
  const response = await fetch(`${url}/minutebook/v1/keys`, { headers: { authorization: `Bearer ${token}` } })
  return ((await response.json()) as { readonly keys: readonly { readonly name: string }[] }).keys.map(
    ({ name }) => name,
  )
}

test('the session is worth stealing: a page of the console itself can make a key with it', async () => {
  const { running, visit } = await loggedIn(async (url) => url)
  expect(await visit.page.evaluate(`${makeKey}.then(({ status }) => status)`)).toBe(201)
  expect(await keyNames(running)).toEqual(['stolen'])
})

test.each([
  ['in a browser as they are', async (url: string) => url, 403],
  ['in a browser that does not tell what it wants a page for', quietProxy, 200],
])('no page of an upstream runs, %s', async (_, before, status) => {
  const {
    running,
    visit: { page },
    url,
  } = await loggedIn(before)
  for (const path of ['/v1/models', '/api/tags', '/v1/files/x.svg', '/api/x.js']) {
    const answer = await page.goto(url + path)
    expect([path, answer?.status(), (await page.title()) === 'ran']).toEqual([path, status, false])
  }
  await page.goto(`${url}/`)
  expect(new URL(page.url()).pathname).toBe('/console')
  expect(await page.title()).not.toBe('ran')
  expect(await keyNames(running)).toEqual([])
})

test('a form of another page on this machine cannot have a chat answered as a page either', async () => {
  const {
    running,
    visit: { page },
    url,
  } = await loggedIn(async (given) => given)
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] }).replaceAll('"', '&quot;')
  for (const path of ['/api/chat', '/v1/chat/completions', '/v1/responses', '/api/generate']) {
    const elsewhere = await plainUpstream(
      (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            `<form method="post" enctype="text/plain" action="${url}${path}"><input name="${body.slice(0, -1)},&quot;a" value="&quot;:1}"><button>Win</button></form>`,
          ),
    )
    await page.goto(elsewhere.url)
    const [answer] = await Promise.all([
      page.waitForResponse(`${url}${path}`),
      page.waitForEvent('load'),
      page.getByRole('button').click(),
    ])
    expect([path, answer.status(), (await page.title()) === 'ran']).toEqual([path, 403, false])
  }
  expect(await keyNames(running)).toEqual([])
})

test('nor is it loaded into a page: as a script, a frame or a service worker', async () => {
  const {
    running,
    visit: { page },
    url,
    asked,
  } = await loggedIn(async (given) => given)
  const [frame, code, picture] = ['/v1/files/x.html', '/v1/x.js', '/v1/files/x.svg']
  const elsewhere = await plainUpstream(
    (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><iframe src="${url}${frame}"></iframe><script src="${url}${code}"></script><object data="${url}${picture}"></object>`,
        ),
  )
  await page.goto(elsewhere.url)
  expect(await page.title()).toBe('')
  await page.goto(`${url}/console`)
  expect(
    await page.evaluate(`navigator.serviceWorker.register('${code}').then(() => 'registered', (error) => error.name)`),
  ).not.toBe('registered')
  // The console asks for other things: which models there are.
  expect(asked.filter((path) => [frame, code, picture].includes(path))).toEqual([])
  expect(await keyNames(running)).toEqual([])
})

const chat = JSON.stringify({ model: 'm', stream: false, messages: [{ role: 'user', content: 'x' }] })

test.each([
  ['what is passed on', '/v1/models', undefined],
  ['a chat of Ollama', '/api/chat', chat],
  ['a chat of OpenAI', '/v1/chat/completions', chat],
  ['a response', '/v1/responses', JSON.stringify({ model: 'm', input: 'x' })],
])('of %s no header passes that acts on our origin, refused or not', async (_, path, body) => {
  for (const status of [200, 401, 500]) {
    const upstream = await plainUpstream(
      (request, response) =>
        void request.resume().on('end', () =>
          response
            .writeHead(status, {
              'content-type': 'text/html',
              ...actingHeaders,
              'x-request-id': 'r1',
              'retry-after': '3',
            })
            .end('<script></script>'),
        ),
    )
    const running = await gateway({ upstreams: [{ url: upstream.url }] })
    const { headers } = await fetch(
      running.url + path,
      body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } },
    )
    const left = [...headers].filter(([name, value]) => actingHeaders[name] === value)
    expect([path, status, left]).toEqual([path, status, []])
    expect([headers.get('content-security-policy'), headers.get('x-content-type-options')]).toEqual([
      "sandbox; default-src 'none'; frame-ancestors 'none'",
      'nosniff',
    ])
  }
})

test('a redirect leads no client with its key to our own routes', async () => {
  const upstream = await plainUpstream(
    (request, response) => void response.writeHead(307, { location: String(request.headers['x-to']) }).end(),
  )
  const running = await gateway({ upstreams: [{ url: upstream.url }] })
  const location = async (to: string): Promise<string | null> =>
    (await fetch(`${running.url}/api/x`, { headers: { 'x-to': to }, redirect: 'manual' })).headers.get('location')
  for (const to of [
    '/minutebook/v1/threads/x/erase',
    `${running.url}/minutebook/v1/keys`,
    '../minutebook/v1/keys',
    '/api/../minutebook/v1/keys',
    '/console',
    '//x@[::1]:bad',
    `${running.url}/metrics`,
  ])
    expect([to, await location(to)]).toEqual([to, null])
  for (const to of ['/api/tags', 'https://files.example/x', '/v1/models/x']) expect(await location(to)).toBe(to)
})

test('what the official clients read comes to them', async () => {
  const told = {
    'x-request-id': 'req_1',
    'openai-processing-ms': '12',
    'openai-organization': 'us',
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-tokens': '7',
    'retry-after-ms': '1',
    'x-should-retry': 'false',
  }
  const upstream = await plainUpstream(
    (request, response) =>
      void request
        .resume()
        .on('end', () =>
          response
            .writeHead(request.url === '/v1/models' ? 429 : 200, { 'content-type': 'application/json', ...told })
            .end(JSON.stringify({ models: [], error: { message: 'slow down' } })),
        ),
  )
  const running = await gateway({ upstreams: [{ url: upstream.url }] })
  const client = new OpenAI({ baseURL: `${running.url}/v1`, apiKey: 'x', maxRetries: 3 })
  const error: unknown = await client.models.list().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ status: 429, requestID: 'req_1' })
  expect(Object.fromEntries((error as { readonly headers: Headers }).headers)).toMatchObject(told)
  expect(await new Ollama({ host: running.url }).list()).toMatchObject({ models: [] })
})
