import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { exampleThread, loadExample } from '../../server/src/archive/example.ts'
import type { EntryLane } from '../../server/src/archive/lane.ts'
import type { FoundEntry } from '../../server/src/archive/search.ts'
import { enter, searchFor, settled } from './support/enter.ts'
import { gardenTime } from './support/garden.ts'
import { serious } from './support/serious.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { takePicture } from './support/pictures.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

interface Trip {
  readonly server: ConsoleServer
  readonly chair: FoundEntry
  readonly lane: () => Promise<EntryLane>
}

/** The example: a message about a wheelchair, said early in a conversation that outgrows its window. */
async function trip(): Promise<Trip> {
  const server = await consoleServer()
  await loadExample(server.store, Date.parse(gardenTime))
  const admin = server.as('admin')
  const { found } = (await admin.ask('GET', '/search?query=wheelchair')).body as {
    readonly found: readonly FoundEntry[]
  }
  const chair = found.findLast(({ kind }) => kind === 'user')!
  const path = `/threads/${exampleThread}/entries/${chair.id}/lane`
  return { server, chair, lane: async () => (await admin.ask('GET', path)).body as unknown as EntryLane }
}

/** Clicks and counts. */
function counter(): { readonly click: (what: Locator) => Promise<void>; readonly clicks: () => number } {
  let clicks = 0
  return {
    click: async (what) => {
      clicks++
      await what.click()
    },
    clicks: () => clicks,
  }
}

async function answered(page: Page): Promise<void> {
  await page.locator('[data-answered-without]').waitFor()
  await page.locator('[data-kept-by]').waitFor()
}

test('why did the model forget it, and what would have kept it: one click from search, one from the message', async () => {
  const { server, chair, lane } = await trip()
  const { without, calls } = await lane()
  const visit = await enter(browser, server, 'admin', '/search', { now: gardenTime })
  const { page } = visit

  const fromSearch = counter()
  const began = performance.now()
  await searchFor(visit, 'wheelchair')
  const result = page.locator(`[data-found="${chair.id}"]`)
  expect(await result.innerText()).toMatch(new RegExp(`user · turn ${chair.turn}.*#${chair.number}`, 's'))
  expect(await result.locator('mark').allInnerTexts()).toContain('wheelchair')
  await fromSearch.click(result.getByRole('button', { name: 'Did the model have it?' }))
  await answered(page)
  const seconds = (performance.now() - began) / 1000
  const told = await page.locator('[data-answered-without]').innerText()
  expect(told).toContain(`Turn ${without!.turn} was answered without it`)
  expect(told).toMatch(/Recall looked for .*none of these words/)
  const ways = await page
    .locator('[data-kept-by-way]')
    .evaluateAll((found) => found.map((way) => (way as HTMLElement).innerText))
  expect(ways.map((way) => way.split('\n')[0])).toEqual(
    without!.restorations.map(({ by }) =>
      by === 'pin' ? 'Pin it' : by === 'system' ? 'Say it in the system text' : expect.stringMatching(/window|room/),
    ),
  )
  expect(ways[0]).toContain(`+${without!.restorations[0]!.tokens} tokens in every prompt`)
  const boxes = page.locator('[data-lane-verdict]')
  expect(await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('data-lane-verdict')))).toEqual(
    calls.map(({ verdict }) => verdict),
  )

  // A box opens the inspector on its call, with the message chosen.
  await fromSearch.click(boxes.nth(calls.findIndex(({ receipt }) => receipt === without!.receipt)))
  await page.locator(`[data-inspector][data-receipt="${without!.receipt}"][aria-busy="false"]`).waitFor()
  await page.locator(`[data-entry-detail="${chair.id}"] [data-lane="${chair.id}"]`).waitFor()
  expect(await page.locator('[data-lane-verdict][data-current="true"]').count()).toBe(1)

  const fromThread = counter()
  await page.goto(`${server.url}/threads/${exampleThread}?at=${chair.id}`)
  const again = performance.now()
  await fromThread.click(
    page.locator(`[data-transcript] [data-entry="${chair.id}"]`).getByRole('link', { name: 'Had it?' }),
  )
  await answered(page)
  expect([fromSearch.clicks(), fromThread.clicks()]).toEqual([2, 1])
  expect(visit.complaints).toEqual([])
  console.log(
    `why was it forgotten, and what would have kept it: from search 1 click, ${seconds.toFixed(1)} s; from the message 1 click, ${((performance.now() - again) / 1000).toFixed(1)} s; to the prompt 1 more`,
  )
})

