import { memoryStore, openBook, type Thread } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { openAiModel } from 'minutebook/openai'
import { strictUpstream, type StrictUpstream } from '@minutebook/testing/server'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { script } from '../support/scripted.ts'

const long = 'What grows in the shade of an old oak tree? '.repeat(60)

const windows = async (thread: Thread): Promise<unknown[]> =>
  (await thread.receipts()).map(({ windowSource }) => windowSource)

test.each([
  ['Ollama', (url: string) => ollamaModel(new Ollama({ host: url }), { model: 'strict' })],
  [
    'an OpenAI-compatible server',
    (url: string) => openAiModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }), { model: 'strict' }),
  ],
])('a book without a window asks %s, once, and no prompt is longer than that', async (_, model) => {
  await using upstream: StrictUpstream = await strictUpstream({ window: 2048, answer: 'Ferns.' })
  const book = openBook({ store: memoryStore(), model: model(upstream.url) })
  for (const id of ['a', 'b']) for (let turn = 0; turn < 4; turn++) await book.thread(id).ask(long)
  const sources = await windows(book.thread('a'))
  expect(new Set(sources).size).toBe(1)
  expect(sources[0]).toMatch(/^\/|model file/)
  expect((await book.thread('a').dump()).plan.window).toBe(2048)
})

test('a server that does not say, or is not there, leaves the assumed window, and the receipt says so', async () => {
  const failing = Object.assign(script('Yes.', 'Yes.'), { window: () => Promise.reject(new Error('down')) })
  for (const model of [script('Yes.'), failing]) {
    const thread = openBook({ store: memoryStore(), model }).thread('t')
    await thread.ask('Well?')
    expect(await windows(thread)).toEqual(['assumed'])
    expect((await thread.dump()).plan.window).toBe(32_768)
    expect(await thread.verify()).toMatchObject({ ok: true })
  }
})

test('the message is recorded before the server is asked, and a cancelled turn does not wait for it', async () => {
  let tell: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (tell = resolve))
  const model = Object.assign(script('Yes.'), {
    window: () => {
      tell()
      return new Promise<never>(() => undefined)
    },
  })
  const thread = openBook({ store: memoryStore(), model }).thread('t')
  const turn = thread.send('Well?')
  await asked
  expect((await thread.visible()).map(({ text }) => text)).toEqual(['Well?'])
  turn.cancel()
  expect(await turn.done).toMatchObject({ status: 'cancelled' })
})
