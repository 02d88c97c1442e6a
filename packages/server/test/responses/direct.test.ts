import type { ResponseInput, ResponseInputItem } from 'openai/resources/responses/responses'
import { describe, expect, test } from 'vitest'
import { strictUpstream, type StrictUpstreamOptions } from '@minutebook/testing/server'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import type { Config } from '../../src/index.ts'
import { keyOf, secretOf } from '../abuse/support/keys.ts'
import { clientOf, failure, given, seat, threadsOf, type Seat } from './support/client.ts'

const include: 'reasoning.encrypted_content'[] = ['reasoning.encrypted_content']

/** A server before an upstream that serves Responses itself. */
function direct(upstream: StrictUpstreamOptions = {}, settings: Partial<Config> = {}): Promise<Seat> {
  return seat({ responses: true, ...upstream }, settings)
}

/** The requests for a response that the upstream got, without the question whether it has any. */
function asked({ upstream }: Pick<Seat, 'upstream'>): readonly Readonly<Record<string, unknown>>[] {
  return upstream.requests
    .filter(({ path, text }) => path === '/v1/responses' && text !== '{}')
    .map(({ json }) => json as Readonly<Record<string, unknown>>)
}

describe.each([
  ['whole', false],
  ['as a stream', true],
])('a response that the upstream makes, %s', (_, streams) => {
  test('has our id, can be retrieved, and goes on by its id alone', async () => {
    const at = await direct({ answer: ['It is lit.', 'At six.'] })
    const first = await given(at.client, { model: 'strict', input: 'Is the lamp lit?' }, streams)
    expect(first.response).toMatchObject({ output_text: 'It is lit.', store: true, previous_response_id: null })
    expect(first.response.id).toMatch(/^resp_.{22}[-_]/)
    const { id } = first.response
    const next = await given(
      at.client,
      { model: 'strict', input: 'Since when?', previous_response_id: id, instructions: 'Be brief.' },
      streams,
    )
    expect(next.response).toMatchObject({ output_text: 'At six.', previous_response_id: id })
    const [one, two] = asked(at)
    expect(one).toEqual({ model: 'strict', input: 'Is the lamp lit?', store: false, ...(streams && { stream: true }) })
    expect(two).toEqual({
      model: 'strict',
      instructions: 'Be brief.',
      store: false,
      input: [
        { role: 'user', content: 'Is the lamp lit?' },
        { ...first.response.output[0] },
        { role: 'user', content: 'Since when?' },
      ],
      ...(streams && { stream: true }),
    })
    const kept = await at.client.responses.retrieve(next.response.id)
    expect(kept).toMatchObject({ id: next.response.id, output: next.response.output, status: 'completed' })
    expect(kept.usage).toMatchObject({ input_tokens: next.response.usage?.input_tokens })
    const items = await at.client.responses.inputItems.list(next.response.id)
    expect(items.data).toMatchObject([{ role: 'user', content: [{ text: 'Since when?' }] }])
    expect(at.upstream.requests.filter(({ path }) => path === '/v1/chat/completions')).toEqual([])
    const [thread, ...others] = await threadsOf(at.running)
    expect(others).toEqual([])
    expect(await at.running.services.stores.of('default').book.thread(thread!).verify()).toMatchObject({ ok: true })
  })

  test('goes on in its conversation', async () => {
    const at = await direct({ answer: ['one', 'two'] })
    const { id: conversation } = await at.client.conversations.create({
      items: [{ role: 'user', content: 'I am Ann.' }],
    })
    await given(at.client, { model: 'strict', input: 'first', conversation }, streams)
    const { response } = await given(at.client, { model: 'strict', input: 'second', conversation }, streams)
    expect(response).toMatchObject({ output_text: 'two', conversation: { id: conversation } })
    expect(asked(at)[1]).toMatchObject({
      input: [
        { role: 'user', content: 'I am Ann.' },
        { role: 'user', content: 'first' },
        { role: 'assistant', id: 'msg_0_0' },
        { role: 'user', content: 'second' },
      ],
    })
    const { data } = await at.client.conversations.items.list(conversation, { order: 'asc' })
    expect(data.map((item) => item.type)).toEqual(['message', 'message', 'message', 'message', 'message'])
  })

  test('keeps sealed reasoning together with the call that it led to', async () => {
    const at = await direct({
      answer: [{ reasoning: 'I need the time', calls: [{ name: 'now', id: 'c1' }] }, 'It is noon.', 'Still noon.'],
    })
    const tools = [{ type: 'function' as const, name: 'now', parameters: {}, strict: null }]
    const params = { model: 'strict', tools, include }
    const first = await given(at.client, { ...params, input: 'When?' }, streams)
    const output = { type: 'function_call_output', call_id: 'c1', output: '12:00' } as const
    const chain = { ...params, input: [output], previous_response_id: first.response.id }
    const next = await given(at.client, chain, streams)
    expect(next.response.output_text).toBe('It is noon.')
    expect(asked(at)[1]!['input']).toEqual([{ role: 'user', content: 'When?' }, ...first.response.output, output])
    // The same client may also send everything itself.
    const all = [{ role: 'user', content: 'When?' }, ...first.response.output, output] as ResponseInput
    const again = await given(
      at.client,
      { ...params, input: [...all, ...(next.response.output as ResponseInput), { role: 'user', content: 'And now?' }] },
      streams,
    )
    expect(again.response.output_text).toBe('Still noon.')
    expect(await threadsOf(at.running)).toHaveLength(1)
  })

  test('loses reasoning that only the upstream would have, and nothing else', async () => {
    const at = await direct({ answer: [{ reasoning: 'hm', text: 'One.' }, 'Two.', 'Three.'] })
    const first = await given(at.client, { model: 'strict', input: 'a' }, streams)
    expect(first.response.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
    const chain = { model: 'strict', input: 'b', previous_response_id: first.response.id }
    await given(at.client, chain, streams)
    const said = { type: 'message', role: 'assistant', content: [{ text: 'One.' }] }
    expect(asked(at)[1]!['input']).toMatchObject([{ content: 'a' }, said, { content: 'b' }])
    const input = [{ role: 'user', content: 'a' }, ...first.response.output, { role: 'user', content: 'c' }]
    await given(at.client, { model: 'strict', input: input as ResponseInput }, streams)
    expect(asked(at)[2]!['input']).toMatchObject([{ content: 'a' }, said, { content: 'c' }])
  })

  test('a reference to its output is resolved here, in the thread that the request names', async () => {
    const at = await direct({ answer: ['One.', 'Two.'] })
    const client = clientOf(at.running, 'none', { 'minutebook-thread': 'garden' })
    const first = await given(client, { model: 'strict', input: 'a' }, streams)
    const reference = { type: 'item_reference', id: first.response.output[0]!.id! } as const
    const input: ResponseInput = [{ role: 'user', content: 'a' }, reference, { role: 'user', content: 'b' }]
    await given(client, { model: 'strict', input }, streams)
    expect(asked(at)[1]!['input']).toEqual([input[0], first.response.output[0], input[2]])
    await client.responses.delete(first.response.id)
    expect(await failure(client.responses.create({ model: 'strict', input }))).toMatchObject({ status: 404 })
  })

  test('a reference to its output is resolved in the response or the conversation that the request names', async () => {
    const at = await direct()
    const { id: conversation } = await at.client.conversations.create()
    const first = await given(at.client, { model: 'strict', input: 'a', conversation }, streams)
    const [output] = first.response.output
    const input: ResponseInput = [{ type: 'item_reference', id: output!.id! }]
    for (const named of [{ conversation }, { previous_response_id: first.response.id }]) {
      await given(at.client, { model: 'strict', input, ...named }, streams)
      expect(asked(at).at(-1)!['input']).toMatchObject([{ content: 'a' }, output, output])
      expect(await failure(at.client.responses.create({ model: 'strict', input }))).toMatchObject({ status: 404 })
    }
  })

  test('without store it is not kept, but can go on from one that is', async () => {
    const at = await direct({ answer: ['One.', 'Two.'] })
    const { response } = await given(at.client, { model: 'strict', input: 'a', instructions: 'Be brief.' }, streams)
    const next = await given(
      at.client,
      { model: 'strict', input: 'b', previous_response_id: response.id, store: false, instructions: 'Be kind.' },
      streams,
    )
    expect(next.response).toMatchObject({ output_text: 'Two.', store: false })
    expect(asked(at)[1]).toMatchObject({
      instructions: 'Be kind.',
      input: [{ content: 'a' }, { id: 'msg_0_0' }, { content: 'b' }],
    })
    expect(await failure(at.client.responses.retrieve(next.response.id))).toMatchObject({ status: 404 })
  })

  test('that fails is failed for the client, and the next one works', async () => {
    const at = await direct({ answer: 'never whole' })
    at.upstream.next({ failWith: 500 })
    expect(await failure(at.client.responses.create({ model: 'strict', input: 'a' }))).toMatchObject({ status: 500 })
    at.upstream.next({ abortAfter: streams ? 6 : 0 })
    const broken = await given(at.client, { model: 'strict', input: 'a' }, streams).catch((error: unknown) => error)
    if (streams) expect(broken).toMatchObject({ response: { status: 'failed', error: { code: 'server_error' } } })
    else expect(broken).toMatchObject({ status: 502 })
    at.upstream.next({ errorAfter: streams ? 6 : 0, errorText: 'out of memory' })
    await given(at.client, { model: 'strict', input: 'a' }, streams).then(
      ({ response }) => expect(response.error?.message).toBe('out of memory'),
      (error: unknown) => expect(String(error)).toContain('500'),
    )
    const { response } = await given(at.client, { model: 'strict', input: 'a' }, streams)
    expect(response.output_text).toBe('never whole')
  })
})

test('tools of all kinds, their calls and results go through as they are', async () => {
  const patch = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'p1', name: 'apply_patch', input: '*** Begin' }
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'lamp' } }
  const at = await direct({ answer: [{ items: [search, patch] }, 'Done.'] })
  const tools = [{ type: 'web_search' }, { type: 'custom', name: 'apply_patch' }, { type: 'namespace', tools: [] }]
  const params = { model: 'strict', tools: tools as never, client_metadata: { a: 1 } }
  const first = await at.client.responses.create({ ...params, input: 'Fix it.' })
  expect(first.output).toEqual([search, patch])
  const result = { type: 'custom_tool_call_output', call_id: 'p1', output: 'ok' } as ResponseInputItem
  const next = await at.client.responses.create({ ...params, input: [result], previous_response_id: first.id })
  expect(next.output_text).toBe('Done.')
  expect(asked(at)[0]).toMatchObject({ tools, client_metadata: { a: 1 } })
  expect(asked(at)[1]!['input']).toEqual([{ role: 'user', content: 'Fix it.' }, search, patch, result])
})

