import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isWithin, scopes, type Caller } from '../../src/config/caller.ts'
import { access, refusalAt, routeOf, whoIs, type Use, type Who } from '../../src/http/routes.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { raw } from '../../../../tests/support/server/raw.ts'

const key = { name: 'x', tenant: 'default', shown: 'key' } as const
const callers: Readonly<Record<Who, Caller>> = {
  installation: { ...key, scope: 'admin', installation: true },
  admin: { ...key, scope: 'admin' },
  app: { ...key, scope: 'app' },
  viewer: { ...key, scope: 'viewer' },
  chats: { ...key, scope: 'app', system: false },
  anybody: { name: '', tenant: 'default', scope: 'app', shown: 'nothing' },
}

/** Everybody who may. */
function whoMay(method: string, path: string, options: Parameters<typeof routeOf>[2] = {}): string {
  const route = routeOf(method, path, options)
  return Object.entries(callers)
    .filter(([, caller]) => !refusalAt(route, { method, path, caller }))
    .map(([who]) => who)
    .join(' ')
}

test('a scope that there is not may nothing', () => {
  expect(scopes.filter((each) => isWithin('operator' as never, each))).toEqual([])
})

test('each scope may what those after it may', () => {
  expect(scopes.map((held) => scopes.filter((each) => isWithin(held, each)))).toEqual([
    ['admin', 'app', 'viewer'],
    ['app', 'viewer'],
    ['viewer'],
  ])
  for (const allowed of Object.values(access))
    for (const [index, scope] of scopes.entries()) {
      if (allowed.includes(scope))
        expect(
          ['installation', ...scopes.slice(0, index)].filter((larger) => !allowed.includes(larger as Who)),
        ).toEqual([])
    }
})

test('a key for chats alone is nothing else, whatever else is said of it', () => {
  for (const scope of scopes) expect(whoIs({ ...key, scope, system: false, installation: true })).toBe('chats')
})

test('docs/operation.md has the same table', () => {
  const text = readFileSync(new URL('../../../../docs/operation.md', import.meta.url), 'utf8')
  const [, table = ''] = text.split('| | installation | `admin` | `app` | `viewer` | chats alone | no keys at all |\n')
  const [, ...rows] = table.split('\n\n', 1)[0]!.split('\n')
  const columns: readonly Who[] = ['installation', 'admin', 'app', 'viewer', 'chats', 'anybody']
  const uses: readonly (readonly Use[])[] = [
    ['chat'],
    ['models'],
    ['inference'],
    ['responses'],
    ['write'],
    ['read'],
    ['metrics', 'greeting'],
    ['console'],
    ['upstream'],
  ]
  const documented = rows.map((row) =>
    row
      .split('|')
      .slice(2, -1)
      .flatMap((cell, index) => (cell.includes('✓') ? [columns[index]] : [])),
  )
  expect(documented).toEqual(uses.map(([use]) => access[use!]))
  expect(access.greeting).toEqual(access.metrics)
  expect(new Set(Object.keys(access))).toEqual(new Set([...uses.flat(), 'nothing']))
})

const everybody = 'installation admin app viewer chats anybody'
const seers = 'installation admin app viewer anybody'
const users = 'installation admin app anybody'
const chatters = 'installation admin app chats anybody'
const owners = 'installation anybody'

