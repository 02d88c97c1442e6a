import { beforeAll, describe, expect, test } from 'vitest'
import { segmentOf } from '../../client/src/client.ts'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { holdAnswers } from './support/late.ts'
import { consoleServer, type ConsoleServer, type ConsoleServerOptions } from './support/server.ts'
import { pausing, say, shows, streams } from './support/speak.ts'
import { testStores } from './support/stores.ts'
import { plainUpstream } from '../../../tests/support/server/raw.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()
const words = Array.from({ length: 24 }, (_, index) => `word${index}`).join(' ')

/** Run in a page: adds up by how much what stood there was moved. What is typed or clicked counts too. */
const countShifts = `window.shifted = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value }).observe({ type: 'layout-shift', buffered: true })`

describe.each(testStores('SQLite'))('on $name', ({ settings }) => {
  const open = async (
    upstream: ConsoleServerOptions['upstream'],
    more: Partial<ConsoleServerOptions> = {},
  ): Promise<ConsoleServer> => {
    const server = await consoleServer({ upstream, ...more, settings: { ...(await settings()), ...more.settings } })
    await server.as('app').ask('POST', '/threads', { thread: 'garden' })
    return server
  }

  test('a message is answered word by word, and the answer is where its text was', async () => {
    const { pauseAfter, goOn } = pausing()
    const server = await open({ answer: words, delay: 20, pauseAfter })
    const visit = await enter(browser, server, 'app', '/threads/garden')
    await say(visit, 'Count.')
    await streams(visit, 'word5')
    goOn()
    await shows(visit, ['user: Count.', `assistant: ${words}`])
    await expect.poll(() => visit.page.locator('[data-streaming]').count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('nothing that is read jumps while an answer streams in', async () => {
    const server = await open({ answer: words, delay: 20 })
    for (const message of ['One.', 'Two.'])
      await server.as('app').stream('POST', '/threads/garden/turns', { body: { message } })
    const visit = await enter(browser, server, 'app', '/threads/garden', { height: 1400, before: countShifts })
    await shows(visit, ['user: One.', `assistant: ${words}`, 'user: Two.', `assistant: ${words}`])
    await visit.page.evaluate(() => {
      ;(window as unknown as { shifted: number }).shifted = 0
    })
    const { pauseAfter, goOn } = pausing()
    server.upstream.next({ answer: words, delay: 20, pauseAfter })
    await say(visit, 'Count.')
    await streams(visit, 'word5')
    goOn()
    await shows(visit, [
      'user: One.',
      `assistant: ${words}`,
      'user: Two.',
      `assistant: ${words}`,
      'user: Count.',
      `assistant: ${words}`,
    ])
    await visit.page.waitForTimeout(300)
    expect(await visit.page.evaluate(() => (window as unknown as { shifted: number }).shifted)).toBeLessThan(0.02)
  })

  test('the end stays on the screen when a row grows, until somebody scrolls up', async () => {
    const server = await open({ answer: words })
    for (let turn = 0; turn < 12; turn++)
      await server.as('app').stream('POST', '/threads/garden/turns', { body: { message: `Count ${turn}.` } })
    const { page } = await enter(browser, server, 'app', '/threads/garden')
    const transcript = page.locator('[data-transcript]')
    const distance = (): Promise<number> =>
      transcript.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight)
    /** The transcript hears of a scroll after the row has grown and before it is measured. */
    const grow = (by: number): Promise<void> =>
      transcript.evaluate((element, pixels) => {
        element.querySelector<HTMLElement>('[data-index]:last-child')!.style.paddingBottom = `${pixels}px`
        element.dispatchEvent(new Event('scroll'))
      }, by)
    await transcript.getByText('Count 11.').waitFor()
    await expect.poll(distance).toBeLessThan(2)
    const height = (): Promise<number> => transcript.evaluate((element) => element.firstElementChild!.clientHeight)
    const before = await height()
    await grow(300)
    await expect.poll(height).toBeGreaterThan(before + 250)
    await expect.poll(distance).toBeLessThan(2)
    await transcript.evaluate((element) => element.scrollBy(0, -200))
    await grow(600)
    await expect.poll(height).toBeGreaterThan(before + 550)
    expect(await distance()).toBeGreaterThan(450)
  })

  test('a turn is stopped, and what was said of it stays', async () => {
    const server = await open({})
    server.upstream.next({ answer: words, stallAfter: 4 })
    const visit = await enter(browser, server, 'app', '/threads/garden')
    await say(visit, 'Count.')
    await streams(visit, 'word3')
    await visit.page.getByRole('button', { name: 'Stop' }).click()
    await visit.page
      .locator('[data-entry][data-kind="assistant"]')
      .getByText(/cancelled|partial/)
      .first()
      .waitFor()
    await shows(visit, ['user: Count.', 'assistant: word0 word1 word2 word3'])
  })

  test('an edited message is a branch, and one can go from the one to the other', async () => {
    const server = await open({ answer: ({ messages }) => `You said: ${String(messages.at(-1)?.content)}` })
    const visit = await enter(browser, server, 'app', '/threads/garden')
    await say(visit, 'Ferns.')
    await shows(visit, ['user: Ferns.', 'assistant: You said: Ferns.'])
    await visit.page.getByRole('button', { name: 'Edit' }).click()
    await visit.page.getByRole('textbox', { name: 'Edited message' }).fill('Roses.')
    await visit.page.getByRole('button', { name: 'Send as a branch' }).click()
    await shows(visit, ['user: Roses.', 'assistant: You said: Roses.'])
    await visit.page.getByRole('button', { name: 'Previous branch' }).click()
    await shows(visit, ['user: Ferns.', 'assistant: You said: Ferns.'])
    await visit.page.getByRole('button', { name: 'Next branch' }).click()
    await shows(visit, ['user: Roses.', 'assistant: You said: Roses.'])
  })

  test('a message is answered again, and the answer before stays on its branch', async () => {
    const server = await open({ answer: ['First.', 'Second.'] })
    const visit = await enter(browser, server, 'app', '/threads/garden')
    await say(visit, 'Hello')
    await shows(visit, ['user: Hello', 'assistant: First.'])
    await visit.page.getByRole('button', { name: 'Regenerate' }).click()
    await shows(visit, ['user: Hello', 'assistant: Second.'])
    await visit.page.getByRole('button', { name: 'Previous branch' }).click()
    await shows(visit, ['user: Hello', 'assistant: First.'])
  })

  test('a stream goes on after a reload', async () => {
    const { pauseAfter, goOn } = pausing()
    const server = await open({ answer: words, delay: 20, pauseAfter })
    const visit = await enter(browser, server, 'app', '/threads/garden')
    await say(visit, 'Count.')
    await streams(visit, 'word3')
    await visit.page.reload()
    await streams(visit, 'word8')
    goOn()
    await shows(visit, ['user: Count.', `assistant: ${words}`])
  })

  test('two windows on one thread show the same', async () => {
    const { pauseAfter, goOn } = pausing()
    const server = await open({ answer: words, delay: 20, pauseAfter })
    const one = await enter(browser, server, 'app', '/threads/garden')
    const two = await enter(browser, server, 'viewer', '/threads/garden')
    await say(one, 'Count.')
    await Promise.all([streams(one, 'word5'), streams(two, 'word5')])
    goOn()
    for (const visit of [one, two]) await shows(visit, ['user: Count.', `assistant: ${words}`])
    await say(one, 'Again.')
    for (const visit of [one, two])
      await shows(visit, ['user: Count.', `assistant: ${words}`, 'user: Again.', `assistant: ${words}`])
  })

  test('a step of a turn stays on the page, however late an older answer comes', async () => {
    const { pauseAfter, goOn } = pausing(1)
    const done = Promise.withResolvers<void>()
    const tool = await plainUpstream((request, response) => {
      request.resume()
      void done.promise.then(() => response.writeHead(200, { 'content-type': 'application/json' }).end('"clear"'))
    })
    const tools = [{ name: 'weather', description: 'The weather.', parameters: { type: 'object' }, url: tool.url }]
    const server = await open({ answer: 'Sunny.' }, { settings: { tools } })
    await server.as('app').ask('POST', '/threads', { thread: 'trip', setup: { tools: ['weather'] } })
    server.upstream.next({ answer: { calls: [{ name: 'weather', arguments: {} }] }, pauseAfter })
    const visit = await enter(browser, server, 'app', '/threads/trip')
    await visit.page.getByText('No messages yet').waitFor()
    const told = Promise.withResolvers<void>()
    await visit.page.route('**/threads/trip/turns', async (route) => {
      const response = await route.fetch()
      await told.promise
      await route.fulfill({ response })
    })
    await say(visit, 'How is it?')
    await visit.page.locator('[data-entry][data-kind="user"]').waitFor()
    // The stream has brought the message. The page now hears that it was sent, and reads the entries itself.
    const held = await holdAnswers(visit.page, '**/threads/trip/entries*')
    told.resolve()
    await held.read
    held.leave()
    goOn()
    const step = visit.page.locator('[data-entry][data-kind="assistant"]').filter({ hasText: 'weather' })
    await step.waitFor()
    await held.passOn()
    expect(await step.count()).toBe(1)
    done.resolve()
    await visit.page.getByText('Sunny.').waitFor()
  })

  test('a thread that cannot be followed says so, and is followed again on demand', async () => {
    const server = await open({ answer: 'Yes.' })
    const visit = await enter(browser, server, 'app', '/threads/garden')
    await visit.page.getByText('No messages yet').waitFor()
    await visit.page.route('**/threads/garden/stream*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'odd', message: 'Out of order.' } } }),
    )
    await visit.page.reload()
    const alert = visit.page.getByRole('alert').filter({ hasText: 'Out of order.' })
    await alert.waitFor()
    await visit.page.unroute('**/threads/garden/stream*')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor({ state: 'detached' })
    await say(visit, 'Is it?')
    await shows(visit, ['user: Is it?', 'assistant: Yes.'])
  })

  test('what fails says so, and can be asked again', async () => {
    const server = await open({ answer: 'Well.' })
    server.upstream.next({ failWith: 500, errorText: 'out of memory' })
    const visit = await enter(browser, server, 'app', '/threads/garden')
    await say(visit, 'Hello')
    await visit.page.locator('[data-entry][data-kind="stop"]').waitFor()
    const admin = await enter(browser, server, 'admin', '/threads/garden')
    const stop = admin.page.locator('[data-entry][data-kind="stop"]')
    await stop.getByText('The model’s server failed (status 500).').waitFor()
    await stop.getByText('Retry the turn.').waitFor()
    expect(await stop.innerText()).not.toMatch(/[{}]|upto/)
    await visit.page
      .getByRole('button', { name: /Regenerate|Ask again|Try again/ })
      .first()
      .click()
    await expect
      .poll(async () => (await server.as('app').ask('GET', '/threads/garden/entries')).body['entries'])
      .toContainEqual(expect.objectContaining({ kind: 'assistant', text: 'Well.' }))
    await visit.page.getByText('Well.').waitFor()
  })

  test('on a thread of the gateway what is said here is a branch that says so', async () => {
    const server = await open({ answer: ['From the gateway.', 'From here.'] })
    const chat = await fetch(`${server.running.url}/api/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.keyOf('app')}` },
      body: JSON.stringify({ model: 'strict', stream: false, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    const thread = chat.headers.get('minutebook-thread') ?? ''
    expect(thread).not.toBe('')
    const visit = await enter(browser, server, 'app', `/threads/${segmentOf(thread)}`)
    await shows(visit, ['user: Hello', 'assistant: From the gateway.'])
    await say(visit, 'And here?')
    await shows(visit, ['user: Hello', 'assistant: From the gateway.', 'user: And here?', 'assistant: From here.'])
    await visit.page
      .locator('[data-kind="user"]', { hasText: 'And here?' })
      .getByText('console', { exact: true })
      .waitFor()
  })
})

describe.each(testStores('Postgres').filter(({ isShared }) => isShared))(
  'on several instances before $name',
  ({ settings }) => {
    test('a stream is followed on another instance, and after its instance is gone', async () => {
      const database = await settings()
      const { pauseAfter, goOn } = pausing()
      const server = await consoleServer({ upstream: { answer: words, delay: 20, pauseAfter }, settings: database })
      await server.as('app').ask('POST', '/threads', { thread: 'garden' })
      const other = await consoleServer({ behind: server.upstream, settings: database })
      const here = await enter(browser, server, 'app', '/threads/garden')
      const there = await enter(browser, other, 'app', '/threads/garden')
      await say(here, 'Count.')
      await Promise.all([streams(here, 'word3'), streams(there, 'word3')])
      await server.running.close({ patience: 0 })
      goOn()
      await shows(there, ['user: Count.', `assistant: ${words}`])
    })
  },
)
