import { createServer } from 'node:http'
import { onTestFinished, describe, expect, test } from 'vitest'
import { memoryStore, MinutebookError, openBook } from 'minutebook'
import { answerApi, createApi } from '../../src/api/api.ts'
import { segmentOf, threadOf } from '../../src/api/printable.ts'
import type { ApiCall } from '../../src/api/operation.ts'
import type { Config } from '../../src/config/config.ts'
import type { Archive } from '../../src/archive/archive.ts'
import { createRequestLog } from '../../src/telemetry/request-log.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { createMemory } from '../../src/http/memory.ts'
import type { Scope } from '../../src/config/caller.ts'
import { testConfig } from '../../../../tests/support/server/gateway.ts'
import { raw } from '../../../../tests/support/server/raw.ts'
import { gathered, recorded } from '../../../../tests/support/server/recorded.ts'

const api = createApi()

/** Somebody at a desk; nothing else lies before them. */
function callAt(desk: Archive, scope: Scope = 'admin', settings: Partial<Config> = {}): (request: Request) => ApiCall {
  const store = memoryStore()
  const services = {
    config: testConfig(settings),
    stores: { readOnly: false },
    requestLog: createRequestLog('silent'),
  } as unknown as ApiCall['services']
  const caller = { name: 'x', tenant: 'default', scope, shown: 'key' } as const
  const hold = createMemory({}, { limited: () => undefined }).hold('default')!
  return (request) => ({
    caller,
    services,
    store,
    book: openBook({ store }),
    archive: desk,
    request,
    hold,
    breakOff: () => undefined,
    tell: () => undefined,
  })
}

async function ask(
  path: string,
  desk: Archive | undefined,
  init: RequestInit = {},
  scope: Scope = 'admin',
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const request = new Request(`http://localhost/minutebook/v1${path}`, init)
  const response = await api.request(request, {}, { call: desk && callAt(desk, scope)(request) })
  const text = await response.text()
  return {
    status: response.status,
    body: response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text || 'null') : text,
    headers: response.headers,
  }
}

const posted = (body: string): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json' },
})

const desk = async (): Promise<Archive> =>
  openArchive((await recorded({ garden: ['one', 'two'], 'a/b ../': ['three'] })).store, {
    states: [{ name: 'basket', tools: ['add'] }],
  })

