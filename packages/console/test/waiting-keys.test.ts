import { beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter, settled } from './support/enter.ts'
import { frozen, says, shop, waitingCall, type Shop } from './support/shop.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** The item of the call that has the focus; undefined if no call has it. */
function focusedItem(page: Page): Promise<string | undefined> {
  return page.evaluate(
    () => /"item": "(\w+)"/.exec(document.activeElement?.closest('[data-open-call]')?.textContent ?? '')?.[1],
  )
}

interface Orders {
  readonly server: Shop
  readonly page: Page
  readonly ids: readonly string[]
  /** What was decided here, also if the server does not know of it yet. */
  readonly decided: readonly string[]
}

/** Three orders wait. */
async function orders(): Promise<Orders> {
  const server = await shop()
  const ids: string[] = []
  for (const item of ['fern', 'moss', 'rose'])
    ids.push(...(await server.call(item, { name: 'order', arguments: { item } })))
  const visit = await enter(browser, server, 'app')
  const { page } = visit
  const decided: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/decisions')) decided.push(request.postData() ?? '')
  })
  await settled(visit)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Commands' }).waitFor()
  await page.keyboard.type('waiting')
  await page.keyboard.press('Enter')
  await page.locator('[data-open-call]').nth(2).waitFor()
  return { server, page, ids, decided }
}

describe('with the keyboard alone', () => {
  test('one moves, approves one call, and refuses another with a reason', async () => {
    const { server, page } = await orders()
    await frozen(page, server)
    expect(await focusedItem(page)).toBeUndefined()
    await page.keyboard.press('a')
    await page.keyboard.press('j')
    expect(await focusedItem(page)).toBe('fern')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await focusedItem(page)).toBe('rose')
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await focusedItem(page)).toBe('fern')
    await page.keyboard.press('j')
    expect(
      await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle),
      'the focus is not to be seen',
    ).toBe('solid')
    const moss = page.locator('[data-open-call]').nth(1)
    await page.keyboard.press('a')
    await says(moss, 'Approved')
    await expect.poll(() => server.ordered).toEqual([{ item: 'moss' }])
    expect(await focusedItem(page)).toBe('moss')

    const rose = page.locator('[data-open-call]').filter({ hasText: 'rose' })
    await page.keyboard.press('j')
    await page.keyboard.press('r')
    await page.keyboard.type('a jar, a key, r')
    expect(await rose.getByRole('textbox').inputValue()).toBe('a jar, a key, r')
    await page.keyboard.press('Escape')
    await rose.getByRole('textbox').waitFor({ state: 'detached' })
    expect(await focusedItem(page)).toBe('rose')
    await page.keyboard.press('r')
    await page.keyboard.type('Too dear.')
    await page.keyboard.press('Enter')
    await says(rose, 'Refused: Too dear.')
    expect(server.ordered).toEqual([{ item: 'moss' }])
  })

  test('a key that is held down, or pressed with another one, decides nothing', async () => {
    const { server, page, decided } = await orders()
    await page.keyboard.down('a')
    await page.keyboard.press('j')
    expect(await focusedItem(page)).toBe('fern')
    await page.keyboard.down('a')
    await page.keyboard.up('a')
    for (const keys of ['Control+a', 'Alt+a', 'Meta+a', 'Alt+r']) await page.keyboard.press(keys)
    // The Enter that opens the form must not send it.
    await waitingCall(page, 'order').first().getByRole('button', { name: 'Refuse' }).focus()
    await page.keyboard.down('Enter')
    await page.getByRole('textbox', { name: /^Reason/ }).waitFor()
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect(await page.getByRole('textbox', { name: /^Reason/ }).count()).toBe(1)
    expect(decided).toEqual([])
    expect((await server.as('app').ask('GET', '/waiting')).body['calls']).toHaveLength(3)
  })

  test('if the call with the focus is gone, no other one gets it by itself', async () => {
    const { server, page, ids, decided } = await orders()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await focusedItem(page)).toBe('moss')
    expect(await server.decide('moss', ids[1]!, { do: 'refuse' })).toBe(202)
    await page.locator('[data-open-call]').nth(2).waitFor({ state: 'detached' })
    expect(await focusedItem(page)).toBeUndefined()
    await page.keyboard.press('a')
    await page.keyboard.press('r')
    expect(decided).toEqual([])
    expect((await server.as('app').ask('GET', '/waiting')).body['calls']).toHaveLength(2)
    await page.keyboard.press('j')
    expect(await focusedItem(page)).toBe('rose')
    await page.keyboard.press('a')
    await expect.poll(() => server.ordered).toEqual([{ item: 'rose' }])
  })

  test('an answer is typed and sent', async () => {
    const server = await shop()
    await server.call('ann', { name: 'ask_user', arguments: { question: 'Where will it stand?' } })
    const { page } = await enter(browser, server, 'app', '/waiting')
    await frozen(page, server)
    const row = waitingCall(page, 'ask_user')
    await row.waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await page.keyboard.type('In the north window')
    await page.keyboard.press('Enter')
    await says(row, 'Answered: In the north window')
  })
})
