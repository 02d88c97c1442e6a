import fc from 'fast-check'
import { createHash, randomBytes } from 'node:crypto'
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { cases } from '../../../../tests/support/runs.ts'
import { deferred } from '../../../../tests/support/deferred.ts'
import { gateway, gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { openSocket, plainUpstream, raw } from '../../../../tests/support/server/raw.ts'

interface Seen {
  readonly url: string
  readonly headers: { readonly host: string }
  readonly length: number
}

/** Tells what it was asked, as JSON. */
function echo(): ReturnType<typeof plainUpstream> {
  return plainUpstream((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces)
      response.setHeader('x-request-id', 'asked').end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          headers: request.headers,
          length: body.length,
          hash: createHash('sha256').update(body).digest('hex'),
        }),
      )
    })
  })
}

test.each([
  ['GET', '/api/tags', undefined],
  ['GET', '/v1/models?limit=3&after=a%20b', undefined],
  ['POST', '/api/show', '{"model":"x"}'],
  ['POST', '/api/pull', ''],
  ['DELETE', '/api/delete', '{"model":"x"}'],
  ['PUT', '/v1/files/x', 'text'],
  ['PATCH', '/v1/files/x', 'text'],
  ['OPTIONS', '/v1/files/x', undefined],
])('%s %s goes through as it is', async (method, path, body) => {
  const { url } = await echo()
  const running = await gateway({ upstreams: [{ url }] })
  const seen = (await (await fetch(running.url + path, { method, ...(body !== undefined && { body }) })).json()) as Seen
  expect(seen).toMatchObject({ method, url: path, length: body?.length ?? 0 })
  expect(seen.headers.host).toBe(new URL(url).host)
})

test('a HEAD has the headers of the whole and no body', async () => {
  const { url } = await plainUpstream(
    (_, response) => void response.writeHead(200, { 'content-length': '1234', 'x-request-id': '1' }).end(),
  )
  const response = await fetch(`${(await gateway({ upstreams: [{ url }] })).url}/api/version`, { method: 'HEAD' })
  expect([response.headers.get('content-length'), response.headers.get('x-request-id'), await response.text()]).toEqual(
    ['1234', '1', ''],
  )
})

test.each([204, 205, 304, 301, 307, 404, 418, 500, 503])(
  'status %i comes back as it is, and no redirect is followed',
  async (status) => {
    let count = 0
    const { url } = await plainUpstream(
      (_, response) => void (count++, response.writeHead(status, { location: '/api/other', 'retry-after': '7' }).end()),
    )
    const response = await fetch(`${(await gateway({ upstreams: [{ url }] })).url}/api/x`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location'), response.headers.get('retry-after'), count]).toEqual([
      status,
      '/api/other',
      '7',
      1,
    ])
  },
)

test('headers of one connection stay there, also those that Connection names; cookies and our own go no further', async () => {
  const { url } = await echo()
  const running = await gateway({ upstreams: [{ url }] })
  const lines = [
    'GET /api/x HTTP/1.1',
    'Host: localhost',
    'Connection: close, X-Secret, accept',
    'X-Secret: 1',
    'Keep-Alive: timeout=5',
    'TE: trailers',
    'Upgrade: h2c',
    'Proxy-Authorization: x',
    'Cookie: a=b',
    'Minutebook-Thread: t',
    'Accept-Encoding: br;q=1',
    'X-Kept: 1',
    'Accept: y',
    '',
    '',
  ]
  const { headers } = JSON.parse(/\{.*\}/s.exec((await raw(running.url, lines.join('\r\n'))).body)?.[0] ?? '')
  expect(headers).toEqual({
    host: new URL(url).host,
    connection: 'keep-alive',
    'accept-encoding': 'br;q=1',
    'x-kept': '1',
  })
})

test('of a response only what tells of the answer passes; trailers are dropped', async () => {
  const { url } = await plainUpstream((_, response) => {
    response.writeHead(200, {
      connection: 'close, x-hop',
      'x-hop': '1',
      'keep-alive': 'timeout=9',
      trailer: 'x-late',
      'access-control-allow-origin': '*',
      vary: 'accept',
      'set-cookie': ['a=1', 'b=2'],
      'minutebook-thread': 'forged',
      'x-other': '1',
      'x-request-id': '1',
      'openai-processing-ms': '7',
      'x-ratelimit-remaining-tokens': '9',
    })
    response.write('body')
    response.addTrailers({ 'x-late': '1' })
    response.end()
  })
  const running = await gateway({ upstreams: [{ url }] })
  const { head, body } = await raw(
    running.url,
    'GET /api/x HTTP/1.1\r\nHost: localhost\r\nTE: trailers\r\nConnection: close\r\n\r\n',
  )
  const names = head
    .split('\r\n')
    .slice(1)
    .map((line) => line.toLowerCase())
    .toSorted()
    .filter((line) => !line.startsWith('date:'))
  expect(names).toEqual([
    'connection: close',
    "content-security-policy: sandbox; default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy: same-origin',
    'openai-processing-ms: 7',
    'transfer-encoding: chunked',
    'vary: accept, origin',
    'x-content-type-options: nosniff',
    'x-ratelimit-remaining-tokens: 9',
    'x-request-id: 1',
  ])
  expect(body).toBe('4\r\nbody\r\n0\r\n\r\n')
})