test('an answer that was given before is given again, with all of its items', async () => {
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
  const at = await direct({ answer: { reasoning: 'hm', items: [search], text: 'Lit.', calls: [{ name: 'now' }] } })
  const again = clientOf(at.running, 'none', { 'idempotency-key': 'one' })
  const params = { model: 'strict', input: 'Is it lit?', include }
  const first = await given(again, params, true)
  const second = await given(again, params, true)
  const third = await given(again, params, false)
  expect(asked(at)).toHaveLength(1)
  for (const { response } of [second, third]) {
    expect(response).toMatchObject({ id: first.response.id, output_text: 'Lit.' })
    expect(response.output).toEqual(first.response.output)
  }
  expect(second.events.filter(({ type }) => type === 'response.output_text.delta')).toMatchObject([{ delta: 'Lit.' }])
  expect(second.events.map((event) => event.sequence_number)).toEqual(second.events.map((_, number) => number))
})

test('refused only if we would change what is meant', async () => {
  const at = await direct()
  const refused = (params: object): Promise<{ readonly status: unknown; readonly param: unknown }> =>
    failure(at.client.responses.create({ model: 'strict', input: 'a', ...params }))
  expect(await refused({ background: true })).toMatchObject({ status: 400, param: 'background' })
  expect(await refused({ Store: true })).toMatchObject({ status: 400, param: 'body' })
  expect(await refused({ previous_response_id: 'resp_1', conversation: 'conv_1' })).toMatchObject({ status: 400 })
  expect(await refused({ previous_response_id: 'resp_1' })).toMatchObject({ status: 400 })
  expect(await refused({ input: [{ type: 'riddle' }] })).toMatchObject({ status: 400 })
  expect(asked(at)).toHaveLength(1)
})

