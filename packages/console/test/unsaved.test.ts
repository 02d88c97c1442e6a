import { beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { consoleServer, type ConsoleServer } from './support/server.ts'
import { say, shows } from './support/speak.ts'

// What a person has typed and not sent or saved is not lost.

beforeAll(ensureBuilt)
const browser = testBrowser()

async function garden(answer: string): Promise<ConsoleServer> {
  const server = await consoleServer({ upstream: { answer } })
  await server.as('app').ask('POST', '/threads', { thread: 'garden' })
  return server
}

test('a selection that ends outside a dialog does not close it, and a click there does', async () => {
  const { page } = await enter(browser, await consoleServer(), 'app', '/runs')
  await page.getByRole('button', { name: 'Begin a run' }).click()
  const editor = page.getByRole('textbox', { name: 'Experiment, as YAML' })
  await editor.fill('name: much work')
  const { x = 0, y = 0 } = (await editor.boundingBox()) ?? {}
  await page.mouse.move(x + 40, y + 12)
  await page.mouse.down()
  await page.mouse.move(4, 4, { steps: 4 })
  await page.mouse.up()
  expect(await editor.inputValue()).toBe('name: much work')
  await page.mouse.click(4, 4)
  await editor.waitFor({ state: 'detached' })
})

test('a message that could not be sent comes back, above what was typed since', async () => {
  const { page } = await enter(browser, await garden('Yes.'), 'app', '/threads/garden')
  const asked = Promise.withResolvers<void>()
  const typed = Promise.withResolvers<void>()
  await page.route('**/threads/garden/turns', async (route) => {
    asked.resolve()
    await typed.promise
    await route.abort()
  })
  await say({ page }, 'Is it late?')
  await asked.promise
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('And cold?')
  typed.resolve()
  await expect.poll(() => box.inputValue()).toBe('Is it late?\nAnd cold?')
})

test('a comment stays open while the thread goes on and its row leaves the screen', async () => {
  const server = await garden('Ferns and hostas.')
  const app = server.as('app')
  await app.stream('POST', '/threads/garden/turns', { body: { message: 'What grows in the shade?' } })
  const { page } = await enter(browser, server, 'app', '/threads/garden')
  await shows({ page }, ['user: What grows in the shade?', 'assistant: Ferns and hostas.'])
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.fill('Ask her again in spring.')
  for (let turn = 0; turn < 20; turn++)
    await app.stream('POST', '/threads/garden/turns', { body: { message: `And what else? ${turn}` } })
  const transcript = page.locator('[data-transcript]')
  await transcript.getByText('And what else? 19').waitFor()
  // At the end of the transcript, the row that opened the comment is no longer on the page.
  await expect
    .poll(async () => {
      await transcript.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return transcript.getByText('What grows in the shade?').count()
    })
    .toBe(0)
  expect(await comment.inputValue()).toBe('Ask her again in spring.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await comment.waitFor({ state: 'detached' })
  const { entries } = (await app.ask('GET', '/threads/garden/entries')).body
  expect(JSON.stringify(entries)).toContain('Ask her again in spring.')
})
