import { beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter, paste, searchFor, settled } from './support/enter.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { shows } from './support/speak.ts'
import { within } from '../../../tests/support/patience.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()
const canary = 'canary4711'
/** An app writes the system text itself; a viewer does not see it. */
const prompted = 'systemword4712'

/** A thread whose model left a note that nobody but an admin may see. */
async function noted(keys = true): Promise<ConsoleServer> {
  const server = await consoleServer({
    keys,
    upstream: { answer: `I will remember. [NOTE TO SELF: ${canary} opens the shed]` },
    settings: {
      policy: { preset: 'default', notes: true, journal: true },
      states: [{ name: 'basket', tools: ['put'] }],
    },
  })
  await server.as('app').ask('POST', '/threads', { thread: 'garden', setup: { system: `You know the ${prompted}.` } })
  await server.as('app').stream('POST', '/threads/garden/turns', { body: { message: 'Remember the code.' } })
  return server
}

/** Everything that the server sends to a page. */
function overheard(page: Page): { readonly texts: () => Promise<readonly string[]> } {
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    if (!response.headers()['content-type']?.includes('event-stream')) bodies.push(response.text().catch(() => ''))
  })
  return { texts: () => Promise.all(bodies) }
}

const everywhere = ['', '/threads/garden', '/threads/garden/state', '/threads/garden/lab', '/search']