describe('on the routes of the server', () => {
  test.each([
    ['POST', '/api/chat', chatters],
    ['POST', '/v1/chat/completions', chatters],
    ['GET', '/api/tags', chatters],
    ['GET', '/v1/models', chatters],
    ['HEAD', '/v1/models', chatters],
    ['GET', '/v1/models/library%2Fsmall', chatters],
    ['POST', '/api/generate', users],
    ['POST', '/api/embed', users],
    ['POST', '/api/show', users],
    ['HEAD', '/api/version', users],
    ['GET', '/api/ps', users],
    ['POST', '/v1/embeddings', users],
    ['POST', '/v1/responses', users],
    ['GET', '/v1/responses/resp_1', users],
    ['DELETE', '/v1/conversations/conv_1', users],
    ['POST', '/minutebook/v1/threads', users],
    ['DELETE', '/minutebook/v1/keys/x', users],
    ['GET', '/', seers],
    ['GET', '/metrics', seers],
    ['GET', '/minutebook/v1', seers],
    ['GET', '/minutebook/v1/threads', seers],
    ['GET', '/console', 'installation admin app viewer'],
    ['POST', '/console/session', 'installation admin app viewer'],
    // There is nothing to be had.
    ['GET', '/nowhere', everybody],
    // Models belong to the installation.
    ['POST', '/api/pull', owners],
    ['POST', '/api/push', owners],
    ['POST', '/api/create', owners],
    ['POST', '/api/copy', owners],
    ['DELETE', '/api/delete', owners],
    ['POST', '/api/blobs/sha256:00', owners],
    ['HEAD', '/api/blobs/sha256:00', owners],
    ['DELETE', '/v1/models/small', owners],
    // What an upstream keeps is of all who use it.
    ['GET', '/v1/chat/completions', owners],
    ['GET', '/v1/files', owners],
    ['POST', '/v1/files', owners],
    ['GET', '/v1/batches', owners],
    ['POST', '/v1/fine_tuning/jobs', owners],
    ['GET', '/v1/organization/admin_api_keys', owners],
    // What nobody has thought of, and what an upstream may read in another way.
    ['POST', '/api/made-up', owners],
    ['GET', '/v1/made-up', owners],
    ['POST', '/api/PULL', owners],
    ['POST', '/api/pull/', owners],
    ['POST', '/api/embed/', owners],
    ['POST', '/api/Embed', owners],
    ['PATCH', '/api/tags', owners],
    ['DELETE', '/api/tags', owners],
    ['OPTIONS', '/api/tags', owners],
    ['OPTIONS', '/v1/models', owners],
    ['GET', '/api/show', owners],
    ['QUERY', '/v1/models', owners],
  ] as const)('%s %s is for %s', (method, path, who) => {
    expect(whoMay(method, path)).toBe(who)
  })

  test.each([
    ['POST', '/v1/responses', users],
    ['GET', '/v1/responses/resp_1', owners],
    ['DELETE', '/v1/responses/resp_1', owners],
    ['POST', '/v1/conversations', owners],
    ['GET', '/v1/conversations/conv_1/items', owners],
  ] as const)('%s %s is for %s if the upstream answers it', (method, path, who) => {
    expect(whoMay(method, path, { responses: 'pass' })).toBe(who)
  })

  test('a key for chats alone sends no query', () => {
    const refused = (caller: Caller): string | undefined =>
      refusalAt(routeOf('GET', '/v1/models'), { method: 'GET', path: '/v1/models', query: '?proxy=x', caller })?.code
    expect([refused(callers.chats), refused(callers.app)]).toEqual(['only_chats', undefined])
  })

  test('who may not is told what would be needed', () => {
    const told = (who: Who, method: string, path: string): unknown =>
      refusalAt(routeOf(method, path), { method, path, caller: callers[who] })
    expect(told('viewer', 'POST', '/api/chat')).toMatchObject({
      status: 403,
      code: 'forbidden',
      problem: expect.stringContaining('scope viewer may not') as string,
      fix: expect.stringContaining('scope app') as string,
    })
    expect(told('admin', 'DELETE', '/api/delete')).toMatchObject({
      status: 403,
      code: 'forbidden',
      problem: expect.stringContaining('scope admin may not') as string,
      fix: expect.stringMatching(/operator of the installation.*installation: true/) as string,
    })
    expect(told('chats', 'GET', '/metrics')).toMatchObject({
      status: 403,
      code: 'only_chats',
      problem: expect.stringContaining('only for chats') as string,
      fix: expect.stringMatching(/another key/i) as string,
    })
    expect(told('anybody', 'GET', '/console')).toMatchObject({ status: 401, code: 'unauthorized' })
  })

  test.each([
    '/API/pull',
    '/Api/tags',
    '/V1/models',
    '/MINUTEBOOK/v1/threads',
    '/minutebook/V1/threads',
    '/api',
    '/v1',
    '/minutebook',
    '/minutebook/v2/threads',
    '/minutebook/v1x',
    '/metrics/',
    '/Metrics',
  ])('%s is nothing', (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) expect(routeOf(method, path).kind).toBe('none')
  })
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const keys = [
  ...scopes.map((scope) => ({ name: scope, sha256: sha256(`${scope}-key`), tenant: 'default', scope })),
  { name: 'chats', sha256: sha256('chats-key'), tenant: 'default', scope: 'app' as const, system: false },
  {
    name: 'installation',
    sha256: sha256('installation-key'),
    tenant: 'default',
    scope: 'admin' as const,
    installation: true,
  },
]

/** Ways in which a path can be written that some server reads as `/api/pull`. */
const odd = [
  '//api/pull',
  '/api//pull',
  '/api/./pull',
  '/api/../api/pull',
  '/v1/../api/pull',
  '/api/%70ull',
  '/%61pi/pull',
  '/api%2Fpull',
  '/api%2fpull',
  '/api/%2e%2e/api/pull',
  '/api/pull%00',
  '/api/pull;x',
  '/api\\pull',
  '/api/pull%5c',
  '/api/chat/../pull',
  '/api/chat%2F..%2Fpull',
  '/v1/models/..%2F..%2Fapi%2Fpull',
  '/v1/models/%2e%2e/pull',
  '/v1/models/x%2F..%2F..%2F..%2Fapi%2Fpull',
  '/api/%2570ull',
  '/api/pull#',
  '/api/pull%23',
  '/api/tags/../pull',
  '/api/Pull',
  '/API/PULL',
  '/api/pull/',
  '/api/pull.',
  '/api/pull%20',
  '/minutebook/v1/../../api/pull',
  '/metrics/../api/pull',
  '/livez/../api/pull',
  '/livez%2F..%2Fapi%2Fpull',
  'http://localhost//api/pull',
  'http://localhost/api/%70ull',
  '/api/pull?x',
  '*',
  'api/pull',
  '/.//api/pull',
  '/api/pull%0d%0a',
  '/ａpi/pull',
]

test('no way to write a path gets anybody but the operator of the installation to a model management route', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys })
  for (const path of odd) {
    for (const scope of ['admin', 'app', 'viewer', 'chats', 'nobody']) {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const { status } = await raw(
          running.url,
          Buffer.from(
            `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${scope}-key\r\nX-HTTP-Method-Override: POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
          ).toString('latin1'),
        )
        expect([400, 401, 403, 404], `${scope}: ${method} ${path}`).toContain(status)
      }
    }
  }
  expect(upstream.requests).toEqual([])
})

test('the operator of the installation gets there, one of a tenant does not, and is told what it needs; what stands in for the method goes no further', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys })
  const ask = (scope: string, path: string, method = 'POST'): Promise<Response> =>
    fetch(running.url + path, {
      method,
      headers: { authorization: `Bearer ${scope}-key`, 'x-http-method-override': 'DELETE' },
    })
  const refused = await ask('admin', '/api/pull')
  expect([refused.status, await refused.json()]).toEqual([
    403,
    { error: expect.stringMatching(/scope admin may not.*installation: true/) },
  ])
  expect(upstream.requests).toEqual([])
  await ask('installation', '/api/pull')
  await ask('app', '/v1/models', 'GET')
  expect(
    upstream.requests.map(({ method, path, headers }) => [method, path, headers['x-http-method-override']]),
  ).toEqual([
    ['POST', '/api/pull', undefined],
    ['GET', '/v1/models', undefined],
  ])
})
