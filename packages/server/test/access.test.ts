import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { refusedAt } from '../src/access.ts'
import { routeOf } from '../src/route.ts'
import { isWithin, scopes, type Scope } from '../src/scope.ts'
import { gatewayBefore } from './support/gateway.ts'
import { raw } from './support/raw.ts'

/** The smallest scope that may; undefined where none does. */
function needed(method: string, path: string): Scope | undefined {
  return scopes.findLast((scope) => !refusedAt(routeOf(method, path), { method, path, caller: { name: 'x', tenant: 'default', scope, shown: 'key' } }))
}

test('each scope may what those after it may', () => {
  expect(scopes.map((held) => scopes.filter((each) => isWithin(held, each)))).toEqual([['operator', 'app', 'viewer'], ['app', 'viewer'], ['viewer']])
})

describe('on the routes of the gateway', () => {
  test.each([
    ['POST', '/api/chat', 'app'],
    ['POST', '/v1/chat/completions', 'app'],
    ['POST', '/api/generate', 'app'],
    ['POST', '/api/embed', 'app'],
    ['POST', '/api/show', 'app'],
    ['GET', '/api/tags', 'app'],
    ['HEAD', '/api/version', 'app'],
    ['GET', '/api/ps', 'app'],
    ['GET', '/v1/models', 'app'],
    ['GET', '/v1/models/library%2Fsmall', 'app'],
    ['POST', '/v1/embeddings', 'app'],
    ['POST', '/v1/responses', 'app'],
    ['GET', '/v1/responses/resp_1', 'app'],
    ['DELETE', '/v1/conversations/conv_1', 'app'],
    ['GET', '/', 'viewer'],
    ['GET', '/metrics', 'viewer'],
    ['GET', '/nowhere', 'viewer'],
    ['GET', '/minutebook/v1/threads', 'viewer'],
    ['POST', '/minutebook/v1/threads', 'app'],
    // Models are the operator's.
    ['POST', '/api/pull', 'operator'],
    ['POST', '/api/push', 'operator'],
    ['POST', '/api/create', 'operator'],
    ['POST', '/api/copy', 'operator'],
    ['DELETE', '/api/delete', 'operator'],
    ['POST', '/api/blobs/sha256:00', 'operator'],
    ['HEAD', '/api/blobs/sha256:00', 'operator'],
    ['DELETE', '/v1/models/small', 'operator'],
    // What an upstream keeps is of all who use it.
    ['GET', '/v1/chat/completions', 'operator'],
    ['GET', '/v1/files', 'operator'],
    ['POST', '/v1/files', 'operator'],
    ['GET', '/v1/batches', 'operator'],
    ['POST', '/v1/fine_tuning/jobs', 'operator'],
    ['GET', '/v1/organization/admin_api_keys', 'operator'],
    // What nobody has thought of, and what an upstream may read in another way.
    ['POST', '/api/made-up', 'operator'],
    ['GET', '/v1/made-up', 'operator'],
    ['POST', '/api/PULL', 'operator'],
    ['POST', '/api/pull/', 'operator'],
    ['POST', '/api/embed/', 'operator'],
    ['POST', '/api/Embed', 'operator'],
    ['PATCH', '/api/tags', 'operator'],
    ['DELETE', '/api/tags', 'operator'],
    ['GET', '/console', 'operator'],
  ] as const)('%s %s needs %s', (method, path, scope) => {
    expect(needed(method, path)).toBe(scope)
  })

  test.each(['/API/pull', '/Api/tags', '/V1/models', '/MINUTEBOOK/v1/threads', '/minutebook/V1/threads', '/api', '/v1', '/minutebook', '/minutebook/v2/threads', '/minutebook/v1x', '/metrics/', '/Metrics'])('%s is nothing', (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) expect(routeOf(method, path).kind).toBe('none')
  })

  test('without keys the upstream is as open as it is beside us; the record is not', () => {
    const anybody = { name: '', tenant: 'default', scope: 'app', shown: 'nothing' } as const
    const refused = (method: string, path: string): number | undefined => refusedAt(routeOf(method, path), { method, path, caller: anybody })?.status
    expect([refused('POST', '/api/pull'), refused('GET', '/v1/files'), refused('POST', '/api/chat'), refused('GET', '/console')]).toEqual([undefined, undefined, undefined, 401])
  })
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const keys = scopes.map((scope) => ({ name: scope, sha256: sha256(`${scope}-key`), tenant: 'default', scope }))

/** Ways in which a path can be written that some server reads as `/api/pull`. */
const odd = [
  '//api/pull', '/api//pull', '/api/./pull', '/api/../api/pull', '/v1/../api/pull', '/api/%70ull', '/%61pi/pull', '/api%2Fpull', '/api%2fpull', '/api/%2e%2e/api/pull', '/api/pull%00', '/api/pull;x', '/api\\pull', '/api/pull%5c',
  '/api/chat/../pull', '/api/chat%2F..%2Fpull', '/v1/models/..%2F..%2Fapi%2Fpull', '/v1/models/%2e%2e/pull', '/v1/models/x%2F..%2F..%2F..%2Fapi%2Fpull', '/api/%2570ull', '/api/pull#', '/api/pull%23', '/api/tags/../pull', '/api/Pull', '/API/PULL', '/api/pull/', '/api/pull.', '/api/pull%20',
  '/minutebook/v1/../../api/pull', '/metrics/../api/pull', '/livez/../api/pull', '/livez%2F..%2Fapi%2Fpull', 'http://localhost//api/pull', 'http://localhost/api/%70ull', '/api/pull?x', '*', 'api/pull', '/.//api/pull', '/api/pull%0d%0a', '/ａpi/pull',
]

test('no way to write a path gets an app or a viewer to a model management route', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys })
  for (const path of odd) {
    for (const scope of ['app', 'viewer', 'nobody']) {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const { status } = await raw(running.url, Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${scope}-key\r\nX-HTTP-Method-Override: POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`).toString('latin1'))
        expect([400, 401, 403, 404], `${scope}: ${method} ${path}`).toContain(status)
      }
    }
  }
  expect(upstream.requests).toEqual([])
})

test('an operator gets there, an app does not, and is told what it needs; what stands in for the method goes no further', async () => {
  const { upstream, running } = await gatewayBefore({}, { keys })
  const ask = (scope: string, path: string, method = 'POST'): Promise<Response> => fetch(running.url + path, { method, headers: { authorization: `Bearer ${scope}-key`, 'x-http-method-override': 'DELETE' } })
  const refused = await ask('app', '/api/pull')
  expect([refused.status, await refused.json()]).toEqual([403, { error: expect.stringMatching(/scope app may not.*scope operator/) }])
  expect(upstream.requests).toEqual([])
  await ask('operator', '/api/pull')
  await ask('app', '/v1/models', 'GET')
  expect(upstream.requests.map(({ method, path, headers }) => [method, path, headers['x-http-method-override']])).toEqual([['POST', '/api/pull', undefined], ['GET', '/v1/models', undefined]])
})
