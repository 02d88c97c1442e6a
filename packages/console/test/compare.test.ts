import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { csvRows } from '../../../tests/support/csv.ts'
import { enter } from './support/enter.ts'
import { longBoard, showBoards, type LongBoard } from './support/long-board.ts'
import { serious } from './support/serious.ts'
import { consoleServer } from './support/server.ts'
import { elementsOf } from './support/xml.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** Eight seeds of two models, of which one is hotter, and a fork. */
const boards: readonly LongBoard[] = [
  ...['small', 'large'].flatMap((model) =>
    Array.from({ length: 8 }, (_, index) => {
      const board = longBoard(model === 'small' ? 25 : 20 + index, `${model}-${index + 1}`, index + 1)
      return {
        ...board,
        participants: board.participants.map((lane) => ({ ...lane, model })),
        definition: { ...(board.definition as object), participants: { ann: { model } } },
      }
    }),
  ),
  { ...longBoard(22, 'fork-1', 60), forked: { run: 'small-1', round: 10 } },
]

async function opened(path: string): Promise<Visit> {
  const visit = await enter(browser, await consoleServer(), 'app', '')
  await showBoards(visit, ...boards)
  await visit.page.goto(visit.page.url().replace(/\/console.*/, `/console${path}`))
  return visit
}

const path = ({ page }: Visit): string => new URL(page.url()).pathname + new URL(page.url()).search

test('runs are chosen in the list, compared on one pair of axes and in a table, and the address has all of it', async () => {
  const visit = await opened('/runs')
  const { page, complaints, strayed } = visit
  await page.getByRole('checkbox', { name: 'Choose small-2' }).check()
  await page.getByRole('checkbox', { name: 'Choose fork-1' }).check()
  await page.getByRole('group', { name: 'Chosen runs' }).getByText('2 runs chosen').waitFor()
  expect(path(visit)).toBe('/console/runs?runs=small-2+fork-1')
  await page.getByRole('button', { name: 'All 17 of a long one' }).click()
  await page.getByRole('group', { name: 'Chosen runs' }).getByRole('link', { name: 'Compare' }).click()
  // Two models and a fork: two means, and a line.
  const figure = page.locator('[data-figure="cash"]')
  await figure.locator('svg').waitFor()
  const lines = (): Promise<readonly string[]> =>
    figure.locator('svg circle').evaluateAll((ends) => ends.map((end) => end.getAttribute('data-line')!).toSorted())
  expect(await lines()).toEqual(['fork-1', 'group 0', 'group 2'])
  await page.getByRole('button', { name: 'Each run' }).click()
  await expect.poll(async () => (await lines()).length).toBe(17)
  expect(await page.locator('[data-outcomes="17"] tbody tr').count()).toBe(17)
  await page.getByRole('button', { name: 'Rounds', exact: true }).click()
  await page.getByRole('button', { name: 'Rounds', exact: true }).click()
  await expect.poll(() => page.locator('tbody tr').first().getAttribute('data-run')).toBe('large-8')
  expect(await page.locator('th[aria-sort="descending"]').innerText()).toContain('Rounds')
  expect(path(visit)).toMatch(/&lines=each&sort=-rounds$/)
  const means = page.locator('tfoot tr')
  expect(await means.count()).toBe(2)
  expect(await means.last().innerText()).toMatch(/of 8 runs/)
  // The same from the address alone.
  const table = await page.locator('[data-outcomes]').innerText()
  await page.reload()
  await page.locator('[data-outcomes]').waitFor()
  expect(await page.locator('[data-outcomes]').innerText()).toBe(table)
  for (const [size, theme] of [
    [{ width: 1440, height: 900 }, 'dark'],
    [{ width: 390, height: 780 }, 'light'],
  ] as const) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: theme })
    await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
    expect.soft(await serious(page, { contrast: theme === 'dark' })).toEqual([])
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect.soft(wider, 'pixels by which the page is wider than the screen').toBe(0)
  }
  expect([complaints, strayed]).toEqual([[], []])
})

test('a figure is saved as an SVG file on white, and its numbers and the outcomes as CSV', async () => {
  const visit = await opened('/runs/compare?runs=small-1+fork-1&variables=cash')
  const { page } = visit
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('[data-figure="cash"] svg').waitFor()
  const saved = async (name: string): Promise<string> => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
    return readFileSync(await file.path(), 'utf8')
  }
  const svg = await saved('Save SVG of cash')
  const elements = elementsOf(svg)
  expect(elements.find(({ name }) => name === 'rect')!.attributes['fill']).toMatch(/^#(?:fff){1,2}$/)
  expect(svg).not.toMatch(/var\(|currentColor|class=|style=|<script|href/)
  expect(elements.map(({ text }) => text)).toContain('fork-1, fork of small-1 at round 10')
  const series = csvRows((await saved('Save CSV of cash')).trim())
  expect(series).toHaveLength(1 + 26 + 23)
  expect(series[1]).toEqual(['small-1', 'a long one', 'small', '1', '0', '0', 'cash', '0'])
  const outcomes = csvRows((await saved('Save CSV of the outcomes')).trim())
  expect(outcomes.map(([run]) => run)).toEqual(['run', 'small-1', 'fork-1'])
  expect(visit.complaints).toEqual([])
})
