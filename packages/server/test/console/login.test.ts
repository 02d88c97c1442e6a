import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createLoginCodes } from '../../src/console/login.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'

const key = 'mb_garden'
const keys = [
  {
    name: 'garden',
    tenant: 'default',
    scope: 'viewer' as const,
    sha256: createHash('sha256').update(key).digest('hex'),
  },
]
const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

async function logIn(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = own,
): Promise<{ readonly status: number; readonly cookie: string; readonly half: string }> {
  const response = await fetch(`${url}/console/session`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { session = '' } = (await response.json()) as { readonly session?: string }
  return { status: response.status, cookie: response.headers.get('set-cookie') ?? '', half: session }
}

/** What the page sends that logged in. */
async function halvesOf(
  url: string,
  body: unknown = { key },
): Promise<{ readonly cookie: string; readonly 'minutebook-session': string }> {
  const { cookie, half } = await logIn(url, body)
  return { cookie: pairOf(cookie), 'minutebook-session': half }
}

function about(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly scope: unknown }> {
  return fetch(`${url}/minutebook/v1`, { headers }).then(async (response) => ({
    status: response.status,
    scope: ((await response.json()) as { scope?: unknown }).scope,
  }))
}

const pairOf = (cookie: string): string => cookie.split(';', 1)[0]!

describe('a key', () => {
  test('is pasted once, and begins a session: half of it in a cookie that no script reads, half in the answer', async () => {
    const { url } = await gateway({ keys })
    const { status, cookie, half } = await logIn(url, { key })
    expect(status).toBe(200)
    expect(cookie).toMatch(
      /^minutebook-\d+=[\w-]{43}; Path=\/minutebook\/v1; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    )
    expect(half).toMatch(/^[\w-]{43}$/)
    expect(await about(url, { ...own, cookie: pairOf(cookie), 'minutebook-session': half })).toEqual({
      status: 200,
      scope: 'viewer',
    })
  })

  test('that is none lets nobody in, and nothing is set', async () => {
    const { url } = await gateway({ keys })
    for (const body of [
      { key: 'mb_other' },
      { key: '' },
      { key: 'a b' },
      { key: 'mb_other\r\nx: y' },
      { key: 7 },
      {},
      [],
      null,
      { code: 'x' },
      { key: 'x'.repeat(5000) },
    ]) {
      expect(await logIn(url, body), JSON.stringify(body).slice(0, 40)).toEqual({ status: 401, cookie: '', half: '' })
    }
  })

  test('is not asked for where the server has none, and any other word stays none', async () => {
    const { url } = await gateway()
    expect(await about(url, {})).toEqual({ status: 200, scope: 'app' })
    expect((await logIn(url, { key: 'whatever' })).status).toBe(401)
  })

  test('is let go by logging out, and by logging in again from the same page', async () => {
    const { url } = await gateway({ keys })
    const first = await halvesOf(url)
    const other = await halvesOf(url)
    const second = await logIn(url, { key }, { ...own, 'minutebook-session': first['minutebook-session'] })
    const halves = { cookie: pairOf(second.cookie), 'minutebook-session': second.half }
    expect([(await about(url, { ...own, ...first })).status, (await about(url, { ...own, ...halves })).status]).toEqual(
      [401, 200],
    )
    const response = await fetch(`${url}/console/session`, {
      method: 'DELETE',
      headers: { ...own, 'minutebook-session': second.half },
    })
    expect(response.headers.get('set-cookie')).toMatch(/^minutebook-\d+=; Path=\/minutebook\/v1; Max-Age=0; /)
    expect([(await about(url, { ...own, ...halves })).status, (await about(url, { ...own, ...other })).status]).toEqual(
      [401, 200],
    )
  })

  test('goes behind a proxy with TLS in a cookie for TLS alone', async () => {
    const { url } = await gateway({ keys })
    expect((await logIn(url, { key }, { ...own, 'x-forwarded-proto': 'https' })).cookie).toMatch(/; Secure$/)
    expect((await logIn(url, { key }, { ...own, 'x-forwarded-proto': 'https, http' })).cookie).toMatch(/; Secure$/)
    expect((await logIn(url, { key }, { ...own, 'x-forwarded-proto': 'http' })).cookie).not.toContain('Secure')
  })
})

describe('a session', () => {
  const foreign: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    ['a page of ours', { 'sec-fetch-site': 'same-origin' }, 200],
    ['a page on another port of this machine', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:3000' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['an address that somebody typed', { 'sec-fetch-site': 'none' }, 401],
    ['a browser that tells no site, from an address of ours', {}, 200],
    ['a browser that tells no site, from another port', { origin: 'http://127.0.0.1:3000' }, 403],
  ]
  test.each(foreign)('counts, or not, from %s', async (_, headers, status) => {
    const { url } = await gateway({ keys })
    expect((await about(url, { ...headers, ...(await halvesOf(url)) })).status).toBe(status)
  })

  test('does not count if there are two cookies of its name', async () => {
    const { url } = await gateway({ keys })
    const { cookie, ...half } = await halvesOf(url)
    expect((await about(url, { ...own, ...half, cookie: `${cookie}; ${cookie}` })).status).toBe(401)
    expect((await about(url, { ...own, ...half, cookie: `other=1; ${cookie}` })).status).toBe(200)
  })

  test('counts with both of its halves only, and neither is a key', async () => {
    const { url } = await gateway({ keys })
    const [one, other] = [await halvesOf(url), await halvesOf(url)]
    const half = one['minutebook-session']
    const wrong: readonly Readonly<Record<string, string>>[] = [
      { cookie: one.cookie },
      { 'minutebook-session': half },
      { cookie: other.cookie, 'minutebook-session': half },
      { cookie: one.cookie, 'minutebook-session': '' },
      { authorization: `Bearer ${half}` },
      { authorization: `Bearer ${one.cookie.split('=')[1]!}` },
      { ...one, authorization: 'Bearer x' },
      { cookie: one.cookie.replace(/=.*/, `=${key}`), 'minutebook-session': key },
    ]
    for (const headers of wrong)
      expect([headers, (await about(url, { ...own, ...headers })).status]).toEqual([headers, 401])
    for (const headers of [one, other]) expect((await about(url, { ...own, ...headers })).status).toBe(200)
  })

  test('that has ended is told so on a server without keys too, which lets in whoever shows none', async () => {
    const { url } = await gateway()
    expect((await about(url, { ...own, 'minutebook-session': 'x' })).status).toBe(401)
    expect((await about(url, own)).status).toBe(200)
  })

  test('changes nothing from another origin, whatever the method', async () => {
    const { url } = await gateway({ keys: [{ ...keys[0]!, scope: 'admin' }] })
    const halves = await halvesOf(url)
    const made = (headers: Readonly<Record<string, string>>): Promise<number> =>
      fetch(`${url}/minutebook/v1/threads`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...halves, ...headers },
        body: '{}',
      }).then(({ status }) => status)
    expect(await made({ origin: 'http://localhost:3000' })).toBe(403)
    expect(await made({})).toBe(401)
    expect(await made({ origin: url })).toBe(201)
    expect(await made(own)).toBe(201)
  })

  test('is nothing to the gateway', async () => {
    const { url } = await gateway({ keys })
    const halves = await halvesOf(url)
    for (const path of ['/api/tags', '/v1/models', '/metrics'])
      expect((await fetch(url + path, { headers: { ...own, ...halves } })).status, path).toBe(401)
  })
})

