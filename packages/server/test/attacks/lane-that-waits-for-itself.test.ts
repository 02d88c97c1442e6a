// Finding 12: an `Idempotency-Key` that equals the name of a conversation makes a request wait for itself, for ever.
import { expect, test } from 'vitest'
import OpenAI from 'openai'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'

test('a response under the id of its own conversation is answered, and the conversation goes on', async () => {
  const { running } = await gatewayBefore({ answer: 'ok' }, {})
  const client = new OpenAI({ baseURL: `${running.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const { id } = await client.conversations.create()
  const ask = (input: string, key?: string): Promise<string> =>
    client.responses
      .create(
        { model: 'strict', input, conversation: id },
        key === undefined ? {} : { headers: { 'idempotency-key': key } },
      )
      .then(({ output_text }) => output_text)
  expect(await ask('one', id)).toBe('ok')
  expect(await ask('two')).toBe('ok')
  await client.conversations.items.create(id, { items: [{ type: 'message', role: 'user', content: 'three' }] })
  expect(await ask('four', id.replace('conv_', 'conv_x'))).toBe('ok')
})
