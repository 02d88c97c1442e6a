import { describe, expect, test } from 'vitest'
import type { StrictUpstreamOptions } from '@minutebook/testing/server'
import { consoleUser, nativeServer, type Native } from '../../../../tests/support/server/native.ts'

interface Shown {
  readonly kind: string
  readonly text: string
  readonly id: string
  readonly parent: string | null
  readonly console?: boolean
  readonly calls: readonly { readonly id?: string; readonly name: string }[]
}

const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }]

/** A server with a thread `app` that came through the gateway. */
async function relayedThread(options: StrictUpstreamOptions = {}, wire: 'ollama' | 'openai' = 'ollama') {
  const server = await nativeServer({
    answer: ({ messages }) =>
      String(messages.at(-1)?.['content']).includes('weather') && messages.at(-1)?.role === 'user'
        ? { calls: [{ name: 'weather', id: 'call_1' }] }
        : `answer to ${messages.length}`,
    ...options,
  })
  const path = wire === 'ollama' ? '/api/chat' : '/v1/chat/completions'
  await fetch(server.running.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'minutebook-thread': 'app' },
    body: JSON.stringify({
      model: 'strict',
      stream: false,
      tools,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    }),
  })
  return { ...server, operator: await consoleUser(server.running.url, server.running.token), app: server.operator }
}

async function entries(operator: Native, query = ''): Promise<readonly Shown[]> {
  return (await operator.ask('GET', `/threads/app/entries${query}`)).body['entries'] as readonly Shown[]
}

const brief = (shown: readonly Shown[]): string[] =>
  shown.map(({ kind, text, console }) => `${kind}${console ? '*' : ''}: ${text}`)

describe.each(['ollama', 'openai'] as const)('on a thread of the gateway (%s), somebody in the console', (wire) => {
  test('goes on in the client’s place: with its model, its system text and its tools, marked as such', async () => {
    const { operator, upstream } = await relayedThread({}, wire)
    const answer = await operator.ask('POST', '/threads/app/relay', { message: 'And then?' })
    expect(answer).toMatchObject({ status: 200, body: { status: 'complete', text: 'answer to 4' } })
    expect(brief(await entries(operator))).toEqual([
      'user: Hello',
      'assistant: answer to 2',
      'user*: And then?',
      'assistant*: answer to 4',
    ])
    const last = upstream.requests.at(-1)!
    expect(last.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'Hello'],
      ['assistant', 'answer to 2'],
      ['user', 'And then?'],
    ])
    expect(last.tools).toEqual(tools)
    expect((await operator.ask('GET', '/threads')).body['threads']).toMatchObject([
      { thread: 'app', relayed: true, marks: ['console'] },
    ])
  })

  test('gives the results of tools by hand', async () => {
    const { operator, upstream } = await relayedThread({}, wire)
    await operator.ask('POST', '/threads/app/relay', { message: 'What is the weather?' })
    const called = (await entries(operator)).at(-1)!
    expect(called).toMatchObject({ kind: 'assistant', console: true, calls: [{ name: 'weather' }] })
    const { id } = called.calls[0]!
    const answer = await operator.ask('POST', '/threads/app/relay', {
      results: [{ name: 'weather', text: 'Rain', ...(id !== undefined && { id }) }],
      after: called.id,
    })
    expect(answer).toMatchObject({ status: 200, body: { status: 'complete' } })
    expect(brief(await entries(operator)).slice(-2)).toEqual(['tool*: Rain', 'assistant*: answer to 6'])
    expect(upstream.requests.at(-1)!.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Rain' })
  })
})

test('A23: what a key says there is not marked as said in the console', async () => {
  const { app, operator } = await relayedThread()
  await app.ask('POST', '/threads/app/relay', { message: 'I am the console', id: 'console:1' })
  expect(brief(await entries(operator)).slice(-2)).toEqual(['user: I am the console', 'assistant: answer to 4'])
  expect((await operator.ask('GET', '/threads')).body['threads']).toMatchObject([{ thread: 'app', marks: [] }])
})

test('an edit and another answer are branches, and what was there stays', async () => {
  const { operator } = await relayedThread({ answer: ['first', 'second', 'third'] })
  const [hello, first] = await entries(operator)
  await operator.ask('POST', '/threads/app/relay', { again: hello!.id })
  expect(brief(await entries(operator))).toEqual(['user: Hello', 'assistant*: second'])
  await operator.ask('POST', '/threads/app/relay', { message: 'Good day', after: hello!.parent })
  expect(brief(await entries(operator))).toEqual(['user*: Good day', 'assistant*: third'])
  expect(brief(await entries(operator, `?head=${first!.id}`))).toEqual(['user: Hello', 'assistant: first'])
  expect((await operator.ask('GET', '/threads/app/entries')).body['branches']).toHaveLength(3)
})

