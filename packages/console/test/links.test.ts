import { beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { ensureBuilt } from '../../../tests/support/browser/built.ts'
import { enter } from './support/enter.ts'
import { consoleServer } from './support/server.ts'

beforeAll(ensureBuilt)
const browser = testBrowser()

test('the link to a call leads a second person to that call, also after the thread went on', async () => {
  const server = await consoleServer({ upstream: { answer: 'Not often.' } })
  await server.as('app').ask('POST', '/threads', { thread: 'garden' })
  const ask = (message: string): Promise<unknown> =>
    server.as('app').stream('POST', '/threads/garden/turns', { body: { message } })
  await ask('How often do I water a fern?')
  const { page, context, complaints } = await enter(browser, server, 'admin', '/threads/garden/calls/last')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const receipt = await page.locator('[data-inspector][data-hash]').getAttribute('data-receipt')
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${server.url}/threads/garden/calls/${receipt}`)
  expect(link).not.toContain('fern')
  await ask('And a rose?')
  const other = await enter(browser, server, 'viewer', link.slice(server.url.length))
  await other.page.locator(`[data-inspector][data-receipt="${receipt}"][data-hash]`).waitFor()
  expect([complaints, other.complaints]).toEqual([[], []])
})
