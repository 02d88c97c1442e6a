import { setTimeout as after } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { within } from '../../../../tests/support/patience.ts'
import { apiDocument } from '../../src/api/document.ts'
import { streamEvent } from '../../src/api/schema/event.ts'
import { nativeServer, native, shownBy, type Native, type Seen } from '../../../../tests/support/server/native.ts'
import { deferred } from '../../../../tests/support/deferred.ts'

async function garden(operator: Native, setup: object = {}): Promise<void> {
  expect((await operator.ask('POST', '/threads', { thread: 'garden', setup })).status).toBe(201)
}

/** Every event is as the document says. */
function asDocumented(seen: readonly Seen[]): readonly Seen[] {
  for (const event of seen) expect(streamEvent.parse(event)).toEqual(event)
  return seen
}

const said = (seen: readonly Seen[]): readonly string[] => shownBy(asDocumented(seen)).entries
const isEnd = ({ event }: Seen): boolean => event === 'end'
const entriesOf = async (operator: Native): Promise<string[]> =>
  ((await operator.ask('GET', '/threads/garden/entries')).body['entries'] as { kind: string; text: string }[]).map(
    ({ kind, text }) => `${kind}: ${text}`,
  )

describe.each(['ollama', 'openai'] as const)('a turn on an upstream that speaks %s', (protocol) => {
  test('is recorded, run by a worker and told as a stream', async () => {
    const { upstream, operator } = await nativeServer({}, {}, protocol)
    await garden(operator, { system: 'You help.' })
    upstream.next({ answer: 'Ferns like the shade.' })
    const seen = await operator.stream('POST', '/threads/garden/turns', {
      body: { message: 'What grows in the shade?', id: 'a' },
    })
    expect(seen.map(({ event }) => event).filter((event, index, all) => event !== all[index - 1])).toEqual([
      'recorded',
      'entry',
      'text',
      'entry',
      'end',
    ])
    expect(said(seen)).toEqual(['user: What grows in the shade?', 'assistant: Ferns like the shade.'])
    expect(seen.at(-1)?.data).toMatchObject({ status: 'complete', turn: seen[0]?.data['turn'] as string })
    const [chat] = upstream.requests.filter(({ path }) => path.includes('chat'))
    expect(chat?.messages.map(({ role, content }) => `${role}: ${String(content)}`)).toEqual([
      'system: You help.',
      'user: What grows in the shade?',
    ])
    const { body } = await operator.ask('GET', '/threads/garden/receipts')
    expect(body['receipts']).toMatchObject([
      { outcome: 'stop', tokens: { reported: { prompt: expect.any(Number) as number } } },
    ])
  })

  test.each([[{ split: 1 }], [{ split: 7 }], [{ whole: true }]])(
    'is the same however the answer comes: %j',
    async (fault) => {
      const { upstream, operator } = await nativeServer({}, {}, protocol)
      await garden(operator)
      upstream.next({ ...fault, answer: 'Größe, 漢字, 🌿 and more.' })
      expect(said(await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Well?' } }))).toEqual([
        'user: Well?',
        'assistant: Größe, 漢字, 🌿 and more.',
      ])
    },
  )

  test.each([
    ['a refusal', { failWith: 400 }, 'model_refused'],
    ['an error', { failWith: 500 }, 'model_error'],
    ['an error midway', { errorAfter: 1 }, 'model_error'],
    ['a connection that breaks', { abortAfter: 1 }, 'model_cut'],
    ['an answer that ends too soon', { endAfter: 1 }, 'model_cut'],
  ] as const)('ends as failed with %s, and can be tried again', async (_, fault, code) => {
    const { upstream, operator } = await nativeServer({}, {}, protocol)
    await garden(operator)
    upstream.next({ ...fault, answer: 'one two three' })
    const seen = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Well?' } })
    expect(seen.at(-1)?.data).toMatchObject({ status: 'failed', reason: { code } })
    expect(upstream.requests.at(-1)?.path).toBe(protocol === 'ollama' ? '/api/chat' : '/v1/chat/completions')
    upstream.next({ answer: 'Better.' })
    const again = await operator.stream('POST', '/threads/garden/retry')
    expect(again.at(-1)?.data).toMatchObject({ status: 'complete' })
    expect((await entriesOf(operator)).at(-1)).toBe('assistant: Better.')
  })
})

