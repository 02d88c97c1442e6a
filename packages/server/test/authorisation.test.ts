import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { isWithin, scopes, type Scope } from '../src/config/caller.ts'
import { pathOf, requests, type Prepared } from './authorisation/requests.ts'
import {
  holders,
  openWorld,
  ownThread,
  sharedThread,
  tenants,
  type Holder,
  type Tenant,
  type World,
} from './authorisation/world.ts'

interface Documented {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly scope: Scope
  readonly success: number
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string
            readonly 'x-minutebook-scope': Scope
            readonly responses: Readonly<Record<string, unknown>>
          }
        >
      >
    >
  >
}

/** All operations, as the server itself documents them. */
async function documented({ as }: World): Promise<Documented[]> {
  const { body } = await as('garden', 'viewer').ask('GET', '/openapi.json')
  return Object.entries((body as unknown as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, 'x-minutebook-scope': scope, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      scope,
      success: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
    })),
  )
}

/** What came back, and who got it. */
interface Got {
  readonly by: string
  readonly tenant: Tenant
  readonly holder: Holder | undefined
  readonly text: string
}

interface Asking {
  readonly tenant: Tenant
  readonly holder: Holder | undefined
  readonly method: string
  readonly path: string
  readonly prepared?: Prepared
}

async function ask(
  world: World,
  { tenant, holder, method, path, prepared: { query = '', body, headers = {} } = {} }: Asking,
): Promise<{ readonly status: number; readonly text: string; readonly code: unknown }> {
  const response = await fetch(world.running.url + path + query, {
    method,
    headers: {
      ...(holder && { authorization: `Bearer ${world.keyOf(tenant, holder)}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('application/json') === true && text !== ''
  const told = JSON.stringify([...response.headers])
  return {
    status: response.status,
    text: `${told}\n${text}`,
    code: isJson ? (JSON.parse(text) as { readonly error?: { readonly code?: unknown } }).error?.code : undefined,
  }
}

const api = '/minutebook/v1'

const others = (tenant: Tenant): Tenant => tenants.find((each) => each !== tenant)!

const database = testDatabase()

test.each([
  ['files', () => ({})],
  ['one database', () => ({ database: database.url })],
])(
  "in %s every operation is for those who may, of their own tenant; what is another's is not there; nothing hidden gets out",
  async (_, settings) => {
    const world = await openWorld(settings())
    const operations = await documented(world)
    expect(operations.map(({ id }) => id).toSorted()).toEqual(Object.keys(requests).toSorted())
    const got: Got[] = []
    let [count, asked] = [0, 0]
    for (const { id, method, path: documentedPath, scope: needed, success } of operations) {
      // What nobody was let to is as it was: it serves until somebody succeeds.
      const untouched = new Map<Tenant, Prepared>()
      for (const tenant of tenants) {
        for (const holder of [...holders, undefined]) {
          for (const owner of tenants) {
            const prepared = untouched.get(owner) ?? (await requests[id]!({ world, tenant: owner, count: count++ }))
            untouched.set(owner, prepared)
            if (prepared.isOwn === true && owner !== tenant) continue
            const path = pathOf(documentedPath, prepared)
            const { status, text, code } = await ask(world, { tenant, holder, method, path, prepared })
            if (status < 400) untouched.delete(owner)
            const by = `${holder ?? 'nobody'} of ${tenant}: ${method} ${path} of ${owner}`
            if (holder === undefined) expect([status, code], by).toEqual([401, 'unauthorized'])
            else if (holder === 'chats') expect([status, code], by).toEqual([403, 'only_chats'])
            else if (!isWithin(holder === 'installation' ? 'admin' : holder, needed))
              expect([status, code], by).toEqual([403, 'forbidden'])
            // Keys are the one thing of other tenants that the operator of the installation has.
            else if (owner === tenant || (holder === 'installation' && id === 'revokeKey'))
              expect([status, code], `${by}\n${text}`).toEqual([success, undefined])
            else
              expect([status, String(code)], by).toEqual([
                404,
                expect.stringMatching(/^unknown_(thread|policy|key|run)$/),
              ])
            got.push({ by, tenant, holder, text })
            asked++
          }
        }
      }
    }
    expect(asked).toBeGreaterThan(300)
    expectNoCanary(world, got)
    await expectGateway(world)
    await expectSilence(world)
  },
)

/** Everything else that the server has, and who may ask for it. */
const gatewayRoutes: readonly (readonly [method: string, path: string, may: readonly Holder[]])[] = [
  ['POST', '/api/chat', ['installation', 'admin', 'app', 'chats']],
  ['POST', '/v1/chat/completions', ['installation', 'admin', 'app', 'chats']],
  ['POST', '/v1/messages', ['installation', 'admin', 'app', 'chats']],
  ['POST', '/v1/messages/count_tokens', ['installation', 'admin', 'app']],
  ['POST', '/v1/messages/batches', ['installation']],
  ['GET', '/v1/messages/batches', ['installation']],
  ['GET', '/api/tags', ['installation', 'admin', 'app', 'chats']],
  ['GET', '/v1/models', ['installation', 'admin', 'app', 'chats']],
  ['POST', '/api/embed', ['installation', 'admin', 'app']],
  ['POST', '/api/generate', ['installation', 'admin', 'app']],
  ['POST', '/v1/responses', ['installation', 'admin', 'app']],
  ['POST', '/v1/conversations', ['installation', 'admin', 'app']],
  ['GET', '/', ['installation', 'admin', 'app', 'viewer']],
  ['GET', '/metrics', ['installation', 'admin', 'app', 'viewer']],
  ['GET', '/minutebook/v1/openapi.json', ['installation', 'admin', 'app', 'viewer']],
  ['DELETE', '/api/delete', ['installation']],
  ['POST', '/api/pull', ['installation']],
  ['GET', '/v1/files', ['installation']],
  ['POST', '/v1/made-up', ['installation']],
]

const chat = { model: 'strict', messages: [{ role: 'user', content: 'Hello' }] }
const bodies: Readonly<Record<string, object>> = {
  '/v1/messages': { ...chat, max_tokens: 100 },
  '/v1/responses': { model: 'strict', input: 'Hello' },
  '/v1/conversations': {},
}

async function expectGateway(world: World): Promise<void> {
  const { upstream } = world
  for (const [method, path, may] of gatewayRoutes)
    for (const tenant of tenants)
      for (const holder of [...holders, undefined]) {
        const by = `${holder ?? 'nobody'} of ${tenant}: ${method} ${path}`
        // The server asks the upstream on its own, too: what was asked for here is known by its user agent.
        const headers = { 'user-agent': by }
        const { status } = await ask(world, {
          tenant,
          holder,
          method,
          path,
          prepared: { headers, ...(method === 'POST' && { body: bodies[path] ?? chat }) },
        })
        const isPassed = upstream.requests.some((request) => request.headers['user-agent'] === by)
        if (holder !== undefined && may.includes(holder)) expect([401, 403], by).not.toContain(status)
        else expect([status, isPassed], by).toEqual([holder === undefined ? 401 : 403, false])
        // What goes through brings its user agent along.
        if (path === '/api/embed' && holder === 'installation') expect(isPassed, by).toBe(true)
      }
  // Where the server is, and what stands behind it.
  const { data } = world.running.services.config
  for (const tenant of tenants)
    for (const holder of holders) {
      const { text } = await ask(world, { tenant, holder, method: 'GET', path: api })
      expect([holder, text.includes(data), text.includes(upstream.url)]).toEqual([
        holder,
        holder === 'installation',
        holder === 'installation',
      ])
    }
}

function expectNoCanary({ canaries: { said, note, keys } }: World, got: readonly Got[]): void {
  for (const { by, tenant, holder, text } of got) {
    for (const key of keys) expect(text.includes(key), `a key in what came back to ${by}`).toBe(false)
    const foreign = others(tenant)
    expect(text.includes(said[foreign]) && !by.includes(said[foreign]), `what another tenant said, to ${by}`).toBe(
      false,
    )
    expect(text.includes(note[foreign]), `another tenant's note, to ${by}`).toBe(false)
    if (holder !== 'admin' && holder !== 'installation')
      expect(text.includes(note[tenant]), `a note, to ${by}`).toBe(false)
  }
  // They are there to be found.
  const notes = got
    .filter(({ tenant, holder, text }) => holder === 'admin' && text.includes(note[tenant]))
    .map(({ by }) => by.split(' ')[4]?.split('/').at(-1))
  expect([...new Set(notes)]).toEqual(expect.arrayContaining(['dump', 'export']))
  expect(got.some(({ tenant, holder, text }) => holder === 'viewer' && text.includes(said[tenant]))).toBe(true)
}

/** Nothing that was said or hidden, and no key, in what the server tells of itself. */
async function expectSilence({ running, canaries: { said, note, keys }, logged, traced }: World): Promise<void> {
  await running.services.spans.close()
  await after(50)
  const told = { log: logged.join(''), metrics: running.services.metrics.text(), spans: traced.join('') }
  expect([logged.length > 300, told.metrics.length > 1000, told.spans.includes('strict')]).toEqual([true, true, true])
  for (const [where, text] of Object.entries(told)) {
    for (const secret of [...Object.values(said), ...Object.values(note), ...keys])
      expect(text.includes(secret), `${where} holds ${secret.slice(0, 4)}…`).toBe(false)
  }
}

test('a thread of the same name is another one for another tenant', async () => {
  const world = await openWorld()
  const { said, note } = world.canaries
  for (const tenant of tenants) {
    const foreign = others(tenant)
    for (const path of [
      '',
      '/entries',
      '/dump',
      '/export',
      '/receipts',
      '/entries?hidden=1',
      '/stream?until=rest&from=0.0.0',
    ]) {
      const { status, text } = await ask(world, {
        tenant,
        holder: 'admin',
        method: 'GET',
        path: `${api}/threads/${sharedThread}${path}`,
      })
      expect(status).toBe(200)
      expect(text.includes(said[foreign]) || text.includes(note[foreign]), `${tenant} ${path}`).toBe(false)
    }
    await ask(world, {
      tenant,
      holder: 'app',
      method: 'POST',
      path: `${api}/threads/${sharedThread}/erase`,
      prepared: { body: {} },
    })
  }
})

test('what is hidden is not to be had by asking for it', async () => {
  const world = await openWorld()
  const note = world.canaries.note.garden
  for (const holder of ['app', 'viewer'] as const) {
    const refused = await ask(world, {
      tenant: 'garden',
      holder,
      method: 'GET',
      path: `${api}/threads/${ownThread('garden')}/entries?hidden=1`,
    })
    expect([refused.status, refused.code]).toEqual([403, 'forbidden'])
    for (const path of [
      `/search?query=${note}`,
      `/threads/${ownThread('garden')}/entries?head=${note}`,
      `/threads/minutebook:keys`,
      '/threads/minutebook:keys/entries',
      `/threads/~${Buffer.from('minutebook:keys').toString('base64url')}/entries`,
    ]) {
      const { status, text } = await ask(world, { tenant: 'garden', holder, method: 'GET', path: api + path })
      expect(status === 404 || !text.includes(note), path).toBe(true)
      if (path.includes('keys') || path.includes('~')) expect(status, path).toBe(404)
    }
  }
  const seen = await ask(world, {
    tenant: 'garden',
    holder: 'admin',
    method: 'GET',
    path: `${api}/threads/${ownThread('garden')}/entries?hidden=1`,
  })
  expect(seen.text).toContain(note)
})

test("nothing hidden gets out by the gateway, and a chat of one tenant is nobody else's", async () => {
  const world = await openWorld()
  const { said, note, keys } = world.canaries
  for (const tenant of tenants) {
    const headers = {
      authorization: `Bearer ${world.keyOf(tenant, 'app')}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'minutebook-thread': 'talk',
    }
    const messages = [{ role: 'user', content: `Remember ${said[tenant]}.` }]
    for (const [path, body] of [
      ['/api/chat', { messages, stream: true }],
      ['/api/chat', { messages, stream: false }],
      ['/v1/chat/completions', { messages, stream: true }],
      ['/v1/chat/completions', { messages }],
      ['/v1/messages', { messages, max_tokens: 100, stream: true }],
      ['/v1/messages', { messages, max_tokens: 100 }],
      ['/v1/responses', { input: messages, stream: true }],
      ['/v1/responses', { input: messages }],
    ] as const) {
      const response = await fetch(world.running.url + path, {
        method: 'POST',
        headers,
        body: JSON.stringify({ model: 'strict', ...body }),
      })
      const text = JSON.stringify([...response.headers]) + (await response.text())
      expect([response.status, text.includes('I')], path).toEqual([200, true])
      // No notes are asked for in Anthropic's protocol: what this upstream says of itself is a part of its answer.
      const hidden = path === '/v1/messages' ? [] : Object.values(note)
      for (const secret of [...hidden, said[others(tenant)], ...keys])
        expect(text.includes(secret), `${tenant} ${path}`).toBe(false)
    }
  }
  const log = await world.running.services.stores.of('garden').store.read('garden-app/talk')
  expect([log.some(({ text }) => text.includes(note.garden)), JSON.stringify(log).includes(said.kitchen)]).toEqual([
    true,
    false,
  ])
})

test('no other way to write an address, and no method that is not documented, does anything', async () => {
  const world = await openWorld()
  const operations = await documented(world)
  let count = 0
  for (const documentedPath of new Set(operations.map(({ path }) => path))) {
    const at = operations.filter((operation) => operation.path === documentedPath)
    const prepared = await requests[at[0]!.id]!({ world, tenant: 'garden', count: count++ })
    const path = pathOf(documentedPath, prepared)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      if (at.some((operation) => operation.method === method)) continue
      const { status } = await ask(world, {
        tenant: 'garden',
        holder: 'admin',
        method,
        path,
        prepared: { ...(method !== 'GET' && { body: {} }) },
      })
      expect([404, 405], `${method} ${path}`).toContain(status)
    }
  }
  for (const { id, method, path: documentedPath, scope: needed } of operations) {
    const prepared = await requests[id]!({ world, tenant: 'garden', count: count++ })
    const path = pathOf(documentedPath, prepared)
    for (const holder of [...scopes, 'chats' as const, undefined]) {
      if (holder && holder !== 'chats' && isWithin(holder, needed)) continue
      for (const odd of [
        `${path}/`,
        `/${path}`,
        path.toUpperCase(),
        path.replace(/\/(?=[^/]*$)/, '%2F'),
        `${path}%2F`,
        `/x/..${path}`,
        `${path}/.`,
        `${path};x`,
        `${path}%00`,
        path.replace('t', '%74'),
      ]) {
        const { status } = await ask(world, { tenant: 'garden', holder, method, path: odd, prepared })
        expect([400, 401, 403, 404, 405], `${holder ?? 'nobody'}: ${method} ${odd}`).toContain(status)
      }
    }
  }
})