test('what was compressed stays so, byte for byte', async () => {
  const bytes = randomBytes(100_000)
  const { url } = await plainUpstream(
    (_, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bytes.length }).end(bytes),
  )
  const running = await gateway({ upstreams: [{ url }] })
  const received = await new Promise<Buffer>((resolve) => {
    ask(`${running.url}/api/x`, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece)).on('end', () => resolve(Buffer.concat(pieces)))
    }).end()
  })
  expect(received.equals(bytes)).toBe(true)
})

test('bodies of any size and cut go through both ways, with a length or without', async () => {
  const { url } = await plainUpstream((request, response) => {
    if (request.headers['x-length'] !== undefined) response.setHeader('content-length', request.headers['x-length'])
    request.pipe(response)
  })
  const running = await gateway({ upstreams: [{ url }] })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 5000 }), { maxLength: 8 }),
      fc.boolean(),
      fc.boolean(),
      async (pieces, hasLength, answersLength) => {
        const whole = Buffer.concat(pieces)
        const received = await new Promise<Buffer>((resolve, reject) => {
          const headers = {
            ...(hasLength && { 'content-length': whole.length }),
            ...(answersLength && { 'x-length': whole.length }),
          }
          const outgoing = ask(`${running.url}/api/blobs/x`, { method: 'POST', headers }, (response) => {
            const parts: Buffer[] = []
            response
              .on('data', (part: Buffer) => parts.push(part))
              .on('end', () => resolve(Buffer.concat(parts)))
              .on('error', reject)
          }).on('error', reject)
          for (const piece of pieces) outgoing.write(piece)
          outgoing.end()
        })
        expect(received.equals(whole)).toBe(true)
      },
    ),
    { numRuns: cases('few') },
  )
})

test('there is no cap on a body, and it is read no faster than the upstream takes it', async () => {
  let length = 0
  const come = deferred<() => void>()
  const { url } = await plainUpstream((request, response) => {
    request.on('data', (piece: Buffer) => void (length += piece.length))
    request.on('end', () => response.end(String(length)))
    request.pause()
    come.resolve(() => void request.resume())
  })
  const running = await gateway({ upstreams: [{ url }], bodyLimit: 1024 })
  let sent = 0
  const answer = new Promise<string>((resolve) => {
    const outgoing = ask(`${running.url}/api/blobs/x`, { method: 'POST' }, (response) =>
      response.setEncoding('utf8').on('data', resolve),
    )
    const piece = Buffer.alloc(1 << 20)
    const more = (): void => {
      while (sent < 64) {
        sent++
        if (!outgoing.write(piece)) return void outgoing.once('drain', more)
      }
      outgoing.end()
    }
    more()
  })
  const goOn = await come.promise
  await after(400)
  expect(sent).toBeLessThan(40)
  goOn()
  expect(await answer).toBe(String(64 << 20))
})

