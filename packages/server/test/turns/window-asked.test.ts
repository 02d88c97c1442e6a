import { strictUpstream } from '@minutebook/testing/server'
import { expect, onTestFinished, test } from 'vitest'
import { segmentOf } from '../../src/api/printable.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { native, nativeServer } from '../../../../tests/support/server/native.ts'

const shortfall = { asked: 4096, given: 2048, source: '/api/ps' }
const said = {
  ...shortfall,
  reason: expect.stringMatching(/4,096 tokens was asked for, but the model has 2,048 \(source: \/api\/ps\)/) as unknown,
}

test('a window that a thread asks for and does not get is told wherever the thread is', async () => {
  const { operator, upstream } = await nativeServer({ answer: 'Ferns.', window: 2048 })
  expect(
    (await operator.ask('POST', '/threads', { thread: 'garden', setup: { window: 4096 } })).body['window'],
  ).toEqual(said)
  expect((await operator.ask('GET', '/threads/garden')).body['window']).toEqual(said)
  const sent = await operator.ask('POST', '/threads/garden/turns', { message: 'What grows in the shade?' })
  expect(sent.body['window']).toEqual(said)
  await operator.stream('GET', '/threads/garden/stream?until=rest')
  expect((await operator.ask('GET', `/threads/garden/turns/${String(sent.body['turn'])}`)).body).toMatchObject({
    status: 'complete',
    window: said,
  })
  const [recorded] = await operator.stream('POST', '/threads/garden/turns', { body: { message: 'And in the sun?' } })
  expect(recorded).toMatchObject({ event: 'recorded', data: { window: said } })
  const { receipts } = (await operator.ask('GET', '/threads/garden/receipts')).body as {
    receipts: { window: unknown }[]
  }
  expect(receipts.map(({ window }) => window)).toEqual([shortfall, shortfall])
  expect((await operator.ask('GET', '/threads/garden/explain')).body).toMatchObject({
    same: true,
    receipt: { window: shortfall },
    plan: { window: 2048 },
  })
  expect(
    upstream.requests
      .filter(({ path }) => path === '/api/chat')
      .map(({ json }) => (json as { options: { num_ctx: number } }).options.num_ctx),
  ).toEqual([2048, 2048])
})

test('of a window that a thread gets, nothing is said', async () => {
  const { operator } = await nativeServer({ answer: 'Ferns.', window: 2048 })
  for (const [thread, setup] of [
    ['same', { window: 2048 }],
    ['less', { window: 1024 }],
    ['none', {}],
  ] as const) {
    expect((await operator.ask('POST', '/threads', { thread, setup })).body).not.toHaveProperty('window')
    const sent = await operator.ask('POST', `/threads/${thread}/turns`, { message: 'What grows in the shade?' })
    expect(sent.status).toBe(202)
    expect(sent.body).not.toHaveProperty('window')
    await operator.stream('GET', `/threads/${thread}/stream?until=rest`)
    const { receipts } = (await operator.ask('GET', `/threads/${thread}/receipts`)).body as { receipts: object[] }
    expect(receipts).toHaveLength(1)
    expect(receipts[0]).not.toHaveProperty('window')
  }
})

/** A thread that has outgrown its window of 700 tokens. */
async function talked(
  options: Parameters<typeof nativeServer>[0] = {},
  settings: Parameters<typeof nativeServer>[1] = {},
): Promise<Awaited<ReturnType<typeof nativeServer>> & { readonly receipt: string }> {
  const server = await nativeServer({ answer: 'Ferns and moss.', window: 2048, ...options }, settings)
  await server.operator.ask('POST', '/threads', {
    thread: 'garden',
    setup: { system: 'You help with a garden.', window: 700 },
  })
  for (let number = 1; number <= 12; number++)
    await server.operator.stream('POST', '/threads/garden/turns', {
      body: { message: `Question ${number}: what grows in the shade of a wall, and what does not?` },
    })
  const { receipts } = (await server.operator.ask('GET', '/threads/garden/receipts')).body as {
    receipts: { id: string }[]
  }
  return { ...server, receipt: receipts.at(-1)!.id }
}