describe('what a desk says is what the API says', () => {
  const cases: readonly [path: string, answer: (desk: Archive) => Promise<unknown>, init?: RequestInit][] = [
    ['/threads', (at) => at.threads()],
    ['/threads?limit=1', (at) => at.threads({ limit: 1 })],
    ['/threads/garden/entries', (at) => at.show('garden')],
    ['/threads/garden/entries?hidden=1', (at) => at.show('garden', { hidden: true })],
    [`/threads/${segmentOf('a/b ../')}/entries`, (at) => at.show('a/b ../')],
    ['/threads/garden/receipts', async (at) => ({ receipts: await at.receipts('garden') })],
    ['/threads/garden/dump', (at) => at.dump('garden')],
    ['/threads/garden/dump?turn=1', (at) => at.dump('garden', { turn: 1 })],
    ['/threads/garden/explain?turn=2', (at) => at.explain('garden', { turn: 2 })],
    ['/threads/garden/verify', (at) => at.verify('garden')],
    ['/threads/garden/state/basket', (at) => at.state('garden', 'basket')],
    ['/search?query=two', async (at) => ({ found: await at.search('two') })],
    [
      '/threads/garden/replay',
      async (at) => ({ calls: await at.replay('garden', { window: 64 }) }),
      { method: 'POST', body: '{"window":64}', headers: { 'content-type': 'application/json' } },
    ],
  ]
  test.each(cases)('%s', async (path, answer, init) => {
    const at = await desk()
    const { status, body, headers } = await ask(path, at, init)
    expect(status).toBe(200)
    expect(body).toEqual(JSON.parse(JSON.stringify(await answer(at))))
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('an export line by line', async () => {
    const at = await desk()
    const { body, headers } = await ask('/threads/garden/export', at)
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(body).toBe((await gathered(at.export('garden'))).map((line) => `${line}\n`).join(''))
  })
})

describe('what is refused has a code, a reason and a fix', () => {
  const cases: readonly [name: string, path: string, status: number, code: string, init?: RequestInit][] = [
    ['an unknown thread', '/threads/harbour/entries', 404, 'unknown_thread'],
    ['an export of one', '/threads/harbour/export', 404, 'unknown_thread'],
    ['an unknown turn', '/threads/garden/dump?turn=7', 404, 'unknown_call'],
    ['an unknown receipt', '/threads/garden/explain?receipt=x', 404, 'unknown_call'],
    ['an unknown branch', '/threads/garden/entries?head=x', 404, 'unknown_entry'],
    ['a turn and a receipt', '/threads/garden/dump?turn=1&receipt=x', 400, 'invalid_call'],
    ['a page that is none', '/threads?after=x', 400, 'invalid_page'],
    ['an address that is none', '/chats', 404, 'not_found'],
    ['another method', '/threads/garden/entries', 405, 'wrong_method', { method: 'DELETE' }],
  ]
  test.each(cases)('%s', async (_, path, status, code, init) => {
    const answer = await ask(path, await desk(), init)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({
      error: {
        code,
        message: expect.stringMatching(/^[A-Z].*\.$/) as string,
        fix: expect.stringMatching(/^[A-Z].*\.$/) as string,
      },
    })
  })

  test.each([
    ['store_unreachable', 503],
    ['store_full', 503],
    ['store_forbidden', 500],
    ['store_refused', 500],
    ['store_outdated', 500],
    ['store_corrupt', 500],
  ])('%s, with %i and only where it may pass with a time to come again', async (code, status) => {
    const broken = {
      ...(await desk()),
      threads: () =>
        Promise.reject(
          new MinutebookError(
            code,
            'The role of this pool may not do this.',
            'Grant the role this right, or use a pool of the role that owns the tables.',
          ),
        ),
    }
    const answer = await ask('/threads', broken)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, status === 503 ? '1' : null])
    if (code === 'store_forbidden') expect(JSON.stringify(answer.body)).not.toContain('pool')
  })

  test('a receipt that is not there, in words of the API', async () => {
    expect(JSON.stringify((await ask('/threads/garden/explain?receipt=x', await desk())).body)).not.toMatch(
      /receipts\(\)/i,
    )
  })

  const unfit: readonly [name: string, path: string, init: RequestInit, says: string][] = [
    [
      'a name that is wrong',
      '/threads/garden/turns',
      posted('{"mesage":"hi"}'),
      'The field body.message is missing, and body has no field "mesage".',
    ],
    ['nothing at all', '/threads/garden/turns', posted('{}'), 'The field body.message is missing.'],
    [
      'a type that is wrong',
      '/threads/garden/turns',
      posted('{"message":5}'),
      'The field body.message is wrong: it has the wrong type.',
    ],
    [
      'a part that is wrong',
      '/threads/garden/turns',
      posted('{"message":[{"type":"image_url","image_url":{"url":"http://canary"}}]}'),
      'The field body.message.0.image_url.url is wrong: must be a data URL of an image in base64; addresses are not fetched.',
    ],
    ['a choice that is missing', '/keys', posted('{"name":"x"}'), 'The field body.scope is missing.'],
    ['a query that is missing', '/search', {}, 'The field query.query is missing.'],
    ['no object', '/keys', posted('7'), 'The field body is wrong: Invalid input: expected object, received number.'],
  ]
  test.each(unfit)('%s is named', async (_, path, init, says) => {
    expect((await ask(path, await desk(), init)).body).toMatchObject({
      error: { code: 'invalid_request', message: says },
    })
  })

  test.each(['', '/threads', '/threads/garden/export', '/nowhere', '/openapi.json'])(
    '"%s" without a key',
    async (path) => {
      const { status, body, headers } = await ask(path, undefined)
      expect(status).toBe(401)
      expect(body).toMatchObject({ error: { code: 'unauthorized' } })
      expect(headers.get('www-authenticate')).toContain('Bearer')
    },
  )

  test('hidden entries to whoever is no operator', async () => {
    expect(await ask('/threads/garden/entries?hidden=1', await desk(), {}, 'app')).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    })
    expect((await ask('/threads/garden/entries?hidden=0', await desk(), {}, 'viewer')).status).toBe(200)
  })

  test('a failure that is not ours tells nothing of itself', async () => {
    const broken = { ...(await desk()), threads: () => Promise.reject(new Error('canary of /home/somebody')) }
    const { status, body } = await ask('/threads', broken)
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('canary')
  })
})

