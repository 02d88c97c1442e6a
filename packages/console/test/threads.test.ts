import { gptTokenizer } from 'minutebook/gpt-tokenizer'
import { entryOf } from 'minutebook/store'
import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter, settled } from './support/enter.ts'
import { holdAnswers } from './support/late.ts'
import { gardenLog, plantGarden } from './support/garden.ts'
import { copyInto, recordedLog } from './support/seeds.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { testStores } from './support/stores.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** One chat through the gateway, as a client asks for a title. */
function chat({ running, keyOf }: ConsoleServer, content: string, fields: object = {}): Promise<Response> {
  return fetch(`${running.url}/api/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyOf('app')}` },
    body: JSON.stringify({ model: 'strict', stream: false, messages: [{ role: 'user', content }], ...fields }),
  })
}

describe.each(testStores('SQLite'))('on $name', ({ settings }) => {
  const open = async (options: Parameters<typeof consoleServer>[0] = {}): Promise<ConsoleServer> =>
    consoleServer({
      ...options,
      settings: { ...(await settings()), states: [{ name: 'basket', tools: ['put_in_basket'] }], ...options.settings },
    })

  test('what is said elsewhere comes to the list by itself, to its top', async () => {
    const server = await open({ upstream: { answer: 'ok' } })
    const { page } = await enter(browser, server, 'viewer')
    for (const [index, thread] of ['first', 'second', 'first'].entries()) {
      await server.as('app').ask('POST', '/threads', { thread })
      await server
        .as('app')
        .stream('POST', `/threads/${thread}/turns`, { body: { message: `Words of ${thread} ${index}` } })
      await expect.poll(() => page.locator('[data-thread]').first().getAttribute('data-thread')).toBe(thread)
    }
    expect(await page.locator('[data-thread]').count()).toBe(2)
  })

  test('after a pause with more news than one look brings, none is missing', async () => {
    const server = await open()
    const plant = async (from: number, to: number): Promise<void> => {
      for (let number = from; number < to; number++)
        await server.store.append(`thread ${number}`, [entryOf({ role: 'user', content: `Hello ${number}` })])
    }
    await plant(0, 3)
    const { page } = await enter(browser, server, 'viewer')
    await page.getByText('3 threads', { exact: true }).waitFor()
    const isPoll = ({ pathname, searchParams }: URL): boolean =>
      pathname.endsWith('/v1/threads') && searchParams.get('limit') === '30'
    await page.route(isPoll, (route) => route.abort())
    await plant(3, 45)
    await page.unroute(isPoll)
    await page.getByText('45 threads', { exact: true }).waitFor()
  })

  test('a page that is read late takes away nothing that came meanwhile', async () => {
    const server = await open()
    for (let number = 0; number < 130; number++)
      await server.store.append(`thread ${number}`, [entryOf({ role: 'user', content: `Hello ${number}` })])
    const { page } = await enter(browser, server, 'viewer')
    const newest = page.locator('[data-thread]').first()
    await newest.waitFor()
    const held = await holdAnswers(
      page,
      ({ pathname, searchParams }) => pathname.endsWith('/v1/threads') && searchParams.has('after'),
    )
    const scroller = newest.locator('xpath=ancestor::*[contains(@class, "overflow-y-auto")][1]')
    await scroller.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    await held.read
    await server.store.append('new', [entryOf({ role: 'user', content: 'New here' })])
    await scroller.evaluate((element) => element.scrollTo({ top: 0 }))
    await page.locator('[data-thread="new"]').waitFor()
    await held.passOn()
    await page.getByText('131 threads', { exact: true }).waitFor()
    await page.locator('[data-thread="new"]').waitFor()
  })

  test('filters leave those that are truncated, over the window, failed or partial', async () => {
    const server = await open({
      upstream: { answer: 'ok', window: 512, onOverflow: 'halve', counter: gptTokenizer() },
      settings: { models: { strict: { window: 100_000, counter: 'o200k' }, small: { window: 512 } } },
    })
    await plantGarden(server.store)
    await chat(server, 'The harbour was quiet that morning, and the boats lay still. '.repeat(60))
    await server
      .as('app')
      .ask('POST', '/threads', { thread: 'too-long', setup: { model: 'small', system: 'many words '.repeat(2000) } })
    await server.as('app').stream('POST', '/threads/too-long/turns', { body: { message: 'Hello' } })
    const { page } = await enter(browser, server, 'viewer')
    const threads = (): Promise<readonly (string | null)[]> =>
      page.locator('[data-thread]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-thread')))
    const isShown = async (name: string, wanted: readonly unknown[]): Promise<void> => {
      const filter = page.getByRole('button', { name: new RegExp(`^${name} ${wanted.length}$`) })
      await filter.click()
      await expect.poll(threads).toEqual(wanted)
      expect(new URL(page.url()).searchParams.get('marks')).toBe(name.toLowerCase())
      await filter.click()
      await expect.poll(() => page.locator('[data-thread]').count()).toBe(6)
    }
    await expect.poll(() => page.locator('[data-thread]').count()).toBe(6)
    await isShown('Failed', ['failed-call'])
    await isShown('Partial', ['broken-off'])
    await isShown('Truncated', [expect.any(String)])
    await isShown('Overflow', ['too-long'])
  })

  test('one-off chats are folded together, and opened on demand', async () => {
    const server = await open({ upstream: { answer: 'A title' } })
    for (let index = 0; index < 5; index++) await chat(server, `Name this chat ${index}`)
    const { page } = await enter(browser, server, 'viewer')
    const fold = page.getByRole('button', { name: /one-off/ })
    await fold.waitFor()
    expect(await page.locator('[data-thread]').count()).toBe(0)
    await fold.click()
    await expect.poll(() => page.locator('[data-thread]').count()).toBe(5)
  })

  test('runs, one-offs and forks are listed on demand, which is in the address and remembered', async () => {
    const server = await open({ upstream: { answer: 'A title' } })
    await copyInto(server.store, 'garden', await recordedLog([['What grows in the shade?', 'Ferns.']]))
    await copyInto(server.store, 'run/market/ann', await recordedLog([['Buy or sell?', 'Buy.']]))
    await server.as('app').ask('POST', '/threads/garden/fork', { as: 'copy' })
    await chat(server, 'Name this chat')
    const visit = await enter(browser, server, 'viewer')
    const { page } = visit
    const threads = (): Promise<number> => page.locator('[data-thread]').count()
    await expect.poll(threads).toBe(1)
    await page.getByRole('button', { name: 'Forks 1' }).click()
    await page.locator('[data-thread="copy"]').getByText('fork', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'One-offs 1' }).click()
    await page.getByRole('button', { name: 'Runs 1' }).click()
    await expect.poll(threads).toBe(4)
    expect(new URL(page.url()).search).toBe('?show=runs%2Cone-offs%2Cforks')
    await page.getByRole('button', { name: 'Runs 1' }).click()
    await expect.poll(threads).toBe(3)
    await page.goto(`${server.url}/threads/garden`)
    await expect.poll(threads).toBe(3)
    await page.goto(`${server.url}/?show=none`)
    await expect.poll(threads).toBe(1)
    expect([visit.complaints, visit.refused]).toEqual([[], []])
  })

  test('a thread is renamed, and an admin sees whose it is', async () => {
    const server = await open({ upstream: { answer: 'ok' } })
    await server.as('app').ask('POST', '/threads', { thread: 'garden' })
    await server.as('app').stream('POST', '/threads/garden/turns', { body: { message: 'What grows in the shade?' } })
    const { page } = await enter(browser, server, 'admin', '/threads/garden')
    await page.locator('[data-owner]', { hasText: 'key app' }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Shade <b>plants</b>')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Shade <b>plants</b>' }).waitFor()
    await page.locator('[data-thread="garden"]', { hasText: 'Shade <b>plants</b>' }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'What grows in the shade?' }).waitFor()
    const other = await enter(browser, server, 'viewer', '/threads/garden')
    await other.page.getByRole('heading', { name: 'What grows in the shade?' }).waitFor()
    expect(await other.page.getByRole('button', { name: 'Rename' }).count()).toBe(0)
    expect(await other.page.locator('[data-owner]').count()).toBe(0)
  })

  test('a search finds what was said in any thread, and leads to the place', async () => {
    const server = await open()
    await copyInto(server.store, 'garden', await gardenLog())
    await copyInto(server.store, 'other', await recordedLog([['Is the copper collar for the roses?', 'No.']]))
    const { page } = await enter(browser, server, 'viewer', '/search')
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('copper')
    await expect.poll(() => page.locator('[data-found]').count()).toBe(2)
    await page
      .locator('[data-found]', { hasText: 'slugs' })
      .or(page.locator('[data-found]', { hasText: 'lettuce' }))
      .first()
      .getByRole('link')
      .click()
    await page.waitForURL(/threads\/garden\?/)
    await page.getByText('set a collar of copper').waitFor()
    const isSeen = (element: Element): boolean => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    }
    await expect.poll(() => page.getByText('set a collar of copper').evaluate(isSeen)).toBe(true)
  })

  test('the state is shown as of any turn', async () => {
    const server = await open()
    await copyInto(server.store, 'garden', await gardenLog())
    const { page } = await enter(browser, server, 'viewer', '/threads/garden/state')
    await page.locator('[data-state="basket"]').getByText('fern').waitFor()
    await page.getByRole('slider', { name: 'Turn' }).press('Home')
    await page.getByText('No valid result of its tools yet').waitFor()
  })

  test('a thread is exported whole, erased for good, and says so', async () => {
    const server = await open()
    await copyInto(server.store, 'garden', await gardenLog())
    const visit = await enter(browser, server, 'admin', '/threads/garden')
    await settled(visit)
    const { page } = visit
    const downloading = page.waitForEvent('download')
    const more = page.getByRole('button', { name: 'More' })
    await more.click()
    await page.getByRole('button', { name: 'Export' }).click()
    const stream = await (await downloading).createReadStream()
    const pieces: Buffer[] = []
    for await (const piece of stream) pieces.push(piece as Buffer)
    expect(Buffer.concat(pieces).toString('utf8').trim().split('\n').length).toBeGreaterThanOrEqual(
      (await gardenLog()).length,
    )
    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await more.click()
    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await page.getByRole('button', { name: 'Erase all of it' }).click()
    await page.getByText('entries are erased').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByText('What was said here is erased').first().waitFor()
    await expect.poll(() => page.locator('body').innerText()).not.toContain('4711')
  })

  test('a tool call of a client of the gateway is answered by hand, and the model goes on', async () => {
    const server = await open({
      upstream: {
        answer: ({ messages }) =>
          messages.at(-1)?.role === 'tool'
            ? `It is ${String(messages.at(-1)?.content)}.`
            : { calls: [{ name: 'weather', arguments: { bed: 4 } }] },
      },
    })
    const tools = [
      {
        type: 'function',
        function: {
          name: 'weather',
          description: 'The weather.',
          parameters: { type: 'object', properties: { bed: { type: 'number' } } },
        },
      },
    ]
    await chat(server, 'Will it freeze?', { tools })
    const visit = await enter(browser, server, 'app')
    await visit.page.locator('[data-thread]').first().click()
    await visit.page.getByRole('textbox', { name: 'Result' }).fill('-1 degrees')
    await visit.page.getByRole('button', { name: 'Send result' }).click()
    await visit.page.locator('[data-kind="assistant"]').getByText('It is -1 degrees.').waitFor()
  })
})

test('a server that is gone is told so, and the page goes on when it is back', async () => {
  const server = await consoleServer()
  await plantGarden(server.store)
  const visit = await enter(browser, server, 'admin', '/threads/garden')
  await visit.page.locator('[data-entry]').first().waitFor()
  await visit.context.setOffline(true)
  await visit.page.getByRole('link', { name: 'Write the seed order' }).click()
  await visit.page
    .getByText(/cannot be reached|not answer|network|connection|offline/i)
    .first()
    .waitFor()
  await visit.context.setOffline(false)
  await visit.page.getByText('Broad beans, garlic').first().waitFor()
})
