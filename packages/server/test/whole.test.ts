import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { gatewayBefore } from '../../../tests/support/server/gateway.ts'

const ask = [{ role: 'user' as const, content: 'Which lamp is on?' }]

test('a server that nobody configured records chats of both clients, and shows them to its operator', async () => {
  const { upstream, running } = await gatewayBefore({ answer: 'The red one.' })
  let streamed = ''
  for await (const { message } of await new Ollama({ host: running.url }).chat({
    model: 'strict',
    messages: ask,
    stream: true,
  }))
    streamed += message.content
  expect(streamed).toBe('The red one.')
  const {
    choices: [choice],
  } = await new OpenAI({ baseURL: `${running.url}/v1`, apiKey: 'x' }).chat.completions.create({
    model: 'strict',
    messages: ask,
  })
  expect(choice?.message.content).toBe('The red one.')
  expect(upstream.requests.filter(({ messages }) => messages.length > 0).length).toBe(2)
  const response = await fetch(`${running.url}/minutebook/v1/threads`, {
    headers: { authorization: `Bearer ${running.token}` },
  })
  expect(await response.json()).toMatchObject({ threads: [{}, {}] })
  const metrics = running.services.metrics.text()
  expect(metrics).toContain('minutebook_relays_total{mode="unchanged"} 2')
  expect(metrics).toContain('minutebook_unrecorded_total 0')
})
