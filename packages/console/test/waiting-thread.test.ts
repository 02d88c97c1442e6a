import { join } from 'node:path'
import { sqliteStore } from '@minutebook/sqlite'
import { scriptedModel } from '@minutebook/testing'
import { askUser, openBook } from 'minutebook'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { serve } from '../../server/src/serve.ts'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { testConfig } from '../../../tests/support/server/gateway.ts'
import { enter } from './support/enter.ts'
import { shop, waitingCall } from './support/shop.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

describe('on the page of a thread', () => {
  test('a call that begins to wait appears at the end, is approved there, and the turn goes on', async () => {
    const server = await shop()
    await server.as('app').ask('POST', '/threads', { thread: 'ann', setup: { tools: ['order'] } })
    const visit = await enter(browser, server, 'app', '/threads/ann')
    const { page } = visit
    await page.getByText('No messages yet').waitFor()
    await server.call('ann', { name: 'order', arguments: { item: 'fern' } })
    const row = waitingCall(page, 'order')
    await row.waitFor()
    await page.locator('[data-waits="1"]').waitFor()
    await page.locator('[data-waiting-count="1"]').waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).getAttribute('placeholder')).toContain('The turn waits')
    await row.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('I heard: done').waitFor()
    await row.waitFor({ state: 'detached' })
    await page.locator('[data-waits]').waitFor({ state: 'detached' })
    await page.locator('[data-waiting-count]').waitFor({ state: 'detached' })
    expect(server.ordered).toEqual([{ item: 'fern' }])
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })

  test('one of two calls is decided elsewhere, and the other one stays; what is typed there, too', async () => {
    const server = await shop()
    const [order] = await server.call('ann', { name: 'order', arguments: {} }, { name: 'measure', arguments: {} })
    const { page } = await enter(browser, server, 'app', '/threads/ann')
    await waitingCall(page, 'measure').getByRole('textbox', { name: 'Answer' }).fill('12 inches')
    expect(await server.decide('ann', order!, { do: 'refuse' })).toBe(202)
    await waitingCall(page, 'order').waitFor({ state: 'detached' })
    const answer = waitingCall(page, 'measure').getByRole('textbox', { name: 'Answer' })
    expect(await answer.inputValue()).toBe('12 inches')
    await answer.press('Enter')
    await page.getByText('I heard: 12 inches').waitFor()
  })

  test('the turn can be stopped instead', async () => {
    const server = await shop()
    await server.call('ann', { name: 'order', arguments: {} })
    const { page } = await enter(browser, server, 'app', '/threads/ann')
    await waitingCall(page, 'order').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await waitingCall(page, 'order').waitFor({ state: 'detached' })
    await page.locator('[data-entry][data-kind="stop"]').waitFor()
    expect(server.ordered).toEqual([])
  })

  test('an admin reads in the transcript that it waited, what was decided and by whom, and that it ran', async () => {
    const server = await shop()
    const [order] = await server.call('ann', { name: 'order', arguments: { item: 'fern' } })
    const { page } = await enter(browser, server, 'admin', '/threads/ann')
    await page.locator('[data-kind="wait"]').filter({ hasText: 'call 1 needs approval' }).waitFor()
    await server.decide('ann', order!, { do: 'run', input: { item: 'moss' } }, 'carol')
    await page
      .locator('[data-kind="decision"]')
      .filter({ hasText: 'call 1 · Approved with the edited input · by carol' })
      .waitFor()
    await page.locator('[data-kind="start"]').filter({ hasText: 'call 1 runs' }).waitFor()
  })
})

describe('who may not write', () => {
  test('a viewer sees what waits, in the list and in the thread, and no button', async () => {
    const server = await shop()
    await server.call('ann', { name: 'order', arguments: { item: 'fern' } })
    await server.call('bob', { name: 'ask_user', arguments: { question: 'Which pot?', options: ['Clay'] } })
    const visit = await enter(browser, server, 'viewer', '/waiting')
    const { page } = visit
    await page.getByText('This key is read-only').waitFor()
    for (const [path, name] of [
      ['/waiting', 'order'],
      ['/waiting', 'ask_user'],
      ['/threads/ann', 'order'],
      ['/threads/bob', 'ask_user'],
    ] as const) {
      await page.goto(`${server.url}${path}`)
      const row = waitingCall(page, name)
      await row.getByText(name === 'order' ? '"fern"' : 'Which pot?').waitFor()
      expect([await row.getByRole('button').count(), await row.getByRole('textbox').count()]).toEqual([0, 0])
      await row.focus()
      for (const key of ['a', 'r']) await page.keyboard.press(key)
      expect(await row.getByRole('textbox').count()).toBe(0)
    }
    expect([server.ordered, visit.refused]).toEqual([[], []])
    expect((await server.as('app').ask('GET', '/waiting')).body['calls']).toHaveLength(2)
  })

  test('over the file of a program that writes, what waits is seen and cannot be decided', async () => {
    const config = testConfig()
    const file = join(config.data, 'chat.db')
    const store = sqliteStore(file)
    const model = scriptedModel([
      { calls: [{ name: 'ask_user', arguments: { question: 'Where will it stand?' } }] },
      'Well.',
    ])
    const thread = openBook({ store, model, window: 2048, tools: [askUser] }).thread('garden')
    const { waiting = [] } = await thread.send('A fern, please').done
    const running = await serve(config, { file, log: 'silent', consoleFolder: process.env['CONSOLE_FOLDER'] })
    onTestFinished(async () => {
      await running.close()
      store.close()
    })
    const { page, refused, complaints } = await browser.open(running.consoleLink())
    await page.getByRole('link', { name: /^Waiting/ }).click()
    const row = waitingCall(page, 'ask_user')
    await row.getByText('Where will it stand?').waitFor()
    await page.getByText('nothing can be decided here').waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    await thread.decide(waiting[0]!.id, { do: 'answer', output: 'In the hall' }).done
    await row.waitFor({ state: 'detached' })
    expect([refused, complaints]).toEqual([[], []])
  })
})

test('two tabs: what is approved in the one goes away in the other', async () => {
  const server = await shop()
  await server.call('ann', { name: 'order', arguments: {} })
  const list = await enter(browser, server, 'app', '/waiting')
  const thread = await enter(browser, server, 'app', '/threads/ann')
  await waitingCall(list.page, 'order').waitFor()
  await waitingCall(thread.page, 'order').getByRole('button', { name: 'Approve' }).click()
  await waitingCall(list.page, 'order').waitFor({ state: 'detached' })
  await thread.page.getByText('I heard: done').waitFor()
})
