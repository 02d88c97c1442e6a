import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { frozen, says, shop, waitingCall } from './support/shop.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

describe('what waits', () => {
  test('is listed for all threads, the longest first, with its input, its thread and until when; the header counts it', async () => {
    const server = await shop()
    await server.call('ann', { name: 'order', arguments: { item: 'fern', price: 24 } })
    await server.call('bob', { name: 'hurry', arguments: {} }, { name: 'measure', arguments: { bed: 12 } })
    const visit = await enter(browser, server, 'app')
    const { page } = visit
    await page.getByRole('link', { name: /^Waiting/ }).click()
    const rows = page.locator('[data-open-call]')
    await rows.nth(2).waitFor()
    expect(await rows.nth(0).innerText()).toMatch(
      /^order\s+needs approval\s+ann\s+(just now|\d+ minutes? ago)\s+\{\s+"item": "fern",\s+"price": 24\s+\}/,
    )
    expect(await waitingCall(page, 'hurry').innerText()).toMatch(
      /bob\s+(just now|\d+ minutes? ago)\s+(5\d minutes|1 hour) left/,
    )
    expect(await waitingCall(page, 'measure').innerText()).toMatch(/needs an answer[^]*"bed": 12/)
    expect(await page.locator('[data-waiting-count]').getAttribute('data-waiting-count')).toBe('3')
    await waitingCall(page, 'order').getByRole('link', { name: 'ann' }).click()
    await page.waitForURL(/threads\/ann$/)
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })

  test('long input is read from the thread, folded, and can be unfolded; before, nothing can be approved', async () => {
    const server = await shop()
    await server.call('ann', { name: 'order', arguments: { letter: `${'word '.repeat(2000)}last` } })
    const visit = await enter(browser, server, 'app')
    let free = (): void => undefined
    const held = new Promise<void>((resolve) => (free = resolve))
    await visit.page.route('**/threads/ann/waiting', async (route) => {
      await held
      await route.continue()
    })
    await visit.page.goto(`${server.url}/waiting`)
    const row = waitingCall(visit.page, 'order')
    await row.getByText('Reading the input').waitFor()
    await row.focus()
    await visit.page.keyboard.press('a')
    expect(await row.getByRole('button').count()).toBe(0)
    free()
    await row.locator('[data-input="folded"]').waitFor()
    expect(await row.innerText()).not.toContain('last')
    await row.getByRole('button', { name: 'Show all' }).click()
    expect(await row.locator('pre').innerText()).toContain('last"')
    expect(server.ordered).toEqual([])
  })

  test('says so if nothing does', async () => {
    const server = await shop()
    const { page } = await enter(browser, server, 'app', '/waiting')
    await page.getByText('Nothing waits').waitFor()
    expect(await page.locator('[data-waiting-count]').count()).toBe(0)
  })
})

