import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { within } from '../../../tests/support/patience.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { curlFor } from '../src/app/first-minute.tsx'
import { enter } from './support/enter.ts'
import { consoleServer } from './support/server.ts'
import { say, shows } from './support/speak.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

/** What a shell prints for a command. The server runs in this process, so it must not block. */
async function shell(command: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', command], { timeout: within(20_000) })).stdout
}

describe('a server without conversations', () => {
  test('says what it is for at /, with its addresses, also on a narrow screen', async () => {
    const server = await consoleServer({ keys: false })
    for (const width of [1440, 390]) {
      const { page } = await browser.open(server.running.url, { width })
      await page.getByRole('heading', { name: 'No conversations yet' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/console')
      for (const path of ['', '/v1'])
        await page
          .getByText(server.running.url + path, { exact: true })
          .first()
          .waitFor()
    }
  })

  test('shows a command that works as it is, and the conversation then appears', async () => {
    const server = await consoleServer({ keys: false, upstream: { answer: 'Ferns.' } })
    const { page, context } = await browser.open(server.running.url)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('[data-curl]', { hasText: '"strict"' }).waitFor()
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('button', { name: 'Copy the command' }).click()
    let command = ''
    await expect.poll(async () => (command = await page.evaluate(() => navigator.clipboard.readText()))).not.toBe('')
    expect(await shell(`${command} -sS`)).toContain('Ferns.')
    await page.locator('[data-thread]').first().waitFor({ state: 'attached' })
    expect(await page.getByRole('heading', { name: 'No conversations yet' }).count()).toBe(0)
  })

  test('loads an example with the keyboard, and opens it', async () => {
    const server = await consoleServer({ keys: false })
    const { page, refused } = await browser.open(server.running.url)
    await page.getByRole('button', { name: 'Load an example' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/threads\/example-trip$/)
    await page.getByRole('heading', { name: 'Example: a weekend in Prague' }).waitFor()
    await page.getByText('Which tower shall we climb?').first().waitFor()
    expect([server.upstream.requests.filter(({ method }) => method === 'POST'), refused]).toEqual([[], []])
  })

  test('does not offer a viewer what it may not do', async () => {
    const { page } = await enter(browser, await consoleServer(), 'viewer')
    await page.getByRole('heading', { name: 'No conversations yet' }).waitFor()
    expect(await page.getByRole('button', { name: 'Load an example' }).count()).toBe(0)
    await page.locator('[data-curl]', { hasText: 'Bearer $MINUTEBOOK_KEY' }).waitFor()
  })
})

describe('a new thread', () => {
  test('is made by its first message, and by nothing before', async () => {
    const server = await consoleServer({ upstream: { answer: 'Well.' } })
    const visit = await enter(browser, server, 'app')
    await visit.page.getByRole('button', { name: 'New thread' }).click()
    await visit.page.waitForURL(/\/new$/)
    await visit.page.getByText('No messages yet').waitFor()
    expect(await visit.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Message')
    expect((await server.as('app').ask('GET', '/threads')).body['threads']).toEqual([])
    await say(visit, 'Hello')
    await visit.page.waitForURL(/threads\//)
    await shows(visit, ['user: Hello', 'assistant: Well.'])
    expect((await server.as('app').ask('GET', '/threads')).body['threads']).toHaveLength(1)
    await visit.page.goBack()
    expect(new URL(visit.page.url()).pathname).not.toMatch(/new$/)
  })

  test('lets the user choose the model, which the thread then keeps', async () => {
    const server = await consoleServer({
      upstream: { answer: 'Well.', models: ['small', 'large'] },
      settings: { defaultModel: undefined },
    })
    const visit = await enter(browser, server, 'app', '/new')
    const picker = visit.page.getByRole('combobox', { name: 'Model' })
    await picker.selectOption('small')
    await say(visit, 'Hello')
    await shows(visit, ['user: Hello', 'assistant: Well.'])
    expect((await server.as('app').ask('GET', '/threads')).body['threads']).toMatchObject([{ model: 'small' }])
    expect(await picker.count()).toBe(0)
  })

  test('says so if there is no model, and looks again', async () => {
    const server = await consoleServer({
      settings: { upstreams: [{ url: 'http://127.0.0.1:9' }], defaultModel: undefined },
    })
    const { page } = await enter(browser, server, 'app', '/new')
    await page.getByText('No model was found').waitFor()
    const looked = page.waitForResponse('**/minutebook/v1/models')
    await page.getByRole('button', { name: 'Look again' }).click()
    await looked
    await page.getByText('No model was found').waitFor()
  })
})

test('the name of a model cannot leave the command that shows it', async () => {
  const model = `x'; touch /tmp/pwned; echo '"$(id)\`id\`\\`
  const command = curlFor({ origin: 'http://127.0.0.1:9', model, needsKey: false })
  const said = await shell(command.replace(/^curl/, 'printf "%s\\n"'))
  expect((JSON.parse(said.trim().split('\n').at(-1) ?? '') as { readonly model: string }).model).toBe(model)
})