describe('which upstream is asked', () => {
  test('is found out once, with an empty request and the key of the client', async () => {
    const at = await direct()
    await Promise.all(['a', 'b', 'c'].map((input) => at.client.responses.create({ model: 'strict', input })))
    const probes = at.upstream.requests.filter(({ text }) => text === '{}')
    expect(probes).toHaveLength(1)
    expect(probes[0]?.headers).toMatchObject({ authorization: 'Bearer none' })
  })

  test.each([{ responses: 'chats' }, { policy: { preset: 'default', notes: true } }] as Partial<Config>[])(
    'is not asked with %o: it gets chats',
    async (settings) => {
      const at = await direct({}, settings)
      const { output_text: text } = await at.client.responses.create({ model: 'strict', input: 'a' })
      expect([text, asked(at)]).toEqual(['ok', []])
    },
  )

  test('may be another one for each response of a chain', async () => {
    await using chats = await strictUpstream({ models: ['chats'], answer: 'Two.' })
    await using own = await strictUpstream({ responses: true, answer: [{ reasoning: 'hm', text: 'One.' }, 'Three.'] })
    const running = await gateway({ upstreams: [{ url: own.url }, { url: chats.url, models: ['chats'] }] })
    const client = clientOf(running)
    const first = await client.responses.create({ model: 'strict', input: 'a', include })
    const second = { model: 'chats', input: 'b', previous_response_id: first.id }
    const unstored = await client.responses.create({ ...second, store: false })
    const { id } = await client.responses.create(second)
    expect(unstored.output_text).toBe('Two.')
    expect(chats.requests.at(-1)?.messages).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'One.', reasoning_content: 'hm' },
      { role: 'user', content: 'b' },
    ])
    await client.responses.create({ model: 'strict', input: 'c', previous_response_id: id })
    expect(asked({ upstream: own })[1]!['input']).toEqual([
      { role: 'user', content: 'a' },
      ...first.output,
      { role: 'user', content: 'b' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'c' },
    ])
  })
})