test('a message is pinned from its lane and from the transcript, and is marked', async () => {
  const { server, chair, lane } = await trip()
  const { page } = await enter(browser, server, 'app', `/threads/${exampleThread}?at=${chair.id}`, { now: gardenTime })
  const message = page.locator(`[data-transcript] [data-entry="${chair.id}"]`)
  await message.getByRole('link', { name: 'Had it?' }).click()
  await page.locator('[data-kept-by-way="pin"]').getByRole('button', { name: 'Pin' }).click()
  await page.getByText('It is pinned now').waitFor()
  expect((await lane()).pinned).toBe(true)
  await message.getByText('pinned', { exact: true }).waitFor()
  await message.getByRole('button', { name: 'Unpin' }).click()
  await message.getByText('pinned', { exact: true }).waitFor({ state: 'detached' })
  expect((await lane()).pinned).toBe(false)
  await message.getByRole('button', { name: 'Pin' }).click()
  await message.getByText('pinned', { exact: true }).waitFor()
  expect((await lane()).pinned).toBe(true)

  const viewer = await enter(browser, server, 'viewer', `/threads/${exampleThread}?at=${chair.id}`, { now: gardenTime })
  const seen = viewer.page.locator(`[data-transcript] [data-entry="${chair.id}"]`)
  await seen.getByText('pinned', { exact: true }).waitFor()
  expect(await seen.getByRole('button', { name: /pin/i }).count()).toBe(0)
})

test('a larger window leads to the lab with that window, which has the message', async () => {
  const { server, chair, lane } = await trip()
  const { without } = await lane()
  const window = without!.restorations.find(({ by }) => by === 'window')!.changes!.window!
  const { page } = await enter(browser, server, 'admin', `/threads/${exampleThread}/calls/last?at=${chair.id}`, {
    now: gardenTime,
  })
  await page.locator('[data-kept-by-way="window"]').getByRole('link', { name: 'Try in the lab' }).click()
  await page.locator('[data-lab][data-same="false"][aria-busy="false"]').waitFor()
  expect(new URL(page.url()).searchParams.get('window')).toBe(String(window))
  expect(await page.locator('[data-restore]').innerText()).toMatch(/Verbatim|Recalled/)
  expect(await page.getByRole('slider', { name: 'Window' }).getAttribute('aria-valuetext')).toContain(
    window.toLocaleString('en-US'),
  )
  await page.locator('[data-restore]').getByRole('button', { name: 'Pin' }).click()
  await page.locator('[data-restore]').getByRole('button', { name: 'Unpin' }).waitFor()
  expect((await lane()).pinned).toBe(true)
})

describe.each([
  [1440, 1000],
  [390, 844],
])('%d pixels wide', (width, height) => {
  test('the lane is reached and read by keyboard alone, in light and dark, and all is well', async () => {
    const { server, chair } = await trip()
    const visit = await enter(browser, server, 'admin', '/search', { now: gardenTime, width, height })
    const { page } = visit
    await searchFor(visit, 'wheelchair')
    await page.locator(`[data-found="${chair.id}"]`).getByRole('button', { name: 'Did the model have it?' }).focus()
    await page.keyboard.press('Enter')
    await answered(page)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-lane-verdict'))).toBe(true)
    await page.keyboard.press('Home')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      `Turn ${chair.turn}: whole`,
    )
    const look = async (name: string): Promise<void> => {
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        await page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' })
        await takePicture(page, `${name}-${width}-${theme}`)
        expect.soft(await serious(page, { contrast: theme === 'dark' }), theme).toEqual([])
      }
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0)
    }
    await look('lane')
    await page.keyboard.press('Enter')
    await page.locator(`[data-entry-detail="${chair.id}"] [data-lane]`).waitFor()
    await settled(visit)
    await look('lane-inspector')
    expect([visit.complaints, visit.strayed]).toEqual([[], []])
  })
})