describe('a link for the local operator', () => {
  test('lets in once', async () => {
    const running = await gateway({ keys })
    const code = new URL(running.consoleLink()).hash.slice('#login='.length)
    const first = await logIn(running.url, { code })
    expect(first.status).toBe(200)
    expect(
      await about(running.url, { ...own, cookie: pairOf(first.cookie), 'minutebook-session': first.half }),
    ).toEqual({ status: 200, scope: 'admin' })
    expect(await logIn(running.url, { code })).toEqual({ status: 401, cookie: '', half: '' })
  })

  test('is given to the token of the local operator, and to nobody else', async () => {
    const running = await gateway({ keys: [{ ...keys[0]!, scope: 'admin' }] })
    const ask = (headers: Readonly<Record<string, string>>, method = 'POST'): Promise<Response> =>
      fetch(`${running.url}/console/link`, { method, headers })
    const { code } = (await (await ask({ authorization: `Bearer ${running.token}` })).json()) as { code: string }
    expect((await logIn(running.url, { code })).status).toBe(200)
    for (const headers of [{}, { authorization: `Bearer ${key}` }, { authorization: 'Bearer x' }])
      expect((await ask(headers as Record<string, string>)).status).toBe(401)
    expect((await ask({ authorization: `Bearer ${running.token}` }, 'GET')).status).toBe(405)
  })

  test('is good for an hour, and for the newest hundred', () => {
    let now = 0
    const codes = createLoginCodes(() => now)
    const old = codes.issue()
    now = 3_599_999
    const late = codes.issue()
    expect(codes.redeem(old)).toBe(true)
    now = 3_600_000 * 2
    expect(codes.redeem(late)).toBe(false)
    const all = Array.from({ length: 101 }, () => codes.issue())
    expect(all.map((code) => codes.redeem(code)).filter(Boolean)).toHaveLength(100)
    expect(codes.redeem(all[1]!)).toBe(false)
  })
})

test('nobody else logs a browser in', async () => {
  const { url } = await gateway({ keys })
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://127.0.0.1:3000' },
    {},
  ]) {
    expect(
      await logIn(url, { key }, { 'content-type': 'application/json', ...headers } as Record<string, string>),
      JSON.stringify(headers),
    ).toEqual({ status: 403, cookie: '', half: '' })
  }
})