test('a template that only the upstream has needs no input: it is passed on, and nothing is recorded', async () => {
  const at = await direct()
  const body = JSON.stringify({ model: 'strict', prompt: { id: 'pmpt_1', variables: { name: 'Ann' } } })
  const headers = { 'content-type': 'application/json' }
  const got = await fetch(`${at.running.url}/v1/responses`, { method: 'POST', headers, body })
  await got.text()
  expect(got.headers.get('minutebook-recorded')).toBe('no')
  expect(asked(at)).toEqual([{ ...(JSON.parse(body) as object), store: false }])
  expect(await threadsOf(at.running)).toEqual([])
  const { id } = await at.client.responses.create({ model: 'strict', input: 'a' })
  expect(await failure(at.client.responses.create({ model: 'strict', previous_response_id: id }))).toMatchObject({
    status: 400,
    param: 'input',
  })
})

test('a session that asks not to store is recorded only if the settings or a header say so', async () => {
  const at = await direct({}, { record: 'always' })
  const params = { model: 'strict', input: 'a', store: false }
  const response = await at.client.responses.create(params)
  expect(response).toMatchObject({ store: true })
  const { id } = response
  expect(await at.client.responses.retrieve(id)).toMatchObject({ id, status: 'completed' })
  const recorded = async (settings: Partial<Config>, headers: Readonly<Record<string, string>>): Promise<unknown> => {
    const other = await direct({}, settings)
    await other.client.responses.create(params, { headers })
    return threadsOf(other.running)
  }
  expect(await recorded({ record: 'always' }, { 'minutebook-record': 'no' })).toEqual([])
  expect(await recorded({}, {})).toEqual([])
  expect(await recorded({}, { 'minutebook-record': 'yes' })).toHaveLength(1)
})

test('keys keep their responses apart, no upstream sees them, and one for chats alone makes none', async () => {
  const keys = [keyOf('ann'), keyOf('bob', { tenant: 'other' }), keyOf('cy'), keyOf('guest', { system: false })]
  const at = await direct({ answer: 'It is lit.' }, { keys })
  const [ann, bob, cy, guest] = ['ann', 'bob', 'cy', 'guest'].map((name) => clientOf(at.running, secretOf(name)))
  const params = { model: 'strict', input: 'Is the lamp lit?' }
  const { id, output } = await ann!.responses.create(params)
  const reference = { type: 'item_reference', id: output[0]!.id! } as const
  for (const client of [bob!, cy!]) {
    expect(await failure(client.responses.retrieve(id))).toMatchObject({ status: 404 })
    expect(await failure(client.responses.create({ ...params, previous_response_id: id }))).toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
    })
    expect(await failure(client.responses.create({ ...params, input: [reference] }))).toMatchObject({ status: 404 })
  }
  expect(await failure(guest!.responses.create(params))).toMatchObject({ status: 403 })
  await ann!.responses.create({ ...params, previous_response_id: id })
  expect(asked(at)).toHaveLength(2)
  expect(at.upstream.requests.filter(({ headers }) => headers['authorization'] !== undefined)).toEqual([])
})
