import { beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { longBoard, showBoards } from './support/long-board.ts'
import { consoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()
test('of a run of 600 rounds only what is seen is there, and the keyboard goes through all of it', async () => {
  const visit = await enter(browser, await consoleServer(), 'app', '')
  const { page } = visit
  await showBoards(visit, longBoard(600))
  await page.goto(page.url().replace(/\/console.*/, '/console/runs/long'))
  await page.locator('[data-cell="0 599"]').waitFor()
  const cells = (): Promise<number> => page.locator('[data-cell]').count()
  expect(await cells()).toBeLessThan(4 * 30)
  await page.locator('[data-monitor] [tabindex="0"]').focus()
  await page.keyboard.press('Home')
  const at = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.getAttribute('data-cell'))
  await expect.poll(at).toBe('0 0')
  for (let presses = 0; presses < 30; presses++) await page.keyboard.press('PageDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(at).toBe('1 300')
  const seen = await page.locator('[data-cell="1 300"]').evaluate((cell) => {
    const { left, right } = cell.getBoundingClientRect()
    const lane = cell.closest('[role="row"]')!.querySelector('[role="rowheader"]')!.getBoundingClientRect()
    return left >= lane.right - 1 && right <= innerWidth + 1 && Math.abs(lane.left) < 1
  })
  expect(seen, 'the cell is in sight, beside the name of its lane').toBe(true)
  expect(await cells()).toBeLessThan(4 * 30)
  await page.keyboard.press('End')
  await expect.poll(at).toBe('1 599')
  expect(visit.complaints).toEqual([])
})
