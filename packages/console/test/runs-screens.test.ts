import { beforeAll, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { anyMarketAnswer, market, slowMarket } from './support/market.ts'
import { serious } from './support/serious.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { takePicture } from './support/pictures.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** A run that reached its goal, a fork of it, and one that goes on. */
async function markets(): Promise<ConsoleServer> {
  const server = await consoleServer({ upstream: { answer: anyMarketAnswer } })
  const app = server.as('app')
  await app.ask('POST', '/runs', { definition: market, run: 'monday' })
  await over(server, 'monday')
  await app.ask('POST', '/runs/monday/fork', {
    as: 'tuesday',
    round: 3,
    changes: { participants: { bob: { system: 'You are nobody. You help at the stand.' } } },
  })
  await over(server, 'tuesday')
  await app.ask('POST', '/runs', { definition: slowMarket, run: 'wednesday' })
  await expect
    .poll(async () => (await app.ask('GET', '/runs/wednesday')).body['rounds'])
    .toMatchObject([{}, {}, { cells: [{ participant: 'ann' }] }])
  return server
}

async function over(server: ConsoleServer, run: string): Promise<void> {
  await expect.poll(async () => (await server.as('app').ask('GET', `/runs/${run}`)).body['status']).not.toBe('running')
}

interface Screen {
  readonly name: string
  readonly path: string
  readonly size?: { readonly width: number; readonly height: number }
  readonly go?: (visit: Visit) => Promise<unknown>
}

const narrow = { width: 390, height: 780 }
const button =
  (name: string) =>
  ({ page }: Visit): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click()

const screens: readonly Screen[] = [
  { name: 'runs', path: '/runs' },
  {
    name: 'runs-begin',
    path: '/runs',
    go: async (visit) => {
      await button('Begin a run')(visit)
      await visit.page
        .getByRole('textbox', { name: 'Experiment, as YAML' })
        .fill(
          market
            .replace('sees: [cash, lemons, weather]', 'sees: [csh, lemons, weather]')
            .replace('cash >= 60', 'cash + 60'),
        )
      await visit.page.locator('[data-problems="2"]').waitFor()
    },
  },
  { name: 'run', path: '/runs/wednesday', go: ({ page }) => page.locator('[data-status="playing"]').waitFor() },
  {
    name: 'run-cell',
    path: '/runs/monday?round=1&participant=bob',
    go: ({ page }) => page.locator('[data-asked] pre').waitFor(),
  },
  { name: 'run-fork', path: '/runs/monday', go: button('Fork') },
  {
    name: 'runs-compare',
    path: '/runs/compare?left=monday&right=tuesday',
    go: ({ page }) => page.locator('[data-comparison]').waitFor(),
  },
  {
    name: 'runs-figures',
    path: '/runs/compare?runs=monday+tuesday&variables=cash',
    go: ({ page }) => page.locator('[data-figure] svg').waitFor(),
  },
  { name: 'narrow-runs', path: '/runs', size: narrow },
  {
    name: 'narrow-runs-figures',
    path: '/runs/compare?runs=monday+tuesday&variables=cash',
    size: narrow,
    go: ({ page }) => page.locator('[data-figure] svg').waitFor(),
  },
  { name: 'narrow-run', path: '/runs/monday', size: narrow },
  {
    name: 'narrow-run-cell',
    path: '/runs/monday?round=1&participant=bob',
    size: narrow,
    go: ({ page }) => page.locator('[data-asked] pre').waitFor(),
  },
  {
    name: 'narrow-runs-compare',
    path: '/runs/compare?left=monday&right=tuesday',
    size: narrow,
    go: ({ page }) => page.locator('[data-comparison]').waitFor(),
  },
]

test('every screen of runs is well, in the light and in the dark', async () => {
  const server = await markets()
  const visit = await enter(browser, server, 'admin', '/runs')
  for (const { name, path, size = { width: 1360, height: 860 }, go } of screens) {
    await visit.page.setViewportSize(size)
    await visit.page.goto(`${server.url}${path}`)
    await visit.page
      .locator('tr[data-run], [data-monitor], [data-panel], [data-comparison], [data-overlay]')
      .first()
      .waitFor({ state: 'attached' })
    await go?.(visit)
    await visit.page.waitForTimeout(300)
    await isWell(visit, name)
  }
})

test('a server without runs says how to begin one', async () => {
  const visit = await enter(browser, await consoleServer(), 'admin', '/runs')
  await visit.page.getByText('minutebook run file.yaml').waitFor()
  await isWell(visit, 'runs-none')
})

/** axe finds nothing serious, nothing is too wide, nothing was complained of. */
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
