import { describe, expect, test } from 'vitest'
import type { ToolConfig } from '../../src/config/config.ts'
import { nativeServer } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const output = { type: 'object', properties: { plant: { type: 'string' } }, required: ['plant'] }
const fern = '{"plant":"fern"}'

describe.each(['ollama', 'openai'] as const)(
  'what a turn asks of its answer, on an upstream that speaks %s',
  (protocol) => {
    const isChat = ({ path }: { readonly path: string }): boolean => path.includes('chat')
    const sampled = (options: object): object => (protocol === 'ollama' ? { options } : options)
    const formed =
      protocol === 'ollama'
        ? { format: output }
        : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: output, strict: false } } }

    test('goes upstream, before what its thread asks, and is in the receipt and in the turn', async () => {
      const { upstream, operator } = await nativeServer({ answer: ['Ferns.', fern, fern] }, {}, protocol)
      const setup = { temperature: 1, stop: ['END'] }
      await operator.ask('POST', '/threads', { thread: 'garden', setup })
      expect((await operator.ask('GET', '/threads/garden')).body['setup']).toEqual(setup)
      await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Well?' } })
      const seen = await operator.stream('POST', '/threads/garden/turns', {
        body: { message: 'And now?', temperature: 0, seed: 7, output },
      })
      await operator.stream('POST', '/threads/garden/retry')
      const [usual, asked, again] = upstream.requests.filter(isChat).map(({ json }) => json)
      expect(usual).toMatchObject(sampled({ temperature: 1, stop: ['END'] }))
      for (const json of [asked, again])
        expect(json).toMatchObject({ ...sampled({ temperature: 0, seed: 7, stop: ['END'] }), ...formed })
      const turn = seen.at(-1)?.data['turn'] as string
      expect((await operator.ask('GET', `/threads/garden/turns/${turn}`)).body).toMatchObject({
        text: fern,
        output: { plant: 'fern' },
      })
      const { receipts } = (await operator.ask('GET', '/threads/garden/receipts')).body as { receipts: object[] }
      expect(receipts.at(-1)).toMatchObject({
        options: { temperature: 0, seed: 7, stop: ['END'], output: { sent: true } },
      })
      expect((await operator.ask('GET', '/threads/garden/verify')).body).toMatchObject({ ok: true })
    })

    test('with tools: the form goes out with a second call, and tools get the context', async () => {
      const heard: unknown[] = []
      const server = await plainUpstream((request, response) => {
        let text = ''
        request.on('data', (piece: Buffer) => (text += piece.toString()))
        request.on('end', () => {
          heard.push((JSON.parse(text) as { context?: unknown }).context)
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"sky":"clear"}')
        })
      })
      const weather: ToolConfig = { name: 'weather', parameters: { type: 'object' }, url: server.url }
      const { upstream, operator } = await nativeServer(
        { answer: [{ calls: [{ name: 'weather' }] }, 'Ferns.', fern] },
        { tools: [weather] },
        protocol,
      )
      await operator.ask('POST', '/threads', { thread: 'garden', setup: { tools: ['weather'], output } })
      const seen = await operator.stream('POST', '/threads/garden/turns', {
        body: { message: 'Well?', context: { user: 'ann' } },
      })
      expect(seen.at(-1)?.data).toMatchObject({ status: 'complete' })
      expect(JSON.stringify(seen)).not.toContain('Ferns')
      expect(heard).toEqual([{ user: 'ann' }])
      const [first, second, third] = upstream.requests.filter(isChat).map(({ json }) => json)
      for (const json of [first, second]) expect(json).not.toMatchObject(formed)
      expect(third).toMatchObject({ ...formed, ...(protocol === 'openai' && { tool_choice: 'none' }) })
      const { receipts } = (await operator.ask('GET', '/threads/garden/receipts')).body as { receipts: object[] }
      expect(receipts).toMatchObject([
        { outcome: expect.any(String) as string },
        { outcome: 'unfit' },
        { outcome: 'stop' },
      ])
    })
  },
)

test('what is of no use is refused with the name of the field, and nothing is recorded', async () => {
  const { operator } = await nativeServer()
  await operator.ask('POST', '/threads', { thread: 'garden' })
  let deep: object = {}
  for (let level = 0; level < 600; level++) deep = { deep }
  const bad: Readonly<Record<string, readonly unknown[]>> = {
    temperature: [-0.1, 2.1, '0', null],
    seed: [1.5, 2 ** 53, '7'],
    stop: ['END', [''], ['x'.repeat(257)], Array.from({ length: 17 }, String)],
    output: ['object', [], { description: 'x'.repeat(65_536) }, deep],
    context: ['x'.repeat(16_384), deep],
    tool_choice: ['none'],
  }
  for (const [field, values] of Object.entries(bad))
    for (const value of values) {
      const sent = await operator.ask('POST', '/threads/garden/turns', { message: 'Hi', [field]: value })
      expect([sent.status, JSON.stringify(sent.body)]).toEqual([400, expect.stringContaining(field) as string])
      if (field === 'context') continue
      const setup = await operator.ask('PUT', '/threads/garden/setup', { [field]: value })
      expect([setup.status, JSON.stringify(setup.body)]).toEqual([400, expect.stringContaining(field) as string])
    }
  expect((await operator.ask('GET', '/threads/garden/entries')).body['entries']).toEqual([])
})
