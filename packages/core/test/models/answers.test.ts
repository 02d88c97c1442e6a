import fc from 'fast-check'
import { compile, type Message, type ModelEvent, type ToolSchema } from 'minutebook'
import { dot, picture, system, user } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import { canonicalJson } from '../../src/log/json.ts'
import { conversation } from '../../../../tests/support/arbitrary.ts'
import { cases } from '../../../../tests/support/runs.ts'
import { listen, requestOf, textOf, wires } from '../../../../tests/support/wires.ts'

const tools: ToolSchema[] = [
  {
    type: 'function',
    function: {
      name: 'now',
      description: 'The time.',
      parameters: { type: 'object', properties: { zone: { type: 'string' } } },
    },
  },
]
const difficult = 'Grüße, 世界 👩‍💻! "quoted" \\ and\nlines\u2028\u0000 end'

let spies: MockInstance[] = []
beforeEach(() => {
  spies = (['log', 'warn', 'error', 'info', 'debug'] as const).map((name) => vi.spyOn(console, name))
})
afterEach(() => {
  for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

describe.each(wires)('an answer through the client of $wire', ({ wire, encode, connect }) => {
  const ends = (events: readonly ModelEvent[]): unknown => events.at(-1)

  test('the text comes piece by piece, then the whole message with the counts', async () => {
    await using upstream = await strictUpstream({ answer: 'Hello to you.' })
    const model = connect(upstream.url)
    const { events } = await listen(model(requestOf([user('Hello, who are you?')])))
    expect(events).toEqual([
      { type: 'text', text: 'Hello ' },
      { type: 'text', text: 'to ' },
      { type: 'text', text: 'you.' },
      {
        type: 'end',
        message: { role: 'assistant', content: 'Hello to you.' },
        finish: 'stop',
        usage: { prompt: 4, completion: 3, ...(wire === 'ollama' && { seconds: 0.001 }) },
      },
    ])
    expect([model.wire, model.model]).toEqual([wire, 'strict'])
    expect(upstream.requests).toHaveLength(1)
    expect(upstream.requests[0]).toMatchObject({ status: 200, aborted: false })
  })

  test('thoughts', async () => {
    await using upstream = await strictUpstream({ answer: { reasoning: 'Hm, well.', text: 'Yes.' } })
    const heard = await listen(connect(upstream.url)(requestOf([user('Is it?')])))
    expect(heard.events.slice(0, -1)).toEqual([
      { type: 'reasoning', text: 'Hm, ' },
      { type: 'reasoning', text: 'well.' },
      { type: 'text', text: 'Yes.' },
    ])
    expect(ends(heard.events)).toMatchObject({
      message: { content: 'Yes.', [wire === 'ollama' ? 'thinking' : 'reasoning_content']: 'Hm, well.' },
    })
  })

  test('calls, their results, and the answer to them: all of it in shapes that a strict server takes', async () => {
    await using upstream = await strictUpstream({
      answer: [{ text: 'Let me see.', calls: [{ name: 'now', arguments: { zone: 'UTC' } }, { name: 'now' }] }, 'Noon.'],
    })
    const model = connect(upstream.url)
    const asked = [system('Be brief.'), user('What time is it?')]
    const first = (await listen(model(requestOf(asked, { tools })))).events.at(-1)
    if (first?.type !== 'end') throw new Error('There is no end.')
    expect(first.finish).toBe('calls')
    const results = compile([...asked, first.message, { role: 'tool', content: '12:00', tool_name: 'now' }], {
      window: 4096,
    }).messages
    const second = await listen(model(requestOf(encode(results), { tools })))
    expect(textOf(second)).toBe('Noon.')
    expect(upstream.requests.map(({ status }) => status)).toEqual([200, 200])
    expect(upstream.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
    ])
  })

  test('no counts', async () => {
    await using upstream = await strictUpstream({ usage: false })
    expect((await listen(connect(upstream.url)(requestOf([user('a')])))).events.at(-1)).not.toHaveProperty('usage')
  })

  test('what extra names goes with every call', async () => {
    await using upstream = await strictUpstream()
    await listen(
      connect(upstream.url, {
        extra: { temperature: 0.5, keep_alive: '5m', think: false, format: 'json', own: { a: 1 } },
      })(requestOf([user('a')])),
    )
    expect(upstream.requests[0]?.json).toMatchObject({
      model: 'strict',
      stream: true,
      temperature: 0.5,
      keep_alive: '5m',
      think: false,
      format: 'json',
      own: { a: 1 },
    })
    expect(upstream.requests[0]?.json).not.toHaveProperty('tools')
    expect(upstream.requests[0]?.json).not.toHaveProperty('extra')
  })

  test.each(['model', 'messages', 'stream', 'tools'])('extra cannot set %s', (name) => {
    const failed = (): unknown => connect('http://localhost', { extra: { [name]: undefined } })
    expect(failed).toThrow(expect.objectContaining({ code: 'reserved_field', details: { name } }))
    expect(failed).toThrow(`extra.${name}`)
  })

  test.each([1, 2, 3, 5, 7, 11, 13, 17, 23, 31, 64, 101])(
    'a body that is split every %i bytes is the same answer',
    async (split) => {
      await using upstream = await strictUpstream({
        answer: {
          reasoning: '思考 …',
          text: difficult,
          calls: [{ id: 'c1', name: 'now', arguments: { zone: 'Zürich 🏔️' } }],
        },
        split,
      })
      const { events } = await listen(connect(upstream.url)(requestOf([user('a')])))
      expect(textOf({ events })).toBe(difficult)
      expect(JSON.stringify(ends(events))).toContain('Zürich 🏔️')
      expect(ends(events)).toMatchObject({ message: { content: difficult }, finish: 'calls' })
    },
  )

  test('the server receives exactly the messages and tools that the model was given', async () => {
    await using upstream = await strictUpstream()
    const model = connect(upstream.url)
    const property = fc.asyncProperty(conversation, fc.boolean(), async (messages, withTools) => {
      const pictures: Message[] = [
        ...messages,
        picture(difficult, dot),
        { role: 'assistant', content: '\ud800' },
        user('And now?'),
      ]
      const prompt = encode(compile(pictures, { window: 100_000 }).messages)
      const before = canonicalJson(prompt)
      const { error } = await listen(model(requestOf(prompt, { tools: withTools ? tools : [] })))
      expect(error).toBeUndefined()
      const request = upstream.requests.at(-1)
      expect(canonicalJson(request?.messages)).toBe(before)
      expect(canonicalJson(request?.tools)).toBe(canonicalJson(withTools ? tools : []))
      expect(canonicalJson(prompt)).toBe(before)
      expect(Buffer.from(request!.bytes).toString('utf8')).toBe(request!.text)
    })
    await fc.assert(property, { numRuns: cases('few') })
  })
})
