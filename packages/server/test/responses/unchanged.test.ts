import fc from 'fast-check'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { items } from './support/random-items.ts'

/** CHATS=1000 for the figure of the record. */
const count = Number(process.env['CHATS'] ?? 40)

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((each) => JSON.stringify(each)),
  fc.constantFrom('12345678901234567890.10', '1e400', '"\\u0061\\ud83d\\ude00"', '{ "a" : [ ] }'),
)
const unknown = fc.dictionary(
  fc.constantFrom('client_metadata', 'top_k', 'x', 'reasoning', 'text', 'service_tier'),
  value,
)

/** The members of a body in any order, each with its JSON. */
const members = fc
  .record(
    {
      input: fc.oneof(
        items({ maxLength: 6 })
          .filter((list) => list.length > 0)
          .map((list) => JSON.stringify(list)),
        fc.string({ minLength: 1 }).map((text) => JSON.stringify(text)),
      ),
      more: unknown,
      instructions: fc.option(fc.constantFrom('"Be brief."', 'null', '""'), { nil: undefined }),
      store: fc.option(fc.constantFrom('true', 'false', 'null'), { nil: undefined }),
      previous_response_id: fc.option(fc.constant('null'), { nil: undefined }),
      tools: fc.option(fc.constantFrom('[]', '[{"type":"web_search"}]', '[ {"type":"function","name":"look"} ]'), {
        nil: undefined,
      }),
      stream: fc.constantFrom('true', 'false'),
    },
    { requiredKeys: ['input', 'more', 'stream'] },
  )
  .chain(({ more, ...own }) =>
    fc.shuffledSubarray(
      Object.entries({ model: '"strict"', ...more, ...own }).filter(([, json]) => json !== undefined),
      {
        minLength: 3,
      },
    ),
  )
  .filter((list) => ['model', 'input'].every((name) => list.some(([own]) => own === name))) as fc.Arbitrary<
  [string, string][]
>
const space = fc.constantFrom('', ' ', '\n  ')

function bodyOf(list: readonly (readonly [string, string])[], gap: string): string {
  return `{${gap}${list.map(([name, json]) => `${JSON.stringify(name)}:${gap}${json}`).join(`${gap},${gap}`)}${gap}}`
}

/** What must reach the upstream: nothing is stored there. */
function expectedOf(list: readonly (readonly [string, string])[], gap: string): string {
  const kept = list.filter(([name]) => name !== 'previous_response_id')
  const body = bodyOf(
    kept.map(([name, json]) => [name, name === 'store' ? 'false' : json] as const),
    gap,
  )
  return kept.some(([name]) => name === 'store') ? body : `${body.slice(0, -1)},"store":false}`
}

const response = {
  id: 'resp_up',
  object: 'response',
  status: 'completed',
  model: 'strict',
  store: false,
  previous_response_id: null,
}
const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'It is lit. 😀' }],
}

const events = [
  { type: 'response.created', response: { ...response, status: 'in_progress' } },
  { type: 'response.output_text.delta', delta: 'It is "response": lit.', odd: 1e21 },
  { type: 'response.odd', payload: { response: 'resp_up' } },
  {
    type: 'response.completed',
    response: { ...response, output: [message], usage: { input_tokens: 5, output_tokens: 2 } },
  },
]

/** An upstream that keeps what it gets, and answers each request in the same bytes. */
async function scribe(): Promise<{ readonly url: string; readonly bodies: string[] }> {
  const bodies: string[] = []
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = []
    incoming
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const text = Buffer.concat(pieces).toString()
        if (incoming.url !== '/v1/responses') return void outgoing.writeHead(404).end()
        if (text === '{}') return void outgoing.writeHead(400).end()
        bodies.push(text)
        const streams = (JSON.parse(text) as { stream?: boolean }).stream === true
        outgoing.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' })
        outgoing.end(streams ? streamed : whole)
      })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies }
}

const streamed = events
  .map(
    (event, number) =>
      `event: ${event.type}\n: a comment\ndata: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`,
  )
  .join('')
const whole = `${JSON.stringify({ ...response, output: [message] }, null, 1)}\n`

test(`${count} random requests that fit reach an upstream byte for byte, except for what is stored here`, async () => {
  const upstream = await scribe()
  const running = await gateway({
    upstreams: [{ url: upstream.url }],
    models: { strict: { window: 1_000_000, reserve: 100 } },
  })
  let [bytes, passed] = [0, 0]
  await fc.assert(
    fc.asyncProperty(members, space, async (list, gap) => {
      const body = bodyOf(list, gap)
      const answer = await request(`${running.url}/v1/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const text = await answer.body.text()
      expect([answer.statusCode, answer.statusCode === 200 ? '' : text]).toEqual([200, ''])
      const [sent, ...others] = upstream.bodies.splice(0)
      expect(others).toEqual([])
      if (list.some(([name]) => name === 'previous_response_id')) {
        const { previous_response_id: _, ...rest } = JSON.parse(body) as Record<string, unknown>
        expect(JSON.parse(sent!)).toEqual({ ...rest, store: false })
        expect(sent).not.toContain('previous_response_id')
        for (const [name, json] of list)
          if (!['store', 'previous_response_id'].includes(name))
            expect(sent).toContain(`${JSON.stringify(name)}:${gap}${json}`)
      } else expect(sent).toBe(expectedOf(list, gap))
      const isStored = answer.headers['minutebook-recorded'] === 'yes'
      expect(isStored).toBe((JSON.parse(body) as { store?: unknown }).store !== false)
      const id = /"id": ?"(resp_[^"]{23,})"/.exec(text)?.[1] ?? ''
      const from = list.some(([name, json]) => name === 'stream' && json === 'true') ? streamed : whole
      const expected = from
        .replaceAll(/"id":( ?)"resp_up"/g, `"id":$1"${id}"`)
        .replaceAll(/"store":( ?)false/g, `"store":$1${isStored}`)
      expect(text).toBe(expected)
      expect(answer.headers['minutebook-omitted']).toBe('0')
      bytes += body.length + text.length
      passed++
    }),
    { numRuns: count },
  )
  console.log(`${passed} random requests as they came, ${bytes} bytes of requests and responses: 0 differences`)
  expect(running.services.metrics.text()).toContain(`minutebook_relays_total{mode="unchanged"} ${passed}\n`)
})
