import type { Visit } from '../../../../tests/support/browser/browser.ts'
import { searchFor, settled } from './enter.ts'
import type { ConsoleServer } from './server.ts'

/** A screen: how one gets there in the garden. */
export interface Screen {
  readonly name: string
  readonly path: string
  readonly scope?: 'admin' | 'viewer'
  readonly width?: number
  readonly height?: number
  readonly go?: (visit: Visit) => Promise<unknown>
}

const inspect = async ({ page }: Visit): Promise<void> => {
  await page.getByRole('link', { name: 'Inspector' }).click()
  await page.locator('[data-window-strip]').waitFor()
}

const inspectEntry = async (visit: Visit): Promise<void> => {
  await inspect(visit)
  await visit.page.locator('[data-verdict-list] [data-verdict="omitted"]').last().click()
  await visit.page.locator('[data-entry-detail]').waitFor()
}

const widen = async ({ page }: Visit): Promise<void> => {
  const slider = page.getByRole('slider', { name: 'Window' })
  await page.locator('[data-lab][data-same="true"][aria-busy="false"]').waitFor()
  for (let presses = 0; presses < 3; presses++) await slider.press('ArrowRight')
  await page.locator('[data-lab][data-same="false"][aria-busy="false"]').waitFor()
}

const widenAll = async (visit: Visit): Promise<void> => {
  await widen(visit)
  await visit.page.getByRole('tab', { name: 'All calls' }).click()
  await visit.page.locator('[data-plot]').first().waitFor()
}

const palette = async ({ page }: Visit): Promise<void> => {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Commands' }).waitFor()
}

const waits = async ({ page }: Visit, ...keys: readonly string[]): Promise<void> => {
  await page.locator('[data-open-call]').last().waitFor()
  for (const key of keys) await page.keyboard.press(key)
}

/** Every screen of the console. */
export const screens: readonly Screen[] = [
  { name: 'threads', path: '/threads' },
  { name: 'transcript', path: '/threads/garden' },
  { name: 'transcript-viewer', path: '/threads/garden', scope: 'viewer' },
  { name: 'inspector', path: '/threads/garden', width: 1600, height: 1000, go: inspect },
  { name: 'inspector-entry', path: '/threads/garden', width: 1440, height: 900, go: inspectEntry },
  { name: 'lab', path: '/threads/garden/lab', width: 1600, height: 1000, go: widen },
  { name: 'lab-calls', path: '/threads/garden/lab', width: 1600, height: 1000, go: widenAll },
  {
    name: 'edit',
    path: '/threads/garden',
    go: ({ page }) => page.getByRole('button', { name: 'Edit' }).last().click(),
  },
  { name: 'state', path: '/threads/garden/state' },
  { name: 'search', path: '/search', go: (visit) => searchFor(visit, 'lock') },
  { name: 'palette', path: '/threads/garden', go: palette },
  {
    name: 'erase',
    path: '/threads/garden',
    go: async ({ page }) => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('button', { name: 'Erase' }).click()
    },
  },
  {
    name: 'thread-menu',
    path: '/threads/garden',
    go: ({ page }) => page.getByRole('button', { name: 'More' }).click(),
  },
  {
    name: 'help',
    path: '/threads/garden',
    go: async ({ page }) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys and words' }).waitFor()
    },
  },
  { name: 'calls', path: '/calls', width: 1440, height: 900 },
  { name: 'waiting', path: '/waiting', width: 1440, height: 1000, go: (visit) => waits(visit, 'j', 'j') },
  {
    name: 'waiting-edit',
    path: '/waiting',
    go: async (visit) => {
      await waits(visit)
      await visit.page.getByRole('button', { name: 'Edit input' }).last().click()
    },
  },
  { name: 'waiting-thread', path: '/threads/ferns', width: 1440, height: 900, go: (visit) => waits(visit) },
  { name: 'waiting-viewer', path: '/waiting', scope: 'viewer', go: (visit) => waits(visit) },
  { name: 'nothing', path: '/nowhere' },
  { name: 'unknown-thread', path: '/threads/unknown' },
  { name: 'narrow-threads', path: '/threads', width: 390, height: 780 },
  { name: 'narrow-transcript', path: '/threads/garden', width: 390, height: 780 },
  { name: 'narrow-waiting', path: '/waiting', width: 390, height: 1100, go: (visit) => waits(visit) },
  { name: 'narrow-waiting-refuse', path: '/waiting', width: 390, height: 780, go: (visit) => waits(visit, 'j', 'r') },
  { name: 'narrow-waiting-thread', path: '/threads/ferns', width: 390, height: 780, go: (visit) => waits(visit) },
  { name: 'narrow-inspector', path: '/threads/garden', width: 390, height: 780, go: inspect },
]

export const screenStates = [{ name: 'basket', tools: ['put_in_basket'] }]

/** Goes to a screen, and waits until it is all there. */
export async function show(
  visit: Visit,
  { url }: ConsoleServer,
  { path, width = 1360, height = 860, go }: Screen,
): Promise<void> {
  const { page } = visit
  await page.setViewportSize({ width, height })
  await page.goto(`${url}${path}`)
  await settled(visit)
  if (path.startsWith('/threads/garden') && !path.endsWith('lab'))
    await page.locator('[data-transcript] [data-entry]').first().waitFor({ state: 'attached' })
  await go?.(visit)
  await page.waitForTimeout(150)
  await settled(visit)
}
