// Finding 21: on a gateway without keys, a page of any other server on this machine reads, speaks into and erases the
// record.
import { expect, test } from 'vitest'
import { testBrowser } from '../../../../tests/support/browser/browser.ts'
import type { Config } from '../../src/index.ts'
import { nativeServer, type Native } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const browser = testBrowser()

/** A record with one thread, and a page of another port. */
async function neighbours(
  settings: (page: string) => Partial<Config>,
): Promise<{ readonly anyone: Native; readonly url: string; readonly page: string }> {
  const elsewhere = await plainUpstream(
    (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>neighbour</title>'),
  )
  const page = elsewhere.url.replace('127.0.0.1', 'localhost')
  const { running, operator } = await nativeServer({ answer: 'Ferns.' }, settings(page))
  await operator.ask('POST', '/threads', { thread: 'garden' })
  await operator.stream('POST', '/threads/garden/turns', { body: { message: 'the gate code is 4711', id: 'one' } })
  return { anyone: operator, url: running.url, page }
}

/** In the page: what came of a request. "blocked" is what a browser makes of an answer that is not for it. */
const asking = `async (method, address, body, type = 'application/json') => {
  try {
    const response = await fetch(address, { method, ...(body && { body, headers: { 'content-type': type } }) })
    return response.status + ' ' + (await response.text())
  } catch {
    return 'blocked'
  }
}`

test('such a page may chat, and the record is not its own', async () => {
  const { anyone, url, page: address } = await neighbours(() => ({}))
  const { page } = await browser.open(address)
  const ask = (...args: readonly string[]): Promise<string> => page.evaluate(`(${asking})(...${JSON.stringify(args)})`)
  const record = `${url}/minutebook/v1`
  for (const path of [
    '/threads',
    '/threads/garden/entries',
    '/search?query=code',
    '/threads/garden/stream',
    '/runs',
    '/openapi.json',
  ])
    expect([path, await ask('GET', record + path)]).toEqual([path, 'blocked'])
  expect(await ask('GET', `${url}/metrics`)).toBe('blocked')
  for (const type of ['application/json', 'text/plain']) {
    expect(await ask('POST', `${record}/threads/garden/erase`, '{}', type)).toBe('blocked')
    expect(await ask('POST', `${record}/threads/garden/turns`, '{"message":"Forget it.","id":"two"}', type)).toBe(
      'blocked',
    )
  }
  const { body } = await anyone.ask('GET', '/threads/garden/entries')
  expect((body['entries'] as readonly { readonly text: string }[]).map(({ text }) => text)).toEqual([
    'the gate code is 4711',
    'Ferns.',
  ])

  const chat = JSON.stringify({
    model: 'strict',
    stream: false,
    messages: [{ role: 'user', content: 'What grows in the shade?' }],
  })
  expect(await ask('POST', `${url}/api/chat`, chat)).toMatch(/^200 .*Ferns/)
  expect(await ask('GET', `${url}/v1/models`)).toMatch(/^200 /)
})

test('a page of another site learns not even whether a thread is there', async () => {
  const { anyone } = await neighbours(() => ({}))
  const status = async (path: string): Promise<number> =>
    (
      await fetch(`${anyone.url}${path}`, {
        headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
      })
    ).status
  for (const path of ['/minutebook/v1/threads/garden', '/minutebook/v1/threads/none', '/metrics', '/api/tags'])
    expect([path, await status(path)]).toEqual([path, 403])
})

test('a page that the settings name may read it', async () => {
  const { url, page: address } = await neighbours((page) => ({ allowOrigins: [page] }))
  const { page } = await browser.open(address)
  expect(
    await page.evaluate(`(${asking})('GET', ${JSON.stringify(`${url}/minutebook/v1/threads/garden/entries`)})`),
  ).toContain('the gate code is 4711')
})