test('a disconnect is not a stop, and a position resumes without loss or doubling', async () => {
  const { operator } = await nativeServer({ answer: 'one two three four five six seven eight', delay: 40 })
  await garden(operator)
  const first = await operator.stream('POST', '/threads/garden/turns', {
    body: { message: 'Count.' },
    until: ({ event, data }) => event === 'text' && String(data['text']).includes('three'),
  })
  const { id = '' } = first.at(-1)!
  const rest = await operator.stream('GET', `/threads/garden/stream?from=${id}&until=rest`)
  const both = [...first, ...rest]
  const text = both
    .filter(({ event }) => event === 'text')
    .reduce((whole, { data }) => whole.slice(0, data['offset'] as number) + String(data['text']), '')
  expect(text).toBe('one two three four five six seven eight')
  expect(both.filter(({ event }) => event === 'entry').map(({ data }) => data['kind'] as string)).toEqual([
    'user',
    'assistant',
  ])
  const byHeader = await operator.stream('GET', '/threads/garden/stream?until=rest', {
    headers: { 'last-event-id': id },
  })
  expect(byHeader.filter(({ event }) => event === 'entry').length).toBe(1)
})

test('whoever comes without a position sees the turn that runs from its question on', async () => {
  const seen = deferred<void>()
  const { operator } = await nativeServer({
    answer: 'one two three four five',
    pauseAfter: { chunks: 2, until: seen.promise },
  })
  await garden(operator)
  expect((await operator.ask('POST', '/threads/garden/turns', { message: 'Count.' })).status).toBe(202)
  const stream = await operator.stream('GET', '/threads/garden/stream', {
    until: (event) => {
      if (event.event === 'text') seen.resolve()
      return isEnd(event)
    },
  })
  expect(said(stream)).toEqual(['user: Count.', 'assistant: one two three four five'])
})

test('an id says a message once, whoever sends it how often', async () => {
  const { operator, upstream } = await nativeServer({ answer: 'Yes.', delay: 20 })
  await garden(operator)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => operator.ask('POST', '/threads/garden/turns', { message: 'Is it?', id: 'x' })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  await operator.stream('GET', '/threads/garden/stream?until=rest')
  const late = await operator.ask('POST', '/threads/garden/turns', { message: 'Is it?', id: 'x' })
  expect(late).toMatchObject({ status: 202, body: { status: 'complete', text: 'Yes.' } })
  expect(await entriesOf(operator)).toEqual(['user: Is it?', 'assistant: Yes.'])
  expect(upstream.requests.filter(({ path }) => path === '/api/chat').length).toBe(1)
  expect(await operator.ask('POST', '/threads/garden/turns', { message: 'Other words', id: 'x' })).toMatchObject({
    status: 409,
    body: { error: { code: 'id_taken' } },
  })
})

test('while a turn runs, a message is refused, waits or interrupts', async () => {
  const { operator, upstream } = await nativeServer({ answer: 'ok' })
  await garden(operator)
  upstream.next({ answer: 'one two three', stallAfter: 2 })
  expect((await operator.ask('POST', '/threads/garden/turns', { message: 'First.' })).body).toMatchObject({
    status: 'running',
  })
  expect(await operator.ask('POST', '/threads/garden/turns', { message: 'Second.' })).toMatchObject({
    status: 409,
    body: { error: { code: 'busy' } },
  })
  const waits = await operator.ask('POST', '/threads/garden/turns', { message: 'Third.', ifBusy: 'queue' })
  expect(waits).toMatchObject({
    status: 202,
    body: { status: 'queued', turn: null, pending: expect.any(String) as string },
  })
  const seen = await operator.stream('POST', '/threads/garden/turns', {
    body: { message: 'Fourth.', ifBusy: 'interrupt' },
  })
  expect(seen.at(-1)?.data).toMatchObject({ status: 'complete' })
  await operator.stream('GET', '/threads/garden/stream?until=rest')
  const entries = await entriesOf(operator)
  expect(entries.filter((entry) => entry.startsWith('user')).toSorted()).toEqual([
    'user: First.',
    'user: Fourth.',
    'user: Third.',
  ])
  expect(entries.some((entry) => entry.startsWith('stop'))).toBe(true)
})