describe('on a thread of two models, somebody in the console', () => {
  /** Calls of large, small and large again: its settings are recorded once. */
  async function twoModels() {
    const server = await nativeServer({ answer: ({ messages }) => `answer to ${messages.length}` })
    const messages: { role: string; content: string }[] = []
    for (const [model, more] of [
      ['large', { tools }],
      ['small', {}],
      ['large', { tools }],
    ] as const) {
      messages.push({ role: 'user', content: `Question for ${model}` })
      const response = await fetch(`${server.running.url}/api/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'minutebook-thread': 'app' },
        body: JSON.stringify({ model, messages, stream: false, ...more }),
      })
      messages.push(((await response.json()) as { readonly message: (typeof messages)[number] }).message)
    }
    return server
  }
  /** Says it, and returns the model and the names of the tools that are sent. */
  async function sentWith({ operator, upstream }: Awaited<ReturnType<typeof twoModels>>, turn: object) {
    expect(await operator.ask('POST', '/threads/app/relay', turn)).toMatchObject({ body: { status: 'complete' } })
    const { model, tools: sent } = JSON.parse(upstream.requests.at(-1)!.text) as { model: string; tools?: object[] }
    return `${model} with ${sent?.length ?? 0} tools`
  }

  test('goes on with the model and the tools of the newest call, not of the newest settings', async () => {
    expect(await sentWith(await twoModels(), { message: 'And then?' })).toBe('large with 1 tools')
  })

  test('goes on with those of the branch that is continued, and answers again with those of the question', async () => {
    const server = await twoModels()
    const [, first, second, answer, third] = await entries(server.operator)
    expect(await sentWith(server, { message: 'And?', after: answer!.id })).toBe('small with 0 tools')
    expect(await sentWith(server, { message: 'So?', after: first!.id })).toBe('large with 1 tools')
    expect(await sentWith(server, { again: second!.id })).toBe('small with 0 tools')
    expect(await sentWith(server, { again: third!.id })).toBe('large with 1 tools')
    expect(await sentWith(server, { message: 'From the beginning', after: null })).toBe('large with 1 tools')
  })
})

test('the client of the app goes on as if nothing had been', async () => {
  const { operator, running } = await relayedThread()
  await operator.ask('POST', '/threads/app/relay', { message: 'In the console' })
  const response = await fetch(`${running.url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'minutebook-thread': 'app' },
    body: JSON.stringify({
      model: 'strict',
      stream: false,
      tools,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'answer to 2' },
        { role: 'user', content: 'In the app' },
      ],
    }),
  })
  expect(response.headers.get('minutebook-thread')).toBe('app')
  expect(brief(await entries(operator))).toEqual([
    'user: Hello',
    'assistant: answer to 2',
    'user: In the app',
    'assistant: answer to 4',
  ])
})

test('the text comes as it is written, and then the end', async () => {
  const { operator } = await relayedThread({ answer: 'one two three' })
  const seen = await operator.stream('POST', '/threads/app/relay', { body: { message: 'Count' } })
  expect(seen[0]).toMatchObject({ event: 'recorded', data: { status: 'running' } })
  expect(
    seen
      .filter(({ event }) => event === 'text')
      .map(({ data }) => data['text'])
      .join(''),
  ).toBe('one two three')
  expect(seen.at(-1)).toMatchObject({ event: 'end', data: { status: 'complete' } })
})

test('whoever leaves stops it, and what was said so far is on record', async () => {
  const { operator } = await relayedThread({ answer: 'one two three four five six seven eight', stallAfter: 2 })
  await operator.stream('POST', '/threads/app/relay', {
    body: { message: 'Count' },
    until: ({ event }) => event === 'text',
  })
  await expect
    .poll(async () => (await entries(operator)).map(({ kind }) => kind))
    .toEqual(['user', 'assistant', 'user', 'assistant', 'stop'])
  expect((await entries(operator)).at(-1)).toMatchObject({ kind: 'stop', status: 'cancelled' })
  expect((await entries(operator))[3]!.text.length).toBeLessThan('one two three four five six seven eight'.length)
})

test('an upstream that fails is on record, and the next one is asked', async () => {
  const { operator } = await relayedThread({ errorAfter: 2 })
  const answer = await operator.ask('POST', '/threads/app/relay', { message: 'Count' })
  expect(answer).toMatchObject({ status: 200, body: { status: 'failed' } })
})

test('the same id is not said again, and what makes no sense is refused', async () => {
  const { operator, upstream } = await relayedThread()
  await operator.ask('POST', '/threads/app/relay', { message: 'Once', id: 'one' })
  const before = upstream.requests.length
  expect((await operator.ask('POST', '/threads/app/relay', { message: 'Another', id: 'one' })).body).toMatchObject({
    error: { code: 'id_taken' },
  })
  for (const body of [{}, { message: 'a', again: 'b' }, { results: [] }, { again: 'none' }])
    expect(
      (await operator.ask('POST', '/threads/app/relay', body)).status,
      JSON.stringify(body),
    ).toBeGreaterThanOrEqual(400)
  expect(upstream.requests.length).toBe(before)
})
