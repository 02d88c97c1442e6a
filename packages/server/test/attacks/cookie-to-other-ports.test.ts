// Finding 14: a browser sends the console's cookie to every port of the host, so a server of somebody else there could
// act as whoever was logged in.
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { expect, onTestFinished, test, type TestContext } from 'vitest'
import { ensureBuilt } from '../../../../tests/support/browser/built.ts'
import { testBrowser } from '../../../../tests/support/browser/browser.ts'
import { clusterDatabase } from '../../../../tests/support/postgres/cluster-database.ts'
import { testCluster, testDatabase } from '../../../../tests/support/postgres/database.ts'
import type { Running } from '../../src/index.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const browser = testBrowser()
const database = testDatabase()
const key = 'mb_desk'
const keys = [{ name: 'desk', tenant: 'default', scope: 'admin' as const, sha256: hash('sha256', key) }]

type Sent = Readonly<Record<string, string>>

/** What a page sends that logged in; `url` is of any instance. */
async function logIn(
  { url }: Running,
  body: { readonly key: string } | { readonly code: string },
): Promise<{ readonly cookie: string; readonly page: string }> {
  const response = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  const [, cookie = ''] = /=([^;]+);/.exec(response.headers.get('set-cookie') ?? '') ?? []
  return { cookie, page: ((await response.json()) as { readonly session: string }).session }
}

/** Asks as the console's own page does. */
async function statusOf(
  { url }: Running,
  { cookie, page }: { readonly cookie: string; readonly page: string },
): Promise<number> {
  return ask(url, {
    'sec-fetch-site': 'same-origin',
    cookie: `minutebook-${new URL(url).port}=${cookie}`,
    'minutebook-session': page,
  })
}

async function ask(url: string, headers: Sent): Promise<number> {
  const response = await fetch(`${url}/minutebook/v1/threads`, { headers })
  await response.arrayBuffer()
  return response.status
}

const codeOf = (running: Running): { readonly code: string } => ({
  code: new URL(running.consoleLink()).hash.slice('#login='.length),
})

test('the server on another port gets the cookie, and can do nothing with it', async () => {
  await ensureBuilt()
  const running = await gateway({ keys })
  let got: IncomingHttpHeaders = {}
  const elsewhere = await plainUpstream((request, response) => {
    if (request.url?.startsWith('/minutebook/v1') === true) got = request.headers
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>neighbour</title>')
  })
  const visit = await browser.open(`${running.url}/console`)
  await visit.page.getByRole('textbox', { name: 'Key' }).fill(key)
  await visit.page.getByRole('button', { name: 'Log in' }).click()
  await visit.page.getByRole('button', { name: 'Log out' }).waitFor()
  expect(await visit.page.evaluate('localStorage.length')).toBe(1)
  await visit.page.goto(elsewhere.url)
  expect(await visit.page.evaluate('localStorage.length')).toBe(0)
  await visit.page.evaluate(`fetch('/minutebook/v1/threads').then((response) => response.text())`)

  const cookie = got.cookie ?? ''
  expect(cookie).toMatch(/^minutebook-\d+=[\w-]{43}$/)
  const secret = cookie.slice(cookie.indexOf('=') + 1)
  const forged: Sent = { 'sec-fetch-site': 'same-origin', origin: running.url, cookie }
  const tries: readonly Sent[] = [
    { authorization: `Bearer ${secret}` },
    { cookie },
    forged,
    { ...forged, 'minutebook-session': secret },
    { ...forged, 'minutebook-session': '' },
    { ...forged, 'minutebook-session': hash('sha256', secret) },
    { ...forged, authorization: `Bearer ${secret}` },
    { 'sec-fetch-site': 'same-origin', 'minutebook-session': secret },
  ]
  for (const headers of tries) expect([headers, await ask(running.url, headers)]).toEqual([headers, 401])
  // Nor can the page of the neighbour ask in the user's name: its origin is another.
  expect(
    await visit.page.evaluate(
      `fetch('${running.url}/minutebook/v1/threads', { credentials: 'include' }).then(() => 'read', () => 'blocked')`,
    ),
  ).toBe('blocked')
  await visit.page.goto(`${running.url}/console`)
  await visit.page.getByRole('button', { name: 'Log out' }).waitFor()
})