describe('who sees what', () => {
  test.for([
    ['viewer', ['Send', 'Edit', 'Regenerate', 'Erase', 'Export', 'New thread']],
    ['app', ['Export']],
  ] as const)(
    'the %s never gets a hidden note, on any screen, is told how much is hidden, and is not offered what it may not do',
    async ([scope, forbidden]) => {
      const server = await noted()
      const visit = await enter(browser, server, scope)
      const heard = overheard(visit.page)
      const receipts = (await server.as('admin').ask('GET', '/threads/garden/receipts')).body['receipts'] as {
        readonly id: string
      }[]
      for (const path of [...everywhere, ...receipts.map(({ id }) => `/threads/garden/calls/${id}`)]) {
        await visit.page.goto(`${server.url}${path}`)
        await settled(visit)
        await visit.page.waitForTimeout(100)
        expect(await visit.page.locator('body').innerText()).not.toContain(canary)
      }
      await visit.page.goto(`${server.url}/search`)
      for (const words of ['remember', canary]) {
        await searchFor(visit, words)
        expect(await visit.page.locator('[data-found]', { hasText: canary }).count()).toBe(0)
      }
      if (scope === 'viewer') expect((await heard.texts()).filter((text) => text.includes(prompted))).toEqual([])
      expect((await heard.texts()).filter((text) => text.includes(canary))).toEqual([])
      expect((await heard.texts()).length).toBeGreaterThan(10)
      await visit.page.goto(`${server.url}/threads/garden`)
      expect(Number(await visit.page.locator('[data-hidden-count]').getAttribute('data-hidden-count'))).toBeGreaterThan(
        0,
      )
      await shows(visit, ['user: Remember the code.', 'assistant: I will remember.'])
      const more = visit.page.getByRole('button', { name: 'More' })
      expect(await more.count()).toBe(scope === 'viewer' ? 0 : 1)
      if (scope !== 'viewer') {
        await more.click()
        await visit.page.getByRole('button', { name: 'Erase', exact: true }).waitFor()
      }
      for (const name of forbidden)
        expect(await visit.page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
      expect(visit.refused).toEqual([])
    },
  )

  test('an admin sees the note, marked as hidden', async () => {
    const server = await noted()
    const visit = await enter(browser, server, 'admin', '/threads/garden')
    await visit.page.locator('[data-kind="note"]').getByText(canary).first().waitFor()
  })
})

describe('the login', () => {
  test('leaves half a session in a cookie that no script can read, half in the storage of the page, and nothing of the key', async () => {
    const server = await noted()
    const visit = await browser.open(server.url)
    await paste(visit, server.keyOf('app'))
    const cookies = await visit.context.cookies(`${server.running.url}/minutebook/v1/threads`)
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }])
    expect(await visit.page.evaluate(() => Object.keys(localStorage))).toEqual(['minutebook-session'])
    expect(await visit.page.evaluate(() => JSON.stringify(localStorage))).not.toContain(cookies[0]!.value)
    expect(
      await visit.page.evaluate(() => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)),
    ).not.toContain('key-of-the')
    expect(await visit.page.content()).not.toContain('key-of-the')
    await visit.page.reload()
    await visit.page.locator('[data-threads]').waitFor({ state: 'attached' })
  })

  test('a wrong key is told so, and what to do', async () => {
    const server = await noted()
    const { page } = await browser.open(server.url)
    await page.getByRole('textbox', { name: 'Key' }).fill('wrong')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').filter({ hasText: /key/i }).waitFor()
    expect(await page.locator('[data-threads]').count()).toBe(0)
  })

  test('whoever is in can log out, and is out', async () => {
    const server = await noted()
    const visit = await browser.open(`${server.url}/threads/garden`)
    for (const scope of ['admin', 'app', 'viewer'] as const) {
      await paste(visit, server.keyOf(scope))
      await shows(visit, ['user: Remember the code.', 'assistant: I will remember.'])
      await visit.page.getByRole('button', { name: 'Log out' }).click()
      await visit.page.getByRole('textbox', { name: 'Key' }).waitFor()
      expect(await visit.page.locator('body').innerText()).not.toContain('Remember')
      expect(await visit.page.getByText('Signed out. Run minutebook console').count()).toBe(0)
    }
    await expect.poll(() => server.store.records.find({ name: 'session' })).toEqual([])
  })

  test('whoever logs out in one tab is out in the other', async () => {
    const server = await noted()
    const visit = await enter(browser, server, 'app', '/threads/garden')
    const other = await visit.context.newPage()
    other.setDefaultTimeout(within(60_000))
    await other.goto(server.url)
    await other.getByRole('button', { name: 'Log out' }).click()
    await visit.page.getByRole('textbox', { name: 'Key' }).waitFor()
    expect(await visit.page.locator('body').innerText()).not.toContain('Remember')
  })

  test.for([true, false])(
    'a session that has ended brings back the login by itself, which says so (keys: %s)',
    async (keys) => {
      const server = await noted(keys)
      const visit = await browser.open(server.running.consoleLink())
      await visit.page.getByText('admin', { exact: true }).waitFor()
      await visit.page.goto(`${server.url}/threads/garden`)
      await visit.page.locator('[data-kind="note"]').getByText(canary).first().waitFor()
      await server.store.records.remove(null, 'session')
      await visit.page.getByText('Signed out. Run minutebook console').waitFor()
      expect(await visit.page.locator('body').innerText()).not.toMatch(/Remember|canary/)
      await visit.page.reload()
      if (keys) await paste(visit, server.keyOf('app'))
      await shows(visit, ['user: Remember the code.', 'assistant: I will remember.'])
      expect(await visit.page.locator('body').innerText()).not.toContain(canary)
    },
  )

  test('without keys, whoever comes back too late hears of it, and can go on without logging in', async () => {
    const server = await noted(false)
    const visit = await browser.open(server.running.consoleLink())
    await visit.page.getByText('admin', { exact: true }).waitFor()
    // An open page would hear of the end itself and tell it before the visit comes back.
    await visit.page.goto('about:blank')
    await server.store.records.remove(null, 'session')
    await visit.page.goto(`${server.url}/threads/garden`)
    await visit.page.getByText('Signed out. Run minutebook console').waitFor()
    await visit.page.getByRole('button', { name: 'Go on without logging in' }).click()
    await shows(visit, ['user: Remember the code.', 'assistant: I will remember.'])
  })

  test('without keys, whoever is on this machine is an app; the link that the server prints makes an admin, once', async () => {
    const server = await noted(false)
    const open = await browser.open(`${server.url}/threads/garden`)
    await shows(open, ['user: Remember the code.', 'assistant: I will remember.'])
    expect(await open.page.locator('body').innerText()).not.toContain(canary)
    const link = server.running.consoleLink()
    const admin = await browser.open(link)
    await admin.page.getByText('admin', { exact: true }).waitFor()
    expect(admin.page.url()).not.toContain('login')
    const late = await browser.open(link)
    await late.page.locator('[data-threads]').waitFor({ state: 'attached' })
    expect(await late.page.getByText('admin', { exact: true }).count()).toBe(0)
  })

  test('a link that was used says so, and where to get another', async () => {
    const server = await noted()
    const link = server.running.consoleLink()
    await (await browser.open(link)).page.getByText('admin', { exact: true }).waitFor()
    const late = await browser.open(link)
    await late.page.getByText('This link was used before, or is too old').waitFor()
    await late.page.getByRole('textbox', { name: 'Key' }).waitFor()
  })

  test('another site can use the session for nothing, not even with both halves', async () => {
    const server = await noted()
    const visit = await enter(browser, server, 'admin')
    const [{ name, value } = { name: '', value: '' }] = await visit.context.cookies(
      `${server.running.url}/minutebook/v1/threads`,
    )
    const half = await visit.page.evaluate(() => localStorage.getItem('minutebook-session') ?? '')
    const ask = (headers: Readonly<Record<string, string>>): Promise<number> =>
      fetch(`${server.running.url}/minutebook/v1/threads/garden/erase`, {
        method: 'POST',
        headers: {
          cookie: `${name}=${value}`,
          'minutebook-session': half,
          'content-type': 'application/json',
          ...headers,
        },
        body: '{}',
      }).then(({ status }) => status)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
      {},
    ])
      expect([401, 403], JSON.stringify(headers)).toContain(await ask(headers))
    expect(await ask({ 'sec-fetch-site': 'same-origin' })).toBe(200)
  })
})
