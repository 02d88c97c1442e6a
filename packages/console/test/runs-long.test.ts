import type { Board } from '@minutebook/experiment/run'
import { beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { consoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()
const spending = { calls: 1, prompt: 100, completion: 10 }

/** A run of many rounds, as the API would tell it. */
function longBoard(rounds: number): Board & { readonly limit: number; readonly hidden: number } {
  const names = ['ann', 'bob', 'cy', 'dan']
  return {
    run: 'long',
    name: 'a long one',
    seed: 1,
    status: 'limit',
    waiting: [],
    reason: `${rounds} rounds were played, as many as are allowed.`,
    limit: rounds,
    hidden: 0,
    participants: names.map((name) => ({ name, model: 'm', thread: `run/long/${name}`, spending })),
    rounds: Array.from({ length: rounds }, (_, index) => ({
      round: index + 1,
      name: 'day',
      play: 'sequence',
      order: names,
      isOver: true,
      environment: { cash: Math.round(100 * Math.sin(index / 9)), mood: ['calm', 'tense'][Math.floor(index / 7) % 2]! },
      cells: names.map((participant) => ({
        participant,
        turn: 0,
        status: 'complete',
        text: `${participant} at ${index + 1}`,
        calls: [{ receipt: 'r', hash: 'h', prompt: 100, completion: 10, verdicts: {} }],
        effects: [],
      })),
    })),
    environment: { cash: 0, mood: 'calm' },
    initial: { cash: 0, mood: 'calm' },
    spending,
  }
}

test('of a run of 600 rounds only what is seen is there, and the keyboard goes through all of it', async () => {
  const visit = await enter(browser, await consoleServer(), 'app', '')
  const { page } = visit
  await page.route('**/minutebook/v1/runs/long', (route) => route.fulfill({ json: longBoard(600) }))
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