test('the store holds neither half of a session, nor the key', async () => {
  const running = await gateway({ keys })
  const { cookie, page } = await logIn(running, { key })
  const kept = JSON.stringify(await running.services.stores.of('default').store.records.find({ name: 'session' }))
  expect(kept).toContain(hash('sha256', page))
  for (const secret of [cookie, page, key]) expect(kept).not.toContain(secret)
})

test('a session ends with its key: revoked, or removed from the settings', async () => {
  const one = await gateway({ keys, database: database.url })
  const { key: made } = await one.services.keyRing.create({ name: 'phone', tenant: 'garden', scope: 'app' })
  const [configured, recorded] = [await logIn(one, { key }), await logIn(one, { key: made })]
  expect([await statusOf(one, configured), await statusOf(one, recorded)]).toEqual([200, 200])
  await one.services.keyRing.revoke('garden:phone')
  expect([await statusOf(one, configured), await statusOf(one, recorded)]).toEqual([200, 401])
  const two = await gateway({
    keys: [{ ...keys[0]!, name: 'other', sha256: hash('sha256', 'mb_other') }],
    database: database.url,
  })
  expect([await statusOf(two, configured), await statusOf(two, recorded)]).toEqual([401, 401])
})

test("a session counts on every instance, the local operator's too, and logging out ends it on all of them", async () => {
  const [one, two] = [await gateway({ keys, database: database.url }), await gateway({ keys, database: database.url })]
  for (const session of [await logIn(one, { key }), await logIn(one, codeOf(one))]) {
    expect([await statusOf(one, session), await statusOf(two, session)]).toEqual([200, 200])
    await fetch(`${two.url}/console/session`, {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'same-origin', 'minutebook-session': session.page },
    })
    expect([await statusOf(one, session), await statusOf(two, session)]).toEqual([401, 401])
  }
})

test('a session ends after 12 hours, and the next login removes what is left of it', async () => {
  let now = Date.now()
  const running = await gateway({ keys }, { now: () => now })
  const session = await logIn(running, { key })
  now += 12 * 3_600_000 - 1
  expect(await statusOf(running, session)).toBe(200)
  now += 1
  expect(await statusOf(running, session)).toBe(401)
  await logIn(running, codeOf(running))
  expect(await running.services.stores.of('default').store.records.find({ name: 'session' })).toHaveLength(1)
})

test('whoever logs in over and over pushes out sessions of its own key, and no other', async () => {
  const running = await gateway({
    keys: [...keys, { name: 'wall', tenant: 'garden', scope: 'viewer', sha256: hash('sha256', 'mb_wall') }],
  })
  const others = [await logIn(running, { key: 'mb_wall' }), await logIn(running, codeOf(running))]
  const first = await logIn(running, { key })
  let last = first
  for (let count = 0; count < 20; count++) last = await logIn(running, { key })
  expect(await Promise.all([...others, first, last].map((session) => statusOf(running, session)))).toEqual([
    200, 200, 401, 200,
  ])
  expect(await running.services.stores.of('default').store.records.find({ name: 'session' })).toHaveLength(22)
})

test('while the store cannot be read nobody is let in, and nobody is told to log in again', async (context: TestContext) => {
  const cluster = await testCluster(context, { version: 18, durable: false })
  const { url } = await clusterDatabase(cluster)
  const running = await gateway({ keys, database: url })
  const session = await logIn(running, { key })
  await cluster.kill()
  onTestFinished(() => cluster.restart())
  expect(await statusOf(running, session)).toBe(503)
  const login = await fetch(`${running.url}/console/session`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ key }),
  })
  expect([
    login.status,
    login.headers.get('set-cookie'),
    ((await login.json()) as { readonly error: { readonly code: string } }).error.code,
  ]).toEqual([503, null, 'store_unreachable'])
})
