import type { Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { beforeAll, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter, settled } from './support/enter.ts'
import { gardenTime, plantGarden, plantWaiting } from './support/garden.ts'
import { talk } from './support/relayed-talk.ts'
import { screens, screenStates, show } from './support/screens.ts'
import { serious } from './support/serious.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { takePicture } from './support/pictures.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

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
    await takePicture(page, `${name}-${theme}`)
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
  await settled(visit)
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

/** Calls of a day as a team has them, and threads in which something went wrong. */
async function day(): Promise<ConsoleServer> {
  const server = await consoleServer()
  await plantGarden(server.store)
  await talk(server.store, 'kitchen', 'gemma', ['whole', 'whole', 'cut', 'cut', 'cut'])
  await talk(server.store, 'house', 'gemma', ['whole', 'whole', 'failed'])
  await talk(server.store, 'attic', 'phi', ['whole', 'cut', 'whole', 'whole'])
  const now = Math.floor(Date.now() / 3_600_000)
  let newest: Entry | undefined
  for (let before = 1; before < 24; before++) {
    const calls = 4 + ((before * 37) % 29)
    const sentTokens = calls * (700 + ((before * 131) % 900))
    const figures = {
      calls,
      sentTokens,
      readTokens: sentTokens - (before % 7 === 3 ? 2400 : 0),
      cutTokens: before % 7 === 3 ? 2400 : 0,
      cutCalls: before % 7 === 3 ? 2 : 0,
      reusedTokens: Math.floor(sentTokens * (0.45 + (before % 5) / 12)),
      answerTokens: calls * 140,
      verbatim: calls * 9,
      recalled: calls,
      outlined: calls * 4,
      omitted: calls * 2,
      omittedCalls: Math.floor(calls / 3),
    }
    const message = { role: before % 2 ? 'user' : 'assistant', content: before % 2 ? 'Which bed is dry?' : 'Bed 12.' }
    newest = entryOf(message, newest, { time: gardenTime })
    const count = { entry: newest.id, hour: now - before, model: before % 3 ? 'gemma' : 'phi', key: 'website', figures }
    await server.store.append('greenhouse', [newest], { count })
  }
  return server
}

test('home with the calls of a day is well, wide and narrow', async () => {
  const server = await day()
  for (const [name, width, height] of [
    ['overview', 1440, 900],
    ['narrow-overview', 390, 780],
  ] as const) {
    const visit = await enter(browser, server, 'admin', '', { width, height })
    await visit.page.locator('[data-overview][aria-busy="false"] [data-problem="kitchen"] [data-sparkline]').waitFor()
    await settled(visit)
    await isWell(visit, name)
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
  // The page hears of it together with a frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
})
