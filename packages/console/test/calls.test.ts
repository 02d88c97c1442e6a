import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { putCallRows } from './support/call-rows.ts'
import { enter } from './support/enter.ts'
import { gardenTime, plantGarden } from './support/garden.ts'
import { serious } from './support/serious.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { testStores } from './support/stores.ts'
import { takePicture } from './support/pictures.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

const chat = ({ running, keyOf }: ConsoleServer, content: string): Promise<string> =>
  fetch(`${running.url}/api/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyOf('app')}` },
    body: JSON.stringify({ model: 'strict', stream: false, messages: [{ role: 'user', content }] }),
  }).then((answer) => answer.text())

const rowsOf = ({ page }: Pick<Visit, 'page'>): Promise<number> => page.locator('tr[data-call]').count()
const firstRow = ({ page }: Pick<Visit, 'page'>): Promise<string> => page.locator('tr[data-call]').first().innerText()

describe.each(testStores('SQLite'))('the calls of all threads, on $name', ({ settings }) => {
  test('come by themselves, wait while the list is paused, and open in the inspector with one click', async () => {
    const server = await consoleServer({ upstream: { answer: 'Ferns.' }, settings: await settings() })
    const visit = await enter(browser, server, 'admin', '/calls')
    const { page } = visit
    await page.getByText('No model calls yet').waitFor()
    await chat(server, 'What grows in the shade?')
    await expect.poll(() => rowsOf(visit)).toBe(1)
    expect(await firstRow(visit)).toMatch(/What grows in the shade\?.*strict.*app.*Answered/s)
    await page.getByRole('button', { name: 'Pause' }).click()
    await chat(server, 'And in the sun?')
    await chat(server, 'And by the pond?')
    await page.getByRole('button', { name: 'Show 2 new' }).waitFor()
    await page.getByText('Paused · 2 new').waitFor()
    expect(await rowsOf(visit)).toBe(1)
    await page.getByRole('button', { name: 'Show 2 new' }).click()
    await expect.poll(() => rowsOf(visit)).toBe(3)
    expect(await firstRow(visit)).toContain('And by the pond?')
    await page.locator('tr[data-call]').first().click()
    await page.waitForURL(/\/threads\/[^/]+\/calls\/[0-9a-f]+$/)
    await page.locator('[data-took]').waitFor()
  })

  test('are filtered by how they ended, flag, model, key and time, all of it in the address', async () => {
    const server = await consoleServer({ settings: await settings() })
    const now = new Date().toISOString()
    const hours = (count: number): string => new Date(Date.now() - count * 3_600_000).toISOString()
    await putCallRows(server.store, 'one', [{}, { outcome: 'failed', model: 'qwen3:8b' }, { cut: true }], now)
    await putCallRows(
      server.store,
      'two',
      [
        { owner: 'batch', total: 12_000 },
        { clipped: 2, omitted: 3 },
      ],
      hours(5),
    )
    await putCallRows(server.store, 'old', [{}], hours(48))
    const visit = await enter(browser, server, 'admin', '/calls?flag=cut,slow')
    const { page } = visit
    await expect.poll(() => rowsOf(visit)).toBe(2)
    const chip = (name: RegExp) => page.getByRole('button', { name })
    expect(await chip(/^Slow/).getAttribute('aria-pressed')).toBe('true')
    const isShown = async (name: RegExp, rows: number, address: RegExp): Promise<void> => {
      await chip(name).click()
      await expect.poll(() => rowsOf(visit), { message: String(name) }).toBe(rows)
      await page.waitForURL(address)
      await chip(/^Remove all filters$/).click()
      await expect.poll(() => rowsOf(visit)).toBe(6)
    }
    await chip(/^Remove all filters$/).click()
    await expect.poll(() => rowsOf(visit)).toBe(6)
    await isShown(/^Failed 1$/, 1, /ended=failed/)
    await isShown(/^Answered 5$/, 5, /ended=stop/)
    await isShown(/^Left out 1$/, 1, /flag=omitted/)
    await isShown(/^qwen3:8b 1$/, 1, /model=qwen3/)
    await isShown(/^batch 1$/, 1, /owner=batch/)
    await isShown(/^Last hour$/, 3, /range=1h/)
    await isShown(/^Last 24 hours$/, 5, /range=24h/)
    const other = await enter(browser, server, 'viewer', '/calls?owner=batch')
    await expect.poll(() => rowsOf(other)).toBe(6)
    await other.page.getByRole('button', { name: /^Failed 1$/ }).waitFor()
    expect(await other.page.getByRole('group', { name: 'Key' }).count()).toBe(0)
    expect(await other.page.getByText('website').count()).toBe(0)
    expect([visit.complaints, visit.refused, other.refused]).toEqual([[], [], []])
  })
})

test.each([
  [1440, 900],
  [390, 844],
])('%d pixels wide, the list is read by keyboard alone, and all is well', async (width, height) => {
  const server = await consoleServer()
  await plantGarden(server.store)
  await plantRows(server)
  const visit = await enter(browser, server, 'admin', '/calls', { now: gardenTime, width, height })
  const { page, complaints, strayed } = visit
  await expect.poll(() => rowsOf(visit)).toBe(100)
  if (width < 640) {
    await page.getByRole('button', { name: 'Filters' }).focus()
    await page.keyboard.press('Enter')
  }
  await page.getByRole('button', { name: /^Failed/ }).waitFor()
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
    await takePicture(page, `calls-${width}-${theme}`)
    expect.soft(await serious(page, { contrast: theme === 'dark' }), theme).toEqual([])
  }
  await page.getByRole('button', { name: 'Show older calls' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => rowsOf(visit)).toBe(rows)
  await page.locator('tr[data-call] a').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const third = await page.locator('tr[data-call]').nth(2).getAttribute('data-call')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/calls/${third!}$`))
  expect([complaints, strayed]).toEqual([[], []])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
})

const rows = 130

/** Rows of three threads that look like those of a day. */
async function plantRows({ store }: ConsoleServer): Promise<void> {
  const threads = ['garden', 'failed-call', 'broken-off']
  const models = ['gemma3:4b', 'qwen3:8b', 'hf.co/unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF:UD-Q4_K_XL']
  for (const [place, thread] of threads.entries()) {
    const some = Array.from({ length: place === 0 ? rows - 60 : 30 }, (_, index) => ({
      model: models[(index + place) % 3]!,
      owner: ['website', 'batch', ''][place]!,
      sent: 900 + ((index * 331) % 3000),
      reused: (index * 173) % 900,
      total: 700 + ((index * 977) % 9000),
      firstToken: 200 + ((index * 97) % 400),
      ...(index % 11 === 3 && { outcome: 'failed' as const, read: 0 }),
      ...(index % 13 === 5 && { cut: true, read: 800 }),
      ...(index % 5 === 2 && { omitted: 3 + index, clipped: index % 2 }),
      ...(index % 17 === 4 && { total: 23_400, firstToken: 19_000 }),
      ...(index % 6 === 1 && { outcome: 'calls' as const }),
    }))
    await putCallRows(store, thread, some, new Date(Date.parse(gardenTime) - place * 20_000).toISOString())
  }
}
