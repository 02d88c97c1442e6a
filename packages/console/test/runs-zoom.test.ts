import { beforeAll, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { longBoard, showBoards } from './support/long-board.ts'
import { serious } from './support/serious.ts'
import { consoleServer } from './support/server.ts'
import { takePicture } from './support/pictures.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 780 } }

async function opened(rounds: number, size: keyof typeof sizes, search = ''): Promise<Visit> {
  const visit = await enter(browser, await consoleServer(), 'app', '')
  await visit.page.setViewportSize(sizes[size])
  await showBoards(visit, longBoard(rounds))
  await visit.page.goto(visit.page.url().replace(/\/console.*/, `/console/runs/long${search}`))
  await visit.page.locator('[data-monitor]').waitFor()
  return visit
}

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
}

const hidden = ({ page }: Visit): Promise<number> =>
  page.locator('[data-monitor]').evaluate((monitor) => monitor.scrollWidth - monitor.clientWidth)

const zoomTo = ({ page }: Visit, name: string): Promise<void> =>
  page.getByRole('group', { name: 'Zoom' }).getByRole('button', { name, exact: true }).click()

test.each(['wide', 'narrow'] as const)('the whole of a run fits a %s screen, in cells and as strips', async (size) => {
  const visit = await opened(25, size)
  const { page } = visit
  expect(await hidden(visit)).toBeGreaterThan(1000)
  await isWell(visit, `rounds-${size}`)
  for (const zoom of ['Fit', 'Overview']) {
    await zoomTo(visit, zoom)
    await page.locator(`[data-monitor][data-zoom="${zoom.toLowerCase()}"]`).waitFor()
    await expect.poll(() => hidden(visit)).toBe(0)
    expect(new URL(page.url()).search).toBe(`?zoom=${zoom.toLowerCase()}`)
    await isWell(visit, `${zoom.toLowerCase()}-${size}`)
  }
  // 25 cells fit the wide screen; on the narrow one they would be too small to be clicked.
  await zoomTo(visit, 'Fit')
  expect(await page.locator('[data-lane="ann"] [data-cell]').count()).toBe(size === 'wide' ? 25 : 1)
  await zoomTo(visit, 'Rounds')
  await expect.poll(() => hidden(visit)).toBeGreaterThan(1000)
  expect(new URL(page.url()).search).toBe('')
})

test('an overview of 600 rounds is gone through by keyboard and by clicks', async () => {
  const visit = await opened(600, 'wide', '?zoom=overview')
  const { page } = visit
  await expect.poll(() => hidden(visit)).toBe(0)
  await isWell(visit, 'overview-600')
  expect(await page.locator('[data-cell]').count()).toBe(4)
  await page.locator('[data-monitor] [tabindex="0"]').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.locator('[data-panel="bob 600"]').waitFor()
  expect(new URL(page.url()).search).toBe('?round=600&participant=bob&zoom=overview')
  await page.keyboard.press('Escape')
  await page.locator('[data-panel]').waitFor({ state: 'detached' })
  const strip = page.locator('[data-lane="cy"] [data-strip]')
  // Without the panel, the strip is as wide as the monitor again.
  const isWide = (drawing: Element): boolean =>
    Math.abs(drawing.closest('[data-monitor]')!.clientWidth - drawing.getBoundingClientRect().width) < 2
  await expect.poll(() => strip.evaluate(isWide)).toBe(true)
  const { width } = (await strip.boundingBox())!
  const at = 196 + 28 + (299.5 * (width - 196 - 28)) / 600
  await strip.click({ position: { x: at, y: 12 } })
  await page.locator('[data-panel="cy 300"]').waitFor()
  await expect.poll(() => hidden(visit)).toBe(0)
})

test('axes, units, stretches and folded constants', async () => {
  const visit = await opened(25, 'wide', '?zoom=fit')
  const { page } = visit
  const plot = page.locator('[data-plot="cash"]')
  expect(await plot.locator('figcaption').innerText()).toContain('cash, in dollars')
  expect(
    await plot.locator('[data-tick]').evaluateAll((ticks) => ticks.map((tick) => tick.getAttribute('data-tick'))),
  ).toEqual(['-100', '0', '100'])
  expect(
    await page
      .locator('[data-band="mood"] [data-stretch]')
      .evaluateAll((parts) => parts.map((part) => `${part.getAttribute('data-stretch')} ${part.textContent}`)),
  ).toEqual(['0 7 calm', '8 14 tense', '15 21 calm', '22 25 tense'])
  expect(await page.locator('[data-plot="price"], [data-band="town"]').count()).toBe(0)
  const fold = page.getByRole('button', { name: '2 variables without change' })
  await page.getByText('price 3 · town Prague').waitFor()
  await fold.click()
  expect(await fold.getAttribute('aria-expanded')).toBe('true')
  expect(await page.locator('[data-constant="town"] dd').innerText()).toBe('Prague')
  await zoomTo(visit, 'Rounds')
  await page.locator('[data-cell="0 24"]').getByText('3,325 → 110 tokens').waitFor()
  expect(visit.complaints).toEqual([])
})

test('an arrow leads from who tells something to who hears it, and a lane says what its model was asked for', async () => {
  const visit = await opened(25, 'wide', '?zoom=fit')
  const { page } = visit
  await page.locator('[data-arrow]').first().waitFor({ state: 'attached' })
  const arrows = await page
    .locator('[data-arrow]')
    .evaluateAll((all) => all.map((arrow) => arrow.getAttribute('data-arrow')))
  expect(arrows).toEqual([1, 5, 9, 13, 17, 21, 25].map((round) => `ann bob ${round}`))
  const [arrow, teller, hearer] = await Promise.all(
    ['[data-arrow="ann bob 5"] path', '[data-cell="0 4"]', '[data-cell="1 4"]'].map((place) =>
      page.locator(place).first().boundingBox(),
    ),
  )
  expect(arrow!.x > teller!.x && arrow!.x < teller!.x + teller!.width).toBe(true)
  expect(arrow!.y > teller!.y && arrow!.y < teller!.y + teller!.height).toBe(true)
  expect(arrow!.y + arrow!.height > hearer!.y && arrow!.y + arrow!.height < hearer!.y + hearer!.height).toBe(true)
  expect(await page.locator('[data-lane="bob"] [data-settings]').innerText()).toBe('window 4,096 · temp. 0.7')
  await zoomTo(visit, 'Rounds')
  await page.locator('[data-cell="0 24"]').getByText('tell → bob').waitFor()
  await isWell(visit, 'arrows')
})
