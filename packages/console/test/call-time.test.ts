import { beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import type { CallBrief } from '../src/api/calls.ts'
import { enter } from './support/enter.ts'
import { gardenTime, plantGarden } from './support/garden.ts'
import { serious } from './support/serious.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { takePicture } from './support/pictures.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

async function garden(): Promise<ConsoleServer> {
  const prices = { 'gemma3:4b': { input: 1, output: 20, currency: 'USD' } }
  const server = await consoleServer({ settings: { prices } })
  await plantGarden(server.store)
  return server
}

async function callsOf({ as }: ConsoleServer): Promise<readonly string[]> {
  const { calls } = (await as('admin').ask('GET', '/threads/garden/calls')).body as unknown as {
    readonly calls: readonly CallBrief[]
  }
  return calls.map(({ receipt }) => receipt.id)
}

test('one click from the thread, the inspector says why the call was slow and what it cost', async () => {
  const server = await garden()
  const { page } = await enter(browser, server, 'admin', '/threads/garden', { now: gardenTime })
  await page.getByRole('link', { name: 'Inspector' }).click()
  const took = page.locator('[data-took]')
  await took.waitFor()
  expect(await took.innerText()).toMatch(
    /^40\.0 s: waited 20\.0 s \([\d,]+ new tokens\), wrote 20\.0 s, \d+ tokens, 0\.[\d]+ USD$/,
  )
  expect(await took.getByRole('img').getAttribute('aria-label')).toBe('Waited 20.0 s, wrote 20.0 s')
  const halves = await took.getByRole('img').locator('span').all()
  const [waited, wrote] = await Promise.all(halves.map(async (half) => (await half.boundingBox())?.width ?? 0))
  expect(Math.abs(waited! - wrote!)).toBeLessThan(2)
})

test.each([
  [1440, 1000],
  [390, 844],
])('%d pixels wide, the previous call is compared by keyboard alone, and all is well', async (width, height) => {
  const server = await garden()
  const visit = await enter(browser, server, 'admin', '/threads/garden/calls/last', { now: gardenTime, width, height })
  const { page, complaints, strayed } = visit
  await page.locator('[data-took]').waitFor()
  const calls = await callsOf(server)
  await page.getByRole('tab', { name: 'Entries' }).focus()
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowRight')
  expect(await page.getByRole('tab', { name: 'Previous call' }).getAttribute('aria-selected')).toBe('true')
  const previous = page.locator('[data-previous]')
  await previous.waitFor()
  expect(await previous.getAttribute('data-previous')).toBe(calls.at(-2))
  const changes = async (): Promise<readonly [number, number]> => [
    await previous.locator('[data-change="removed"]').count(),
    await previous.locator('[data-change="added"]').count(),
  ]
  const [removed, added] = await changes()
  expect(await previous.getByText(/added,/).innerText()).toBe(
    `${added} ${added === 1 ? 'message' : 'messages'} added, ${removed} ${removed === 1 ? 'message' : 'messages'} removed.`,
  )
  expect(added).toBeGreaterThan(0)
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
    await takePicture(page, `previous-call-${width}-${theme}`)
    expect.soft(await serious(page, { contrast: theme === 'dark' }), theme).toEqual([])
  }
  expect([complaints, strayed]).toEqual([[], []])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
})

test('the first call has none before it, and a key that may not see the prompts is told so', async () => {
  const server = await garden()
  const [first] = await callsOf(server)
  const { page } = await enter(browser, server, 'admin', `/threads/garden/calls/${first!}`, { now: gardenTime })
  await page.getByRole('tab', { name: 'Previous call' }).click()
  await page.getByText('This is the first call of the thread.').waitFor()
  const other = await enter(browser, server, 'viewer', '/threads/garden/calls/last', { now: gardenTime })
  await other.page.getByRole('tab', { name: 'Previous call' }).click()
  await other.page.getByText('Log in with an admin’s key to compare the prompts.').waitFor()
  expect(await other.page.locator('[data-change]').count()).toBe(0)
})