test('a response is read no faster than the client takes it', async () => {
  let sent = 0
  const { url } = await plainUpstream((_, response) => {
    const piece = Buffer.alloc(1 << 20)
    const more = (): void => {
      while (sent < 64) {
        sent++
        if (!response.write(piece)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  const running = await gateway({ upstreams: [{ url }] })
  await new Promise<void>((resolve) => {
    ask(`${running.url}/api/x`, (response) => {
      response.pause()
      void after(400).then(() => {
        expect(sent).toBeLessThan(40)
        let length = 0
        response
          .on('data', (piece: Buffer) => void (length += piece.length))
          .on('end', () => {
            expect(length).toBe(64 << 20)
            resolve()
          })
          .resume()
      })
    }).end()
  })
})

test('what comes piece by piece goes on piece by piece, the head first', async () => {
  let go = (): void => undefined
  const { url } = await plainUpstream((_, response) => {
    response.writeHead(200, { 'x-request-id': '1' }).flushHeaders()
    go = () => void response.write('one')
  })
  const running = await gateway({ upstreams: [{ url }] })
  const response = await fetch(`${running.url}/api/pull`, { method: 'POST', body: '{}' })
  expect(response.headers.get('x-request-id')).toBe('1')
  go()
  const reader = response.body!.getReader()
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('one')
  await reader.cancel()
})

test.each([
  ['before the head', false],
  ['in mid-answer', true],
])('a client that goes away %s is gone for the upstream', async (_, begins) => {
  const [come, gone] = [deferred<void>(), deferred<void>()]
  const { url } = await plainUpstream((request, response) => {
    request.resume()
    response.on('close', gone.resolve)
    if (begins) response.write('x')
    come.resolve()
  })
  const running = await gateway({ upstreams: [{ url }] })
  const controller = new AbortController()
  const asked = fetch(`${running.url}/api/generate`, { method: 'POST', body: '{}', signal: controller.signal })
  await (begins ? asked : come.promise)
  controller.abort()
  await asked.catch(() => undefined)
  await gone.promise
})

test('a client that goes away while it sends is gone for the upstream', async () => {
  const gone = deferred<void>()
  const came = deferred<void>()
  const { url } = await plainUpstream((request) => {
    request.on('data', () => came.resolve())
    request.on('error', () => undefined)
    request.on('close', gone.resolve)
  })
  const socket = openSocket((await gateway({ upstreams: [{ url }] })).url)
  socket.write('POST /api/blobs/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc')
  await came.promise
  socket.destroy()
  await gone.promise
})

test('an upstream that goes away in mid-answer is gone for the client: no end that looks whole', async () => {
  const { url } = await plainUpstream((_, response) => void response.write('half', () => response.socket?.destroy()))
  const running = await gateway({ upstreams: [{ url }] })
  const response = await fetch(`${running.url}/api/pull`)
  await expect(response.text()).rejects.toThrow()
  expect(running.services.metrics.text()).toContain('minutebook_upstream_failures_total{code="upstream_broke_off"} 1')
})

test("an upstream that is not there, or hangs up, is 502 in the protocol's shape and says what to do", async () => {
  const running = await gateway({ upstreams: [{ url: 'http://127.0.0.1:1' }] })
  await expect(new Ollama({ host: running.url }).list()).rejects.toThrow(
    /upstream cannot be reached \(ECONNREFUSED\)\. Start the upstream/,
  )
  await expect(
    new OpenAI({ baseURL: `${running.url}/v1`, apiKey: 'x', maxRetries: 0 }).models.list(),
  ).rejects.toMatchObject({ status: 502, code: 'upstream_unreachable', type: 'api_error' })
  const { url } = await plainUpstream((request) => request.socket.destroy())
  const other = await gateway({ upstreams: [{ url }] })
  expect(await (await fetch(`${other.url}/api/tags`)).json()).toEqual({ error: expect.stringMatching(/broke off/) })
})

test('an upstream may answer before it has read everything', async () => {
  const { url } = await plainUpstream((_, response) => void response.writeHead(413).end('too much'))
  const running = await gateway({ upstreams: [{ url }] })
  const answer = await new Promise<string>((resolve, reject) => {
    const outgoing = ask(`${running.url}/api/blobs/x`, { method: 'POST' }, (response) =>
      response.setEncoding('utf8').on('data', (text) => resolve(`${response.statusCode} ${text}`)),
    )
    outgoing.on('error', reject)
    outgoing.write(Buffer.alloc(200_000))
  })
  expect(answer).toBe('413 too much')
})

test('who asks whether to go on is told so, once', async () => {
  const { url } = await echo()
  const running = await gateway({ upstreams: [{ url }] })
  const { head, body } = await raw(
    running.url,
    'POST /api/embed HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
  )
  expect(head).toBe('HTTP/1.1 100 Continue')
  expect(body).toContain('"length":2')
  expect(body).not.toContain('100-continue')
})

test('where several speak a protocol, the model that is named finds its upstream; where one does, nobody looks', async () => {
  const [one, two] = [await echo(), await echo()]
  const running = await gateway({
    upstreams: [
      { url: `${one.url}/base`, protocol: 'openai', models: ['a'] },
      { url: two.url, protocol: 'openai', models: ['org/b'] },
    ],
  })
  const seen = async (path: string, options: RequestInit = {}): Promise<Seen> =>
    (await fetch(running.url + path, options)).json() as Promise<Seen>
  const post = (body: string, type = 'application/json'): RequestInit => ({
    method: 'POST',
    body,
    headers: { 'content-type': type },
  })
  const [first, second] = [new URL(one.url).host, new URL(two.url).host]
  expect((await seen('/v1/models/org%2Fb')).headers.host).toBe(second)
  expect((await seen('/v1/models/a')).headers.host).toBe(first)
  expect(await seen('/v1/embeddings', post('{ "model": "org/b", "input": "x" }'))).toMatchObject({
    headers: { host: second },
    length: 34,
  })
  expect((await seen('/v1/embeddings', post('{"model":"org/b"}', 'text/plain'))).headers.host).toBe(first)
  expect((await seen('/v1/embeddings', post('{"model"'))).headers.host).toBe(first)
  expect(await seen('/v1/models')).toMatchObject({ headers: { host: first }, url: '/base/v1/models' })
  expect(await seen('/v1/embeddings', post('{"model":"c"}'))).toMatchObject({
    error: { code: 'model_not_found', message: expect.stringContaining('a, org/b') },
  })
  const response = await fetch(`${running.url}/api/tags`)
  expect([response.status, await response.json()]).toEqual([
    404,
    { error: expect.stringContaining('protocol: ollama') },
  ])
  expect(await (await fetch(running.url)).text()).toBe('Minutebook is running')
})

test('a client that goes away while its body is read for the model is not passed on', async () => {
  let asked = 0
  const { url } = await plainUpstream((_, response) => void (asked++, response.end()))
  const running = await gateway({ upstreams: [{ url }, { url: `${url}/other` }] })
  const socket = openSocket(running.url)
  socket.write(
    'POST /api/embed HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{}',
  )
  const inFlight = (): number => running.services.metrics.inFlight
  await expect.poll(inFlight).toBe(1)
  socket.destroy()
  await expect.poll(inFlight).toBe(0)
  expect(asked).toBe(0)
  // Nothing is left that it would wait for.
  await running.close({ patience: 3_600_000 })
})

test('what an upstream says before its answer is not the answer', async () => {
  const { url } = await plainUpstream((_, response) => {
    response.writeProcessing()
    response.writeEarlyHints({ link: '</x>; rel=preload' })
    response.writeHead(201).end('made')
  })
  const response = await fetch(`${(await gateway({ upstreams: [{ url }] })).url}/api/create`, { method: 'POST' })
  expect([response.status, await response.text()]).toEqual([201, 'made'])
})

test.each([
  [
    'hangs up while the client sends',
    502,
    (request: IncomingMessage) => void request.once('data', () => request.socket.destroy()),
  ],
  [
    'answers while the client sends',
    413,
    (_: IncomingMessage, response: ServerResponse) => void response.writeHead(413).end(),
  ],
])('where an upstream %s, the client is told so, and its connection is good for more', async (_, status, answer) => {
  const { url } = await plainUpstream(answer)
  const running = await gateway({ upstreams: [{ url }] })
  const socket = openSocket(running.url)
  let text = ''
  socket.on('data', (piece) => void (text += piece.toString()))
  const until = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) await after(5)
  }
  socket.write(`POST /api/blobs/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 400000\r\n\r\n${'x'.repeat(100_000)}`)
  await until(`HTTP/1.1 ${status}`)
  for (let sent = 0; sent < 3; sent++) socket.write('x'.repeat(100_000))
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await until('"live":true')
})

test.each([
  ['a length of nothing', 'GET', 'Content-Length: 0\r\n\r\n', 0],
  ['pieces that are none', 'DELETE', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 0],
  [
    'pieces with extensions and trailers',
    'POST',
    'Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nX-Late: 1\r\n\r\n',
    5,
  ],
  ['a body where there is none as a rule', 'GET', 'Content-Length: 2\r\n\r\n{}', 2],
])('%s', async (_, method, rest, length) => {
  const { url } = await echo()
  const running = await gateway({ upstreams: [{ url }] })
  const { status, body } = await raw(
    running.url,
    `${method} /api/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${rest}`,
  )
  expect([status, body.includes(`"length":${length}`), body.includes('x-late')]).toEqual([200, true, false])
})

test('both official clients list through the gateway what they list without', async () => {
  const { upstream, running } = await gatewayBefore({ models: ['a', 'b'] })
  expect(await new Ollama({ host: running.url }).list()).toEqual(await new Ollama({ host: upstream.url }).list())
  const list = async (url: string): Promise<unknown> =>
    (await new OpenAI({ baseURL: `${url}/v1`, apiKey: 'x' }).models.list()).data
  expect(await list(running.url)).toEqual(await list(upstream.url))
})
