import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { gardenLog, gardenTime } from './support/garden.ts'
import { copyInto } from './support/seeds.ts'
import { consoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

async function open(path: string, size: { readonly width?: number; readonly height?: number } = {}): Promise<Page> {
  const server = await consoleServer()
  await copyInto(server.store, 'garden', await gardenLog())
  const { page } = await enter(browser, server, 'admin', `/threads/garden${path}`, { now: gardenTime, ...size })
  await page.locator('[data-transcript] [data-entry]').first().waitFor({ state: 'attached' })
  return page
}

const inspector = (page: Page): ReturnType<Page['locator']> => page.locator('[data-inspector]')

/** Waits until the question of a turn is on the screen, next to the call of that turn. */
async function atTurn(page: Page, call: number, turn: number): Promise<void> {
  await inspector(page).getByText(`call ${call} of 15`).waitFor()
  await inspector(page)
    .getByRole('heading', { name: `Turn ${turn}`, exact: true })
    .waitFor()
  const question = page.locator('[data-transcript] [data-kind="user"]').filter({ hasText: `turn ${turn}` })
  await question.filter({ visible: true }).waitFor()
  const list = page.locator('[data-transcript]')
  await expect
    .poll(async () => {
      const [inner, outer] = await Promise.all([question.boundingBox(), list.boundingBox()])
      return inner !== null && outer !== null && inner.y >= outer.y - 1 && inner.y < outer.y + outer.height
    })
    .toBe(true)
}

describe('the keys of the inspector', () => {
  test('work wherever the focus is, the transcript follows, and the way back leads to where one was', async () => {
    const page = await open('')
    const link = page.getByRole('link', { name: 'Inspector' })
    await link.focus()
    await page.keyboard.press('Enter')
    await atTurn(page, 15, 13)
    expect(await inspector(page).evaluate((section) => section === document.activeElement)).toBe(true)
    for (let presses = 0; presses < 10; presses++) await page.keyboard.press('ArrowLeft')
    await atTurn(page, 5, 4)
    await page.locator('[data-transcript]').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await atTurn(page, 7, 5)
    expect(await page.locator('[data-transcript]').evaluate((list) => list === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await inspector(page).waitFor({ state: 'detached' })
    expect(await page.locator('[data-transcript]').evaluate((list) => list === document.activeElement)).toBe(true)
    await link.focus()
    await page.keyboard.press('Enter')
    await atTurn(page, 15, 13)
    await page.keyboard.press('Escape')
    await inspector(page).waitFor({ state: 'detached' })
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('do nothing while someone types, chooses a tab or has a dialog open', async () => {
    const page = await open('/calls/last')
    await atTurn(page, 15, 13)
    await page.getByRole('textbox', { name: 'Message' }).focus()
    for (const key of ['ArrowLeft', 'Escape', '?', '/']) await page.keyboard.press(key)
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('?/')
    await page.getByRole('tab', { name: 'Entries' }).press('ArrowLeft')
    expect(await page.getByRole('tab', { name: 'Dump' }).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await atTurn(page, 15, 13)
  })
})

test('at 900 pixels the reason of an entry is above the fold, and an entry is found by a part of a word', async () => {
  const page = await open('/calls/last', { width: 1440, height: 900 })
  await page.getByRole('searchbox', { name: 'Find in entries' }).fill('COMPO')
  await inspector(page).getByText('2 of 35').waitFor()
  await page.keyboard.press('Enter')
  const reason = page.locator('[data-entry-detail]').getByText('Reason')
  await reason.waitFor()
  const box = await reason.boundingBox()
  expect(box!.y + box!.height).toBeLessThan(900)
  const chosen = inspector(page).getByRole('option', { selected: true })
  const first = await chosen.getAttribute('data-entry')
  await page.keyboard.press('Enter')
  expect(await inspector(page).getByRole('option', { selected: true }).getAttribute('data-entry')).not.toBe(first)
})

test('every strip says what it shows, and what its colours mean', async () => {
  const page = await open('/calls/last')
  await atTurn(page, 15, 13)
  for (const title of ['Prompts over time', 'In the window now', 'All 35 entries'])
    await inspector(page).getByRole('heading', { name: title }).waitFor()
  const legend = await page.getByRole('list', { name: 'Legend: Prompts over time' }).innerText()
  expect(legend.split(/\s*\n\s*/)).toEqual(['reused', 'new', 'compacted', 'read by the server'])
  const facts = inspector(page).locator('[data-facts]')
  await facts.getByText('Facts').press('Enter')
  await facts.getByText('Tokens are estimated, rather too high than too low.').waitFor()
})

test('? says the keys and the words, / leads to the search, and each gives the focus back or on', async () => {
  const page = await open('')
  await page.locator('[data-transcript]').focus()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys and words' })
  for (const word of ['Outlined', 'Reserve', 'Compaction', 'the model call before or after'])
    await help.getByText(word).first().waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  expect(await page.locator('[data-transcript]').evaluate((list) => list === document.activeElement)).toBe(true)
  await page.keyboard.press('/')
  // The page of the search is loaded when it is first needed, after its address is shown.
  const words = page.getByRole('searchbox', { name: 'Search', exact: true })
  await words.waitFor()
  await page.keyboard.type('lock')
  expect(await words.inputValue()).toBe('lock')
  expect(new URL(page.url()).pathname).toMatch(/\/search$/)
})
