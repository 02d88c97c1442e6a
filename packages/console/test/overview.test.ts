import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import type { Overview } from '../../server/src/archive/overview.ts'
import { axisTop, shortCount, tokenBar } from '../src/overview/bars.ts'
import { enter, settled } from './support/enter.ts'
import { talk } from './support/relayed-talk.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

async function talked(): Promise<ConsoleServer> {
  const server = await consoleServer()
  await talk(server.store, 'garden', 'gemma', ['whole', 'cut', 'cut', 'whole'])
  await talk(server.store, 'house', 'gemma', ['whole', 'failed'])
  await talk(server.store, 'attic', 'phi', ['whole', 'whole', 'whole'])
  return server
}

const overviewOf = async (server: ConsoleServer, query = ''): Promise<Overview> =>
  (await server.as('admin').ask('GET', `/overview${query}`)).body as unknown as Overview

describe('the overview', () => {
  test('is home: six figures, bars to scale, and the worst thread one click from the right call', async () => {
    const server = await talked()
    const { page, complaints } = await enter(browser, server, 'admin')
    const figure = (name: string): Promise<string> => page.locator(`[data-figure="${name}"] dd`).first().innerText()
    await page.locator('[data-overview][aria-busy="false"] [data-figure]').first().waitFor()
    expect(await figure('Calls')).toBe('9')
    expect(await figure('Cut by the server')).toBe('2')
    expect(await figure('Failed')).toBe('1')
    const { totals, problems } = await overviewOf(server)
    expect(await figure('Cache reuse')).toMatch(/^\d+(\.\d+)?%$/)

    const heights = await page
      .locator('[data-bar] rect:not(.bar-hit)')
      .evaluateAll((bars) =>
        bars.map((bar) => [bar.getAttribute('class'), Number(bar.getAttribute('height'))] as const),
      )
    const sum = (name: string): number => heights.reduce((all, [part, height]) => all + (part === name ? height : 0), 0)
    expect(sum('bar-cut')).toBe(totals.cutTokens)
    expect(sum('bar-reused') + sum('bar-fresh') + sum('bar-cut')).toBe(totals.sentTokens)
    await page.getByText('Show as a table').click()
    await page
      .getByRole('region', { name: /as a table/ })
      .getByRole('row')
      .nth(1)
      .waitFor()

    expect(
      await page.locator('[data-problem]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-problem'))),
    ).toEqual(['garden', 'house'])
    await page.locator('[data-problem="garden"]', { hasText: 'in 2 of its newest 4 calls' }).waitFor()
    expect(await page.locator('[data-problem="garden"] [data-sparkline="4"]').count()).toBe(1)
    await page.locator('[data-problem="garden"]').click()
    await page.waitForURL(`**/threads/garden/calls/${problems[0]!.reasons[0]!.receipt}`)
    await page.locator('[data-window-strip]').waitFor()
    expect(complaints).toEqual([])
  })

  test('has its range, model and key in the address, and shows the same after a reload', async () => {
    const server = await talked()
    const { page } = await enter(browser, server, 'admin')
    const calls = page.locator('[data-overview][aria-busy="false"] [data-figure="Calls"] dd').first()
    await calls.getByText('9', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Model' }).selectOption('phi')
    await calls.getByText('3', { exact: true }).waitFor()
    await page.getByRole('button', { name: '30 d' }).click()
    await page.waitForURL(/last=30d/)
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ last: '30d', model: 'phi' })
    await page.reload()
    await calls.getByText('3', { exact: true }).waitFor()
    await page.getByText('No thread had a problem in this range.').waitFor()
    await page.getByRole('combobox', { name: 'Key' }).selectOption('desk')
    await calls.getByText('0', { exact: true }).waitFor()
  })

  test('names no keys to a viewer, and shows the rest', async () => {
    const server = await talked()
    const visit = await enter(browser, server, 'viewer')
    await settled(visit)
    await visit.page.locator('[data-figure="Calls"]', { hasText: '9' }).waitFor()
    expect(await visit.page.getByRole('combobox', { name: 'Key' }).count()).toBe(0)
    expect(await visit.page.locator('[data-problem]').count()).toBe(2)
  })

  test('is what a narrow screen begins with, one link from the threads', async () => {
    const server = await talked()
    const { page } = await enter(browser, server, 'app', '', { width: 390, height: 780 })
    await page.locator('[data-figure="Calls"]').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole('link', { name: 'Threads', exact: true }).click()
    await page.locator('[data-thread]').first().waitFor()
    expect(await page.locator('[data-figure]').count()).toBe(0)
  })
})

describe('a bar of tokens', () => {
  test.each([
    [
      { sentTokens: 100, reusedTokens: 60, cutTokens: 10 },
      { reused: 60, fresh: 30, cut: 10 },
    ],
    [
      { sentTokens: 100, reusedTokens: 95, cutTokens: 10 },
      { reused: 90, fresh: 0, cut: 10 },
    ],
    [
      { sentTokens: 100, reusedTokens: 0, cutTokens: 300 },
      { reused: 0, fresh: 0, cut: 100 },
    ],
  ])('of %o is all that was sent', (figures, bar) => expect(tokenBar(figures)).toEqual(bar))
  test('stands on an axis with a round top', () => {
    expect([0, 1, 7, 3569, 99_999].map(axisTop)).toEqual([1, 1, 8, 4000, 100_000])
    expect([0, 999, 1500, 2_000_000].map(shortCount)).toEqual(['0', '999', '1.5k', '2M'])
  })
})
