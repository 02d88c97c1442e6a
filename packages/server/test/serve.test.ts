import { once } from 'node:events'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { entryOf } from 'minutebook/store'
import { isAlive, readAddress, removeAddress, serve } from '../src/index.ts'
import { writeAddress } from '../src/address-file.ts'
import { deferred } from '../../../tests/support/deferred.ts'
import { gateway, gatewayBefore, temporaryFolder, testConfig } from '../../../tests/support/server/gateway.ts'
import { openSocket, plainUpstream } from '../../../tests/support/server/raw.ts'
import { within } from '../../../tests/support/patience.ts'

/** Milliseconds after which the server ends a quiet connection in any case: closing must not wait for that. */
const endsByItself = 60_000

test('a server leaves its address for its user alone, and takes it away', async () => {
  const config = testConfig()
  const running = await serve(config, { log: 'silent' })
  const address = readAddress(config.data)
  expect(address).toEqual({ url: running.url, token: running.token, pid: process.pid })
  expect(statSync(join(config.data, 'server.json')).mode & 0o777).toBe(0o600)
  expect(await isAlive(address!)).toBe(true)
  await running.close()
  expect(readdirSync(config.data)).toEqual(['minutebook.db', 'minutebook.db-lock'])
  expect(await isAlive(address!)).toBe(false)
})

test('an address that was left behind is noticed, also where another server listens now, which is not shown the token', async () => {
  const folder = temporaryFolder()
  const asked: (string | undefined)[] = []
  const { url } = await plainUpstream(
    (request, response) =>
      void (asked.push(request.headers.authorization), response.end('{"live":true,"instance":"0123456789abcdef"}')),
  )
  writeAddress(folder, { url, token: 'secret', pid: 1 })
  expect(await isAlive(readAddress(folder)!)).toBe(false)
  expect(asked).toEqual([undefined])
  const other = await gateway()
  expect(await isAlive({ url: other.url, token: 'secret', pid: 1 })).toBe(false)
  removeAddress(folder, 'another token')
  expect(readAddress(folder)?.token).toBe('secret')
  removeAddress(folder, 'secret')
  expect(existsSync(join(folder, 'server.json'))).toBe(false)
  writeFileSync(join(folder, 'server.json'), '{"url":')
  expect(readAddress(folder)).toBeUndefined()
})

test('a port that is taken and a folder that cannot be made say what to do, and nothing stays open', async () => {
  const { url } = await gateway()
  const config = testConfig({ port: Number(new URL(url).port) })
  await expect(serve(config, { log: 'silent' })).rejects.toMatchObject({
    code: 'port_taken',
    message: expect.stringMatching(/MINUTEBOOK_PORT/),
  })
  await expect(serve({ ...config, port: 0, host: '203.0.113.1' }, { log: 'silent' })).rejects.toMatchObject({
    code: 'cannot_listen',
  })
  await (await serve({ ...config, port: 0 }, { log: 'silent' })).close()
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  await expect(serve(testConfig({ data: join(file, 'below') }), { log: 'silent' })).rejects.toMatchObject({
    code: 'no_data_folder',
    message: expect.stringMatching(/MINUTEBOOK_DATA/),
  })
})

test('two servers cannot have one record', async () => {
  const config = testConfig()
  const running = await serve(config, { log: 'silent' })
  await expect(serve(config, { log: 'silent' })).rejects.toMatchObject({ code: 'store_locked' })
  await running.close()
})

const files = (folder: string): string[] => readdirSync(folder).filter((file) => file.endsWith('.db'))

test('each tenant has a file of its own, from when it is first asked for', async () => {
  const key = (name: string, tenant: string, digit: string): object => ({
    name,
    tenant,
    sha256: digit.repeat(64),
    scope: 'app',
  })
  const running = await gateway({
    keys: [key('a', 'garden', '1'), key('b', 'kitchen', '2'), key('c', 'garden', '3')] as never,
  })
  const { config, stores } = running.services
  expect(files(config.data)).toEqual(['minutebook.db'])
  await stores.of('garden').store.append('t', [entryOf({ role: 'user', content: 'x' })])
  expect(await stores.of('kitchen').store.read('t')).toEqual([])
  expect(stores.of('garden').book).toBe(stores.of('garden').book)
  expect(files(config.data)).toEqual(['minutebook-garden.db', 'minutebook-kitchen.db', 'minutebook.db'])
  expect([...stores.tenants()].sort()).toEqual(['default', 'garden', 'kitchen'])
  for (const name of ['', '..', 'a/b', 'Garden', 'x'.repeat(64), 'a b', '.hidden'])
    expect(() => stores.of(name), name).toThrow(/valid name of a tenant/)
})

test('closing waits for what is under way, takes nothing new, and then is quick', async () => {
  const going = deferred<void>()
  const { url } = await plainUpstream((_, response) => {
    response.write('one ')
    void going.promise.then(() => response.end('two'))
  })
  const running = await gateway({ upstreams: [{ url }] })
  const idle = openSocket(running.url)
  idle.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const response = await fetch(`${running.url}/api/pull`)
  let isClosed = false
  const closing = running.close({ patience: 3_600_000 }).then(() => (isClosed = true))
  await after(100)
  expect(isClosed).toBe(false)
  await expect(fetch(`${running.url}/livez`)).rejects.toThrow()
  going.resolve()
  expect(await response.text()).toBe('one two')
  const started = performance.now()
  await closing
  expect(performance.now() - started).toBeLessThan(endsByItself)
})

