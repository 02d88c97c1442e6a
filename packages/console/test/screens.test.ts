import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { root } from '../../../tests/support/workshop.ts'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { gardenTime, plantGarden, plantWaiting } from './support/garden.ts'
import { screens, screenStates, show } from './support/screens.ts'
import { serious } from './support/serious.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** They are kept where SCREENSHOTS says so: fonts differ from machine to machine. */
const folder = process.env['SCREENSHOTS'] === undefined ? undefined : join(root, 'docs/console')
if (folder !== undefined) mkdirSync(folder, { recursive: true })

async function garden(): Promise<ConsoleServer> {
  const server = await consoleServer({ settings: { states: screenStates } })
  await plantGarden(server.store)
  await plantWaiting(server.store)
  return server
}

/**
 * In the light and, when the system turns, in the dark: axe finds nothing serious, nothing is too wide, nothing was
 * complained of.
 */
async function isWell({ page, complaints, strayed }: Visit, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
    expect.soft(await serious(page, { contrast: theme === 'dark' }), `${name}, ${theme}`).toEqual([])
  }
  expect.soft([complaints, strayed], name).toEqual([[], []])
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect.soft(wider, `${name}: pixels by which the page is wider than the screen`).toBe(0)
  await page.emulateMedia({ colorScheme: 'light' })
}

test('the login is well', async () => {
  const visit = await browser.open((await garden()).url, { now: gardenTime })
  await visit.page.getByRole('textbox', { name: 'Key' }).waitFor()
  await isWell(visit, 'login')
})

test.for([
  ['first-minute', '', 1440],
  ['narrow-first-minute', '', 390],
  ['new-thread', '/new', 1440],
  ['narrow-new-thread', '/new', 390],
] as const)('%s is well', async ([name, path, width]) => {
  const visit = await enter(browser, await consoleServer(), 'admin', path, { width, height: 860 })
  await visit.page.getByRole('heading', { level: 1 }).waitFor()
  await isWell(visit, name)
})

test.for(['admin', 'viewer'] as const)('every screen of the %s is well', async (scope) => {
  const server = await garden()
  const visit = await enter(browser, server, scope, '', { now: gardenTime })
  for (const screen of screens.filter((each) => (each.scope ?? 'admin') === scope)) {
    await show(visit, server, screen)
    await isWell(visit, screen.name)
  }
})

test('whoever has chosen a theme keeps it when the system turns', async () => {
  const { page } = await browser.open((await garden()).url, {
    theme: 'dark',
    before: `localStorage.setItem('minutebook-theme', 'light')`,
  })
  await page.locator('html[data-theme="light"]').waitFor({ state: 'attached' })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
})