describe('deciding', () => {
  test('an approved call runs, its row says so and goes away', async () => {
    const server = await shop()
    await server.call('ann', { name: 'order', arguments: { item: 'fern' } })
    const { page } = await enter(browser, server, 'app', '/waiting')
    const thaw = await frozen(page, server)
    const row = waitingCall(page, 'order')
    await row.getByRole('button', { name: 'Approve' }).click()
    await says(row, 'Approved')
    await expect.poll(() => server.ordered).toEqual([{ item: 'fern' }])
    expect(await row.getByRole('button').count()).toBe(0)
    await thaw()
    await row.waitFor({ state: 'detached' })
    await page.getByText('Nothing waits').waitFor()
    await page.locator('[data-waiting-count]').waitFor({ state: 'detached' })
  })

  test('a refused call does not run, and the model is told the reason', async () => {
    const server = await shop()
    await server.call('ann', { name: 'order', arguments: { item: 'fern' } })
    const { page } = await enter(browser, server, 'app', '/waiting')
    await frozen(page, server)
    const row = waitingCall(page, 'order')
    await row.getByRole('button', { name: 'Refuse' }).click()
    await row.getByRole('textbox', { name: /^Reason/ }).fill('Too dear.')
    await row.getByRole('button', { name: 'Refuse this call' }).click()
    await says(row, 'Refused: Too dear.')
    await page.goto(`${server.url}/threads/ann`)
    await page.getByText('I heard: (refused: Too dear.)').waitFor()
    expect(server.ordered).toEqual([])
  })

  test('the input can be edited before; what is not an object as JSON cannot be sent', async () => {
    const server = await shop()
    await server.call('ann', { name: 'order', arguments: { item: 'fern', count: 12 } })
    const { page } = await enter(browser, server, 'app', '/waiting')
    await frozen(page, server)
    const row = waitingCall(page, 'order')
    await row.getByRole('button', { name: 'Edit input' }).click()
    const field = row.getByRole('textbox', { name: /^Input/ })
    expect(JSON.parse(await field.inputValue())).toEqual({ item: 'fern', count: 12 })
    const send = row.getByRole('button', { name: 'Approve with this input' })
    expect(await send.isDisabled()).toBe(true)
    for (const wrong of ['{"item": ', '12', '[]', 'null']) {
      await field.fill(wrong)
      await row.getByRole('status').filter({ hasText: /./ }).waitFor()
      expect([wrong, await send.isDisabled()]).toEqual([wrong, true])
    }
    await field.fill('{"item": "fern", "count": 2}')
    await send.click()
    await says(row, 'Approved with the edited input')
    await expect.poll(() => server.ordered).toEqual([{ item: 'fern', count: 2 }])
  })

  test('a question is answered with words or with one of its options, as text', async () => {
    const server = await shop()
    await server.call('ann', { name: 'ask_user', arguments: { question: 'Where will it stand?' } })
    await server.call('bob', {
      name: 'ask_user',
      arguments: { question: 'Which pot?', options: ['Clay', '{"pot":"tin"}'] },
    })
    const { page } = await enter(browser, server, 'app', '/waiting')
    await frozen(page, server)
    const ann = page.locator('[data-open-call]').filter({ hasText: 'Where will it stand?' })
    await ann.getByRole('textbox', { name: 'Answer' }).fill('42')
    await ann.getByRole('button', { name: 'Send answer' }).click()
    await says(ann, 'Answered: 42')
    const bob = page.locator('[data-open-call]').filter({ hasText: 'Which pot?' })
    expect(await bob.getByRole('textbox').count()).toBe(0)
    await bob.getByRole('button', { name: '{"pot":"tin"}' }).click()
    await says(bob, 'Answered: {"pot":"tin"}')
    const outputs = async (thread: string): Promise<unknown[]> => {
      const log = await server.store.read(thread)
      return log
        .filter(({ kind }) => kind === 'decision')
        .map(({ text }) => (JSON.parse(text) as { output: unknown }).output)
    }
    expect([await outputs('ann'), await outputs('bob')]).toEqual([['42'], ['{"pot":"tin"}']])
  })

  test('whoever comes second is told who decided, what and when', async () => {
    const server = await shop()
    const [order] = await server.call('ann', { name: 'order', arguments: { item: 'fern' } })
    const { page, complaints } = await enter(browser, server, 'app', '/waiting')
    const row = waitingCall(page, 'order')
    await row.waitFor()
    await frozen(page, server)
    expect(await server.decide('ann', order!, { do: 'refuse' }, 'carol')).toBe(202)
    await row.getByRole('button', { name: 'Approve' }).click()
    await says(
      row,
      /Key app \(for carol\) has refused this call already, (just now|\d+ minutes? ago)\. The first decision counts\./,
    )
    expect(await row.getByRole('button').allInnerTexts()).toEqual(['Close'])
    expect([server.ordered, complaints]).toEqual([[], []])
  })

  test('what the second has typed stays, to be copied', async () => {
    const server = await shop()
    const [order] = await server.call('ann', { name: 'order', arguments: { item: 'fern' } })
    const { page } = await enter(browser, server, 'app', '/waiting')
    const row = waitingCall(page, 'order')
    await row.getByRole('button', { name: 'Refuse' }).click()
    await row.getByRole('textbox').fill('Ask Bob first: he has two already.')
    await frozen(page, server)
    expect(await server.decide('ann', order!, { do: 'run' }, 'carol')).toBe(202)
    await row.getByRole('button', { name: 'Refuse this call' }).click()
    await says(
      row,
      /Key app \(for carol\) has approved this call already, (just now|\d+ minutes? ago)\. The first decision counts\./,
    )
    expect(await row.getByLabel('You wrote, and it was not used:').inputValue()).toBe(
      'Ask Bob first: he has two already.',
    )
  })

  test('a turn that ended meanwhile is told, too', async () => {
    const server = await shop()
    await server.call('ann', { name: 'order', arguments: {} })
    const { page } = await enter(browser, server, 'app', '/waiting')
    const row = waitingCall(page, 'order')
    await row.waitFor()
    await frozen(page, server)
    await server.as('app').ask('POST', '/threads/ann/cancel')
    await row.getByRole('button', { name: 'Approve' }).click()
    await says(row, 'This call no longer waits: its turn ended without a decision.')
    expect(server.ordered).toEqual([])
  })

  test('after an error, the row and what was typed stay; also if the call is gone from the list', async () => {
    const server = await shop()
    const [order] = await server.call('ann', { name: 'order', arguments: {} })
    const { page } = await enter(browser, server, 'app', '/waiting')
    const row = waitingCall(page, 'order')
    await row.getByRole('button', { name: 'Refuse' }).click()
    const reason = row.getByRole('textbox', { name: /^Reason/ })
    await reason.fill('Too dear.')
    await page.route('**/decisions', (route) => route.fulfill({ status: 500, body: '{}' }))
    await reason.press('Enter')
    await row.getByRole('alert').filter({ hasText: 'status 500' }).waitFor()
    expect(await reason.inputValue()).toBe('Too dear.')
    await page.unroute('**/decisions')
    await server.decide('ann', order!, { do: 'run' }, 'carol')
    await page.getByText('Nothing waits').waitFor()
    expect(await reason.inputValue()).toBe('Too dear.')
    await reason.press('Enter')
    await says(row, /Key app \(for carol\) has approved/)
    await row.getByRole('button', { name: 'Close' }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('a call whose time runs out while its input is edited is not approved', async () => {
    const server = await shop()
    await server.call('ann', { name: 'hurry', arguments: { item: 'fern' } })
    const { page } = await enter(browser, server, 'app', '/waiting')
    const row = waitingCall(page, 'hurry')
    await row.getByRole('button', { name: 'Edit input' }).click()
    await row.getByRole('textbox').fill('{"item": "moss"}')
    // At once: the page looks at the clock from time to time, and then takes the field away.
    await row.getByRole('button', { name: 'Approve with this input' }).evaluate(
      (button: HTMLElement, later) => {
        Date.now = () => later
        button.click()
      },
      Date.now() + 2 * 3_600_000,
    )
    await row.getByText('its time is over').waitFor()
    expect(await row.getByRole('button').allInnerTexts()).toEqual(['Refuse'])
    expect((await server.as('app').ask('GET', '/waiting')).body['calls']).toHaveLength(1)
  })

  test('after its deadline, a call can only be refused', async () => {
    const server = await shop()
    await server.call('ann', { name: 'hurry', arguments: {} })
    const { page } = await enter(browser, server, 'app', '/waiting')
    const row = waitingCall(page, 'hurry')
    await row.waitFor()
    await page.clock.setFixedTime(Date.now() + 2 * 3_600_000)
    await frozen(page, server)
    await row.getByText('its time is over').waitFor()
    expect(await row.getByRole('button').allInnerTexts()).toEqual(['Refuse'])
    await row.focus()
    await page.keyboard.press('a')
    await row.getByRole('button', { name: 'Refuse' }).click()
    await row.getByRole('button', { name: 'Refuse this call' }).click()
    await says(row, 'Refused')
    expect(server.ordered).toEqual([])
  })
})