test('a server that is about to close says so before it stops to listen, and takes what still comes', async () => {
  const { running } = await gatewayBefore()
  const statusOf = async (path: string): Promise<number> => (await fetch(running.url + path)).status
  expect(await statusOf('/readyz')).toBe(200)
  const closed = once(running.services.closing, 'abort')
  const closing = running.close({ notice: within(3000) })
  expect(await (await fetch(`${running.url}/readyz`)).json()).toEqual({ ready: false, why: 'closing' })
  expect([await statusOf('/readyz'), await statusOf('/livez'), await statusOf('/api/tags')]).toEqual([503, 200, 200])
  expect(running.services.closing.aborted).toBe(false)
  await closed
  await closing
  await expect(fetch(`${running.url}/livez`)).rejects.toThrow()
})

test.each([
  ['that has said nothing', '', ''],
  ['that has not said what it wants', 'POST /api/ch', ''],
  [
    'whose request is refused while its body still comes',
    'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc',
    'HTTP/1.1 404',
  ],
])('closing does not wait for a connection %s', async (_, said, answer) => {
  const running = await gateway()
  const socket = openSocket(running.url)
  let heard = ''
  socket.on('data', (bytes) => void (heard += String(bytes)))
  await new Promise<void>((resolve) => void socket.write(said === '' ? Buffer.alloc(0) : said, () => resolve()))
  // Until it is heard of there.
  await fetch(`${running.url}/livez`)
  const started = performance.now()
  await running.close({ patience: 3_600_000 })
  expect(performance.now() - started).toBeLessThan(endsByItself)
  expect(heard.slice(0, 12)).toBe(answer)
})

test('closing waits for an answer to a request whose body still comes', async () => {
  const running = await gateway({
    upstreams: [
      {
        url: (
          await plainUpstream((request, response) => void request.resume().on('end', () => response.end('all of it')))
        ).url,
      },
    ],
  })
  const socket = openSocket(running.url)
  let heard = ''
  socket.on('data', (bytes) => void (heard += String(bytes)))
  await new Promise<void>(
    (resolve) =>
      void socket.write('POST /api/pull HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\nabc', () => resolve()),
  )
  await fetch(`${running.url}/livez`)
  const closing = running.close()
  await after(1200)
  socket.write('def')
  await closing
  expect(heard).toContain('all of it')
})

test('closing waits only so long', async () => {
  const gone = deferred<void>()
  const { url } = await plainUpstream((_, response) => void response.on('close', gone.resolve).write('one'))
  const running = await gateway({ upstreams: [{ url }] })
  const response = await fetch(`${running.url}/api/pull`)
  const text = response.text()
  text.catch(() => undefined)
  await running.close({ patience: 100 })
  await expect(text).rejects.toThrow()
  await gone.promise
})

test('it is live while it runs and ready while the store answers', async () => {
  const running = await gateway()
  const statusOf = async (path: string): Promise<number> => (await fetch(running.url + path)).status
  expect([await statusOf('/livez'), await statusOf('/readyz')]).toEqual([200, 200])
  await running.services.stores.close()
  expect([await statusOf('/livez'), await statusOf('/readyz')]).toEqual([200, 503])
})

test('a server on an IPv6 address has an address that works', async () => {
  const running = await gateway({ host: '::1' })
  expect(running.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect((await fetch(`${running.url}/metrics`)).status).toBe(200)
})

test('metrics count requests by route and status, and never by what a client made up', async () => {
  const { running } = await gatewayBefore()
  for (const path of ['/api/tags', '/api/tags', '/v1/models', '/made/up', '/api/made-up', '/../x'])
    await fetch(running.url + path)
  await fetch(running.url, { method: 'DELETE' })
  const { metrics } = running.services
  await expect.poll(() => metrics.inFlight).toBe(0)
  metrics.relayed('rewritten')
  metrics.truncated('yes')
  metrics.unrecorded()
  const text = await (await fetch(`${running.url}/metrics`)).text()
  for (const line of [
    'minutebook_requests_total{route="/api/*",status="200"} 2',
    'minutebook_requests_total{route="/api/*",status="404"} 1',
    'minutebook_requests_total{route="/v1/*",status="200"} 1',
    'minutebook_requests_total{route="other",status="404"} 3',
    'minutebook_relays_total{mode="rewritten"} 1',
    'minutebook_relays_total{mode="unchanged"} 0',
    'minutebook_upstream_truncated_total{truncated="yes"} 1',
    'minutebook_unrecorded_total 1',
    'minutebook_requests_in_flight 1',
    'minutebook_request_seconds_bucket{route="/api/*",le="+Inf"} 3',
    'minutebook_request_seconds_count{route="/v1/*"} 1',
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).not.toContain('made')
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(# (HELP|TYPE) minutebook_\w+ .+|minutebook_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+)$/,
    )
})

test('what a handler still has to put on record when it is cut off is waited for', async () => {
  const kept: string[] = []
  const running = await gateway(
    {},
    {
      chat: async ({ response }, _, { stores }) => {
        response.write('half')
        await new Promise<void>((resolve) => void response.on('close', resolve))
        await after(100)
        await stores.of('default').store.append('t', [entryOf({ role: 'user', content: 'cut off' })])
        kept.push('cut off')
      },
    },
  )
  const response = await fetch(`${running.url}/api/chat`, { method: 'POST' })
  response.text().catch(() => undefined)
  await running.close({ patience: 50 })
  expect(kept).toEqual(['cut off'])
})