test('a prompt is sent exactly as it is, whatever the policy would make of it, and its receipt proves it', async () => {
  const { operator, upstream, receipt } = await talked(
    {},
    { policy: { preset: 'default', notes: true, journal: true } },
  )
  const { messages, tools, hash } = (await operator.ask('GET', `/threads/garden/dump?receipt=${receipt}`)).body as {
    messages: object[]
    tools: object[]
    hash: string
  }
  const entries = (await operator.ask('GET', '/threads/garden')).body['entries']
  const answer = await operator.ask('POST', `/threads/garden/calls/${receipt}/prompts`, {
    messages,
    tools,
    window: 700,
  })
  expect(answer).toMatchObject({ status: 200, body: { status: 'complete', text: 'Ferns and moss.' } })
  expect(upstream.requests.at(-1)!.json).toMatchObject({ messages, options: { num_ctx: 2048 } })
  const made = segmentOf(String(answer.body['thread']))
  expect(made).not.toBe('garden')
  expect((await operator.ask('GET', `/threads/${made}/explain`)).body).toMatchObject({
    same: true,
    receipt: { hash, mode: 'unchanged' },
  })
  expect((await operator.ask('GET', `/threads/${made}/verify`)).body).toMatchObject({ ok: true, prompts: 1 })
  expect((await operator.ask('GET', '/threads/garden')).body['entries']).toBe(entries)
  // A single character more is another prompt, with another hash.
  const other = [...messages.slice(0, -1), { ...messages.at(-1), content: 'Something else?' }]
  const again = await operator.ask('POST', `/threads/garden/calls/${receipt}/prompts`, {
    messages: other,
    tools,
    window: 700,
  })
  const { receipts } = (await operator.ask('GET', `/threads/${segmentOf(String(again.body['thread']))}/receipts`))
    .body as { receipts: { hash: string }[] }
  expect(receipts[0]!.hash).not.toBe(hash)
})

test('a prompt that was made for more than the model has is not sent, and the answer says what would do', async () => {
  const { operator, upstream, receipt } = await talked({ limit: 8192 })
  const { messages, tools } = (await operator.ask('GET', `/threads/garden/dump?receipt=${receipt}`)).body
  const chats = (): number => upstream.requests.filter(({ path }) => path === '/api/chat').length
  const before = chats()
  const path = `/threads/garden/calls/${receipt}/prompts`
  expect(await operator.ask('POST', path, { messages, tools, window: 3072 })).toMatchObject({
    status: 409,
    body: {
      error: { code: 'window_too_small', window: { asked: 3072, given: 2048, source: '/api/ps', canLoad: true } },
    },
  })
  expect(await operator.ask('POST', path, { messages, tools, window: 9000, load: true })).toMatchObject({
    status: 409,
    body: { error: { code: 'window_too_small', window: { canLoad: false } } },
  })
  expect(chats()).toBe(before)
  expect(await operator.ask('POST', path, { messages, tools, window: 3072, load: true })).toMatchObject({
    status: 200,
    body: { status: 'complete' },
  })
  expect(upstream.requests.at(-1)!.json).toMatchObject({ messages, options: { num_ctx: 3072 } })
})

test('the options and the seed of a participant go along with its prompt', async () => {
  const { operator, upstream } = await nativeServer({ answer: 'Ferns.' })
  await operator.ask('POST', '/runs', {
    run: 'talk',
    definition:
      'name: talk\nparticipants: { ann: { model: { name: strict, temperature: 0.7, seed: 7, options: { top_k: 5 }, output: { type: string } } } }\nlimits: { rounds: 1 }\n',
  })
  await operator.stream('GET', '/runs/talk/events')
  const thread = segmentOf('run/talk/ann')
  const { receipts } = (await operator.ask('GET', `/threads/${thread}/receipts`)).body as { receipts: { id: string }[] }
  const { messages, tools } = (await operator.ask('GET', `/threads/${thread}/dump`)).body
  expect(
    await operator.ask('POST', `/threads/${thread}/calls/${receipts[0]!.id}/prompts`, {
      messages,
      tools,
      window: 1024,
    }),
  ).toMatchObject({ status: 200 })
  expect(upstream.requests.at(-1)!.json).toMatchObject({
    messages,
    format: { type: 'string' },
    options: { temperature: 0.7, seed: 7, top_k: 5 },
  })
})

test('a prompt in the shape of a protocol that the model is not asked by any more is refused', async () => {
  const { receipt, running, upstream } = await talked()
  const other = await strictUpstream({ answer: 'No.' })
  onTestFinished(() => other.close())
  const store = running.services.stores.of('default').store
  const moved = await gateway({ defaultModel: 'strict', upstreams: [{ url: other.url, protocol: 'openai' }] })
  const copy = moved.services.stores.of('default').store
  await copy.append('garden', await store.read('garden'))
  const answer = await native(moved.url, moved.token).ask('POST', `/threads/garden/calls/${receipt}/prompts`, {
    messages: upstream.requests.at(-1)!.messages,
    window: 700,
  })
  expect(answer).toMatchObject({ status: 409, body: { error: { code: 'other_protocol' } } })
})
