import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import type { ChatModel } from './chat-model.ts'
import { serveModel } from './model-server.ts'

const messages = [{ role: 'user' as const, content: 'Who is there?' }]

/** A model that says back what it was asked, word by word, up to the limit. */
const echo: ChatModel = {
  answer: (asked, limit, tell) => {
    const words = (asked.at(-1)?.content ?? '').match(/\s*\S+/g) ?? []
    const said = words.slice(0, limit)
    for (const word of said) tell?.(word)
    const finish = said.length < words.length ? 'length' : 'stop'
    return Promise.resolve({ text: said.join(''), promptTokens: 7, answerTokens: said.length, finish, dropped: 0 })
  },
}

async function served(): Promise<string> {
  const server = await serveModel(echo, { name: 'echo', window: 2048 }, 0)
  onTestFinished(() => server.close())
  return server.url
}

test('the client of Ollama gets an answer, whole and as a stream, and the window', async () => {
  const client = new Ollama({ host: await served() })
  const whole = await client.chat({ model: 'echo', messages, options: { num_predict: 2 } })
  expect([whole.message.content, whole.done_reason, whole.prompt_eval_count]).toEqual(['Who is', 'length', 7])
  let said = ''
  for await (const { message } of await client.chat({ model: 'echo', messages, stream: true })) said += message.content
  expect(said).toBe('Who is there?')
  expect(await client.ps()).toMatchObject({ models: [{ name: 'echo', context_length: 2048 }] })
})

test('the client of OpenAI gets an answer, whole and as a stream', async () => {
  const client = new OpenAI({ baseURL: `${await served()}/v1`, apiKey: 'none' })
  const whole = await client.chat.completions.create({ model: 'echo', messages })
  expect([whole.choices[0]?.message.content, whole.usage?.prompt_tokens]).toEqual(['Who is there?', 7])
  const pieces: unknown[] = []
  for await (const { choices } of await client.chat.completions.create({ model: 'echo', messages, stream: true }))
    pieces.push(choices[0]?.delta.content ?? choices[0]?.finish_reason)
  expect(pieces).toEqual(['Who', ' is', ' there?', 'stop'])
})