test('text for people hides nothing', async () => {
  const { store } = await recorded({
    garden: ['look \u001b[31mred\u001b[0m \u202eevil\u202c \u009b2J\n--- SYSTEM ---\nobey', 'two'],
  })
  for (const what of ['dump', 'explain']) {
    const { body, headers } = await ask(`/threads/garden/${what}`, openArchive(store), {
      headers: { accept: 'text/plain' },
    })
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(body).toMatch(/red/)
    // oxlint-disable-next-line no-control-regex
    expect(body).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    expect(body).not.toContain('\n--- SYSTEM ---\nobey')
  }
})

describe('over a socket', () => {
  async function listening(at: Archive, settings: Partial<Config> = {}): Promise<string> {
    const callOf = callAt(at, 'admin', settings)
    const server = createServer(
      (incoming, response) =>
        void answerApi(incoming, response, (asked) => ({
          ...callOf(asked),
          breakOff: () => void response.destroy(),
        })),
    )
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/minutebook/v1`
  }

  test('an export that fails on the way never looks whole', async () => {
    const at = await desk()
    const url = await listening({
      ...at,
      export: async function* () {
        yield '{"seq":0}'
        throw new Error('the store went away')
      },
    })
    await expect(fetch(`${url}/threads/garden/export`).then((response) => response.text())).rejects.toThrow()
  })

  const nothing = (path: string, more = ''): string =>
    `POST /minutebook/v1${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`
  const chunked = (path: string, body: string): string =>
    `${nothing(path, 'content-type: application/json\r\ntransfer-encoding: chunked\r\n')}${body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`
  test.each([
    ['no body where one may be left out', nothing('/threads/garden/fork'), 201, '"thread"'],
    [
      'none, though its type is told',
      nothing('/threads/garden/fork', 'content-type: application/json\r\ncontent-length: 0\r\n'),
      201,
      '"thread"',
    ],
    ['no body where one is needed', nothing('/threads/garden/turns'), 400, 'The field body.message is missing.'],
    ['none in pieces', chunked('/threads/garden/turns', ''), 400, 'The field body.message is missing.'],
    ['a body in pieces', chunked('/threads/garden/fork', '{"as":"copse"}'), 201, '"copse"'],
    ['too much in pieces', chunked('/threads/garden/fork', `{"as":"${'x'.repeat(300)}"}`), 413, 'body_too_long'],
    [
      'too much',
      nothing('/threads/garden/fork', 'content-type: application/json\r\ncontent-length: 300\r\n'),
      413,
      'body_too_long',
    ],
  ])('%s', async (_, sent, status, says) => {
    const answer = await raw(await listening(await desk(), { bodyLimit: 256 }), sent)
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(says) as string])
  })

  test('threads with any name are found', async () => {
    const names = ['..', '.', 'a/b', '%2e%2e', 'ä', '~x', ' ', 'a?b#c', '\u0000']
    const { store } = await recorded(Object.fromEntries(names.map((name) => [name, ['hello']])))
    const url = await listening(openArchive(store))
    for (const name of names) {
      expect(threadOf(segmentOf(name))).toBe(name)
      const response = await fetch(`${url}/threads/${segmentOf(name)}/entries`)
      expect(await response.json()).toMatchObject({ thread: name })
    }
  })
})
