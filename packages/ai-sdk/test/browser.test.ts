import { scriptedModel } from '@minutebook/testing'
import { beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../../tests/support/browser/browser.ts'
import { createGate, gated } from './support/chat.ts'
import { does, isReady, openSite, pageScript, recorded, shown, shows } from './support/site.ts'

const browser = testBrowser()
beforeAll(async () => void (await pageScript()))

const never = new Promise<never>(() => undefined)

test('useChat in a browser: a reload in the middle, two tabs, stop, edit and regenerate', async () => {
  const gate = createGate()
  const lines = ['One two three four.', 'Five six seven.', 'Edited answer.', 'Another answer.']
  const { thread, url } = await openSite(gated(scriptedModel(lines), gate))
  const first = await browser.open(url)
  await isReady(first)
  await does(first, `hook.sendMessage({ text: 'Hello' })`)
  await gate.allow(2, never)
  await shows(first, 'One two')

  await first.page.reload()
  await shows(first, 'One two')
  const second = await browser.open(url)
  await shows(second, 'One two')
  await gate.allow(3, Promise.resolve())
  await Promise.all([isReady(first), isReady(second)])
  expect(await shown(first)).toEqual(await recorded(thread))
  expect(await shown(second)).toEqual(await recorded(thread))

  await does(second, `hook.sendMessage({ text: 'More' })`)
  await gate.allow(2, never)
  await second.page.reload()
  await shows(second, 'Five six')
  await does(second, `fetch('/api/chat/t', { method: 'DELETE' })`)
  await isReady(second)
  expect(JSON.stringify(await shown(second))).not.toContain('seven')
  expect(await shown(second)).toEqual(await recorded(thread))

  gate.open()
  await does(second, `hook.sendMessage({ text: 'Better', messageId: hook.messages[0].id })`)
  await shows(second, 'Edited answer.')
  await isReady(second)
  expect(await shown(second)).toEqual(await recorded(thread))
  await does(second, `hook.regenerate()`)
  await shows(second, 'Another answer.')
  await isReady(second)
  expect(await shown(second)).toEqual(await recorded(thread))
  await first.page.reload()
  await isReady(first)
  expect(await shown(first)).toEqual(await shown(second))
  expect([...first.complaints, ...second.complaints]).toEqual([])
})
