import { expect, test } from 'vitest'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

interface Told {
  readonly call: { readonly name: string }
  readonly states?: unknown
}

/** A server of two tools: one finds a hypothesis, the other is told of it. */
async function toolServer(): Promise<{ readonly url: string; readonly told: readonly Told[] }> {
  const told: Told[] = []
  const { url } = await plainUpstream((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      told.push(JSON.parse(Buffer.concat(pieces).toString()) as Told)
      response.setHeader('content-type', 'application/json').end('{"claim":"Fewer fields"}')
    })
  })
  return { url, told }
}

test('a tool over HTTP gets the states that it asks for, as of the call', async () => {
  const { url, told } = await toolServer()
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