test('a stream until rest goes on while something waits', async () => {
  const { operator } = await nativeServer({ answer: 'one two three', delay: 30 })
  await garden(operator)
  await operator.ask('POST', '/threads/garden/turns', { message: 'First.' })
  await operator.ask('POST', '/threads/garden/turns', { message: 'Second.', ifBusy: 'queue' })
  const seen = await operator.stream('GET', '/threads/garden/stream?from=0.0.0&until=rest')
  expect(said(seen)).toEqual(['user: First.', 'assistant: one two three', 'user: Second.', 'assistant: one two three'])
  expect(seen.filter(isEnd).length).toBe(2)
})

test('whoever asks only for the head of a stream follows nothing', async () => {
  const { operator, running } = await nativeServer()
  await garden(operator)
  const response = await fetch(`${running.url}/minutebook/v1/threads/garden/stream`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${running.token}` },
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await (await fetch(`${running.url}/metrics`)).text()).not.toMatch(/minutebook_streams_open [1-9]/)
})

describe('the model of a turn', () => {
  test('is the only one that the upstreams have, where nobody names one', async () => {
    const { operator, upstream } = await nativeServer({ answer: 'ok', models: ['lonely'] }, { defaultModel: undefined })
    await garden(operator)
    await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Hi' } })
    expect(upstream.requests.at(-1)?.json).toMatchObject({ model: 'lonely' })
  })

  test('must be named where there are several', async () => {
    const { operator } = await nativeServer({ models: ['one', 'two'] }, { defaultModel: undefined })
    await garden(operator)
    expect(await operator.ask('POST', '/threads/garden/turns', { message: 'Hi' })).toMatchObject({
      status: 400,
      body: { error: { code: 'no_model' } },
    })
  })

  test('must be one that an upstream has', async () => {
    const { upstream } = await nativeServer()
    const { operator } = await nativeServer(
      {},
      { upstreams: [{ url: upstream.url, models: ['one'] }], defaultModel: 'one' },
    )
    await garden(operator)
    expect(await operator.ask('POST', '/threads/garden/turns', { message: 'Hi', model: 'two' })).toMatchObject({
      status: 400,
      body: { error: { code: 'unknown_model' } },
    })
    expect((await operator.ask('GET', '/threads/garden')).body['setup']).toEqual({})
  })
})

test('a message of text and images reaches the model as its protocol has it', async () => {
  const { operator, upstream } = await nativeServer({ answer: 'A dot.' })
  await garden(operator)
  const url = 'data:image/png;base64,iVBORw0KGgo='
  const seen = await operator.stream('POST', '/threads/garden/turns', {
    body: {
      message: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url } },
      ],
    },
  })
  expect(upstream.requests.at(-1)?.messages).toMatchObject([
    { role: 'user', content: 'What is this?', images: ['iVBORw0KGgo='] },
  ])
  expect(seen.find(({ event }) => event === 'entry')?.data['images']).toBe(1)
})

test('cancel ends the turn that runs, whoever asks', async () => {
  const { operator, upstream, running } = await nativeServer()
  await garden(operator)
  upstream.next({ answer: 'one two three', stallAfter: 2 })
  const following = operator.stream('POST', '/threads/garden/turns', { body: { message: 'Count.' } })
  while (!(await operator.ask('GET', '/threads/garden')).body['head']) await after(20)
  const app = native(running.url, '')
  expect((await app.ask('POST', '/threads/garden/cancel')).body).toEqual({ cancelled: true })
  expect((await following).at(-1)?.data).toMatchObject({ status: 'cancelled', reason: { code: 'cancelled' } })
  expect((await app.ask('POST', '/threads/garden/cancel')).body).toEqual({ cancelled: false })
})

test('an edited message makes a branch', async () => {
  const { operator } = await nativeServer({ answer: 'ok' })
  await garden(operator)
  await operator.stream('POST', '/threads/garden/turns', { body: { message: 'One' } })
  const seen = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Another one', after: null } })
  expect(said(seen)).toEqual(['user: Another one', 'assistant: ok'])
  const { body } = await operator.ask('GET', '/threads/garden/entries')
  expect(body['branches']).toHaveLength(2)
})

test.each([0, 1])(
  'an upstream that falls silent after %i chunks does not hold its slot for ever',
  async (stallAfter) => {
    const { upstream, operator } = await nativeServer({}, { callTimeout: within(5000), slots: 1 })
    await garden(operator)
    upstream.next({ stallAfter, answer: 'one two three' })
    const seen = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Well?' } })
    expect(seen.at(-1)?.data).toMatchObject({ status: 'failed', reason: { code: 'model_late' } })
    upstream.next({ answer: 'Better.' })
    expect((await operator.stream('POST', '/threads/garden/retry')).at(-1)?.data).toMatchObject({ status: 'complete' })
  },
)

test('a setup decides model, system and window; a turn may change the model from then on', async () => {
  const { operator, upstream } = await nativeServer({ answer: 'ok', models: ['strict', 'other'] }, {})
  await garden(operator, { model: 'strict', system: 'Be brief.', window: 512 })
  await operator.stream('POST', '/threads/garden/turns', { body: { message: 'One' } })
  await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Two', model: 'other' } })
  await operator.stream('POST', '/threads/garden/turns', { body: { message: 'Three' } })
  const chats = upstream.requests
    .filter(({ path }) => path === '/api/chat')
    .map(({ json }) => json as { model: string; options: { num_ctx: number } })
  expect(chats.map(({ model, options }) => [model, options.num_ctx])).toEqual([
    ['strict', 512],
    ['other', 512],
    ['other', 512],
  ])
  expect((await operator.ask('GET', '/threads/garden')).body['setup']).toEqual({
    model: 'other',
    system: 'Be brief.',
    window: 512,
  })
})

test('a setup that comes back is the newest one again', async () => {
  const { operator } = await nativeServer()
  await garden(operator, { system: 'A' })
  await operator.ask('PUT', '/threads/garden/setup', { system: 'B' })
  await operator.ask('PUT', '/threads/garden/setup', { system: 'A' })
  expect((await operator.ask('GET', '/threads/garden')).body['setup']).toEqual({ system: 'A' })
})

test('a fork goes on under the same setup, and what was erased is in neither', async () => {
  const { operator, upstream } = await nativeServer({ answer: 'ok' })
  await garden(operator, { system: 'Be brief.' })
  await operator.stream('POST', '/threads/garden/turns', { body: { message: 'canary-harbour' } })
  expect((await operator.ask('POST', '/threads/garden/fork', { as: 'copy' })).status).toBe(201)
  await operator.stream('POST', '/threads/copy/turns', { body: { message: 'And now?' } })
  expect(upstream.requests.at(-1)?.messages.map(({ content }) => content)).toEqual([
    'Be brief.',
    'canary-harbour',
    'ok',
    'And now?',
  ])
  for (const thread of ['garden', 'copy']) {
    const { body } = await operator.ask('POST', `/threads/${thread}/erase`, {})
    expect(body).toMatchObject({
      thread,
      erased: expect.arrayContaining([expect.any(String)]) as unknown,
      remains: expect.any(Array) as unknown,
    })
    expect((await operator.ask('GET', `/threads/${thread}/export`)).body['text']).not.toContain('harbour')
    expect((await operator.ask('GET', `/threads/${thread}/verify`)).body['ok']).toBe(true)
  }
  expect((await operator.ask('GET', '/search?query=canary')).body).toEqual({ found: [] })
})

describe('what is refused has a code, a reason and a fix', () => {
  const cases: readonly (readonly [
    name: string,
    method: string,
    path: string,
    body: unknown,
    status: number,
    code: string,
  ])[] = [
    ['an unknown thread', 'POST', '/threads/nowhere/turns', { message: 'x' }, 404, 'unknown_thread'],
    ['our own records', 'GET', '/threads/~bWludXRlYm9vazprZXlz', undefined, 404, 'unknown_thread'],
    ['a name of our own', 'POST', '/threads', { thread: 'minutebook:keys' }, 400, 'invalid_thread'],
    ['a name of a participant', 'POST', '/threads', { thread: 'run/stand/ann' }, 400, 'invalid_thread'],
    ['a thread that is there', 'POST', '/threads', { thread: 'garden' }, 409, 'thread_exists'],
    ['no message', 'POST', '/threads/garden/turns', {}, 400, 'invalid_request'],
    ['an unknown field', 'POST', '/threads/garden/turns', { message: 'x', modle: 'y' }, 400, 'invalid_request'],
    [
      'an image by its address',
      'POST',
      '/threads/garden/turns',
      { message: [{ type: 'image_url', image_url: { url: 'http://169.254.169.254/' } }] },
      400,
      'invalid_request',
    ],
    ['an unknown entry', 'POST', '/threads/garden/turns', { message: 'x', after: 'nothing' }, 404, 'unknown_entry'],
    ['an unknown tool', 'PUT', '/threads/garden/setup', { tools: ['nothing'] }, 400, 'unknown_tool'],
    ['an unknown policy', 'POST', '/threads/garden/turns', { message: 'x', policy: 'nothing' }, 404, 'unknown_policy'],
    ['an unknown state', 'GET', '/threads/garden/state/nothing', undefined, 404, 'unknown_state'],
    ['no turn to answer again', 'POST', '/threads/garden/retry', undefined, 409, 'nothing_to_answer'],
    ['a position that is none', 'GET', '/threads/garden/stream?from=here', undefined, 400, 'invalid_position'],
    ['a limit that is none', 'GET', '/threads?limit=lots', undefined, 400, 'invalid_request'],
    ['what is not JSON', 'POST', '/threads/garden/turns', '{', 400, 'invalid_json'],
    ['an unknown turn', 'GET', '/threads/garden/turns/nothing', undefined, 404, 'unknown_turn'],
    ['no call', 'GET', '/threads/garden/dump', undefined, 404, 'no_calls'],
    ['nothing there', 'GET', '/chats', undefined, 404, 'not_found'],
    ['another method', 'DELETE', '/threads/garden/entries', undefined, 405, 'wrong_method'],
    ['a policy of the presets', 'PUT', '/policies/tiered', { preset: 'default' }, 409, 'policy_taken'],
  ]
  test('each in its way', async () => {
    const { operator } = await nativeServer()
    await garden(operator)
    for (const [name, method, path, body, status, code] of cases) {
      const answer = await operator.ask(method, path, body)
      expect({ name, status: answer.status, body: answer.body }).toEqual({
        name,
        status,
        body: {
          error: {
            code,
            message: expect.stringMatching(/^[A-Z].*\.$/) as string,
            fix: expect.stringMatching(/^[A-Z].*\.$/) as string,
          },
        },
      })
      if (code !== 'not_found' && code !== 'wrong_method')
        expect([name, codesOf(method, path)]).toEqual([name, expect.arrayContaining([code])])
    }
    expect(
      await operator.ask('POST', '/threads/garden/turns', 'message=x', {
        'content-type': 'application/x-www-form-urlencoded',
      }),
    ).toMatchObject({ status: 415, body: { error: { code: 'wrong_media_type' } } })
  })
})

/** Every error that the document knows of whatever stands at a path. */
function codesOf(method: string, path: string): readonly string[] {
  const { responses } = Object.entries(apiDocument().paths).flatMap(([template, operations]) => {
    const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)
    const found = operations[method.toLowerCase()] as
      | {
          readonly responses: Readonly<
            Record<string, { readonly content?: Readonly<Record<string, { readonly examples?: object }>> }>
          >
        }
      | undefined
    return found && pattern.test(`/minutebook/v1${path.split('?', 1)[0]}`) ? [found] : []
  })[0]!
  return Object.values(responses).flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {}))
}
