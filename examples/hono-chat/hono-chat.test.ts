import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { testBrowser, type Visit } from '../../tests/support/browser/browser.ts'
import { started } from '../server.ts'

const browser = testBrowser()

async function says(visit: Visit, text: string): Promise<void> {
  await visit.page.locator('input').fill(text)
  await visit.page.locator('#send').click()
}

const shown = (visit: Visit): Promise<string[]> => visit.page.locator('#chat p').allTextContents()
const shows = (visit: Visit, lines: readonly string[]): Promise<void> => expect.poll(() => shown(visit)).toEqual(lines)
const isReady = (visit: Visit): Promise<void> => visit.page.locator('#send:not([disabled])').waitFor()

test('in a browser: a stream, a reload in its middle, a stop, and a thread for each user', async () => {
  await using upstream = await strictUpstream({ answer: ['Ferns and hostas.', 'Moss.'], window: 4096 })
  const settings = {
    OLLAMA_HOST: upstream.url,
    CHAT_FILE: join(mkdtempSync(join(tmpdir(), 'hono-chat-')), 'chat.db'),
  }
  const { url } = await started('hono-chat', settings)
  const ann = await browser.open(url)
  await says(ann, 'What grows in the shade?')
  await shows(ann, ['What grows in the shade?', 'Ferns and hostas.'])

  // Another browser is another user.
  const ben = await browser.open(url)
  await isReady(ben)
  expect(await shown(ben)).toEqual([])

  // The answer stops after its first words: a page that is loaded again has them, and can stop the turn.
  await isReady(ann)
  upstream.next({ answer: 'one two three', stallAfter: 2 })
  await says(ann, 'And then?')
  await shows(ann, ['What grows in the shade?', 'Ferns and hostas.', 'And then?', 'one two '])
  await ann.page.reload()
  await shows(ann, ['What grows in the shade?', 'Ferns and hostas.', 'And then?', 'one two '])
  await ann.page.locator('#stop').click()
  await isReady(ann)
  const stopped = [...(await shown(ann)).slice(0, 3), 'one two ', 'The turn was cancelled.']
  await shows(ann, stopped)

  await says(ann, 'And on stones?')
  await shows(ann, [...stopped, 'And on stones?', 'Moss.'])
  await ann.page.reload()
  await shows(ann, [...stopped, 'And on stones?', 'Moss.'])
  expect([...ann.complaints, ...ben.complaints, ...ann.strayed]).toEqual([])
})

test('a model that cannot be reached is told on the page', async () => {
  const settings = {
    OLLAMA_HOST: 'http://127.0.0.1:9',
    CHAT_FILE: join(mkdtempSync(join(tmpdir(), 'hono-chat-')), 'chat.db'),
  }
  const { url } = await started('hono-chat', settings)
  const visit = await browser.open(url)
  await says(visit, 'Hello?')
  await expect.poll(() => visit.page.locator('#problem').textContent()).toMatch(/\w/)
  await isReady(visit)
})

test('without a model, a script answers', async () => {
  const { url } = await started(
    'hono-chat',
    { CHAT_FILE: join(mkdtempSync(join(tmpdir(), 'hono-chat-')), 'chat.db') },
    ['--scripted'],
  )
  const visit = await browser.open(url)
  await says(visit, 'Hello')
  await expect.poll(() => shown(visit)).toEqual(['Hello', expect.stringMatching(/^You said “Hello”.*slowly\.$/)])
})
