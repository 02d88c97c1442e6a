import { expect, test } from 'vitest'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'
import { toolServer } from '../../../../tests/support/server/raw.ts'

interface Told {
  readonly call: { readonly name: string }
  readonly states?: unknown
}

test('a tool over HTTP gets the states that it asks for, as of the call', async () => {
  // Two tools: one finds a hypothesis, the other is told of it.
  const { url, told } = await toolServer<Told>({ claim: 'Fewer fields' })
  const parameters = { type: 'object', properties: {} }
  const { running } = await gatewayBefore(
    {
      answer: ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ name: String(messages.at(-1)?.content) }] },
    },
    {
      defaultModel: 'strict',
      tools: [
        { name: 'generate', parameters, url },
        { name: 'create', parameters, url, states: ['hypothesis'] },
      ],
      states: [{ name: 'hypothesis', tools: ['generate'], schema: { type: 'object', required: ['claim'] } }],
    },
  )
  const client = native(running.url, 'none')
  await client.ask('POST', '/threads', { thread: 't', setup: { tools: ['generate', 'create'] } })
  for (const message of ['create', 'generate', 'create'])
    await client.stream('POST', '/threads/t/turns', { body: { message } })
  expect(told.map(({ call, states }) => [call.name, states])).toEqual([
    ['create', { hypothesis: null }],
    ['generate', undefined],
    ['create', { hypothesis: { claim: 'Fewer fields' } }],
  ])
})
