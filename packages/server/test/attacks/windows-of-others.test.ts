// H2: small chats of one key make an honest server look as if it cuts prompts. Text of which a token is few letters
// comes first, then words that cost a sixth of what is estimated.
import { gptTokenizer } from 'minutebook/gpt-tokenizer'
import { hash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { gateway, gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'
import { segmentOf, type Config, type Running } from '../../src/index.ts'
import { findKept } from '../../src/stores/setup.ts'
import type { ReadCurves } from '../../src/truncation/truncation.ts'
import { readObserver } from '../../src/upstream/read-observer.ts'
import { paths, post, type Posted } from '../gateway/support/post.ts'

const keys: Config['keys'] = [
  { name: 'strangers', system: false as const },
  { name: 'others', system: false as const },
  { name: 'app' },
  { name: 'notebook' },
].map((key) => ({ ...key, tenant: 'garden', scope: 'app', sha256: hash('sha256', `key-${key.name}`) }))

type Wire = 'ollama' | 'openai'

async function ask({ url }: Running, wire: Wire, key: string, messages: readonly object[]): Promise<Posted> {
  const answer = await post(
    url,
    paths[wire],
    { model: 'strict', messages, stream: false },
    { authorization: `Bearer key-${key}` },
  )
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)])
  return answer
}

const questions = Array.from({ length: 15 }, (_, turn) =>
  turn < 5 ? `${turn}0x1f9a`.repeat(10) : ' telecommunications'.repeat(40),
)

/** What the gateway says of fifteen calls that begin like this. */
async function attack(running: Running, wire: Wire, key: string): Promise<readonly string[]> {
  const messages: object[] = []
  const said: string[] = []
  for (const content of questions) {
    messages.push({ role: 'user', content })
    const { headers } = await ask(running, wire, key, messages)
    said.push(String(headers['minutebook-tokens']))
    messages.push({ role: 'assistant', content: 'ok' })
  }
  return said
}

const honest = [
  { role: 'system', content: 'You keep the harbour log.' },
  ...Array.from({ length: 13 }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: `${turn}: ${'the tide at the pier was low '.repeat(20)}`,
  })),
]

test.each<[wire: Wire, by: string, models: Config['models'], source: string]>([
  ['ollama', 'the server', {}, '/api/ps'],
  ['openai', 'the server', {}, '/api/ps'],
  ['ollama', 'the settings', { strict: { window: 8192 } }, 'configuration'],
])('in the protocol %s, no other prompt is shortened if %s says 8192', async (wire, _, models, source) => {
  const { upstream, running } = await gatewayBefore({ window: 8192, counter: gptTokenizer() }, { keys, models })
  for (const key of ['strangers', 'others', 'app'])
    expect((await attack(running, wire, key)).some((tokens) => tokens.includes('truncated=yes'))).toBe(true)
  for (const key of ['notebook', 'app']) {
    const { headers } = await ask(running, wire, key, honest)
    expect(headers['minutebook-window']).toBe(`8192; source="${source}"`)
    const sent = upstream.requests.at(-1)!
    expect(sent.tokens).toBeGreaterThan(1800)
    expect(sent.messages).toEqual(honest)
  }
  // Others share the key.
  const { headers } = await ask(running, wire, 'strangers', honest.slice(1))
  expect(headers['minutebook-window']).toBe(`8192; source="${source}"`)
})

test('chats and turns of one app are the evidence of one key', async () => {
  const { upstream, running } = await gatewayBefore({ window: 8192, counter: gptTokenizer() }, { keys })
  await attack(running, 'ollama', 'app')
  const app = native(running.url, 'key-app')
  await app.ask('POST', '/threads', { thread: 'harbour', setup: { model: 'strict' } })
  for (const message of questions) await app.stream('POST', '/threads/harbour/turns', { body: { message } })
  const receipts = await running.services.stores.of('garden').book.thread('harbour').receipts()
  expect(receipts.map(({ truncated }) => truncated)).toContain('yes')
  await ask(running, 'ollama', 'notebook', honest)
  expect(upstream.requests.at(-1)!.messages).toEqual(honest)
})

test('chats that are answered again are evidence of the key that asks for it', async () => {
  const { upstream, running } = await gatewayBefore({ window: 8192, counter: gptTokenizer() }, { keys })
  const app = native(running.url, 'key-app')
  const messages: object[] = []
  let thread = ''
  for (const content of questions) {
    messages.push({ role: 'user', content })
    const { headers } = await ask(running, 'ollama', 'app', messages)
    if (thread === '') {
      thread = String(headers['minutebook-thread'])
      const put = await app.ask('PUT', `/threads/${segmentOf(thread)}/setup`, { model: 'strict' })
      expect(put.status).toBe(200)
    }
    await app.stream('POST', `/threads/${segmentOf(thread)}/retry`)
    messages.push({ role: 'assistant', content: 'ok' })
  }
  const { store, book } = running.services.stores.of('garden')
  expect(await findKept(store, thread)).toMatchObject({ owner: 'app' })
  const receipts = await book.thread(thread).receipts()
  expect(receipts.map(({ truncated }) => truncated)).toContain('yes')
  await ask(running, 'ollama', 'notebook', honest)
  expect(upstream.requests.at(-1)!.messages).toEqual(honest)
})

test.each<[name: string, owner: string, of: Config['keys'], trust: string]>([
  ['a call without a name', '', keys, 'none'],
  ['a call of a key', 'app', keys, 'shared'],
  ['without keys, a call', '', [], 'alone'],
])('what the counts of %s may lower', async (_, owner, of, trust) => {
  const { running } = await gatewayBefore({}, { keys: of })
  const noted: unknown[] = []
  const readings: ReadCurves = {
    note: (place, call) => (noted.push(call.trust), running.services.readings.note(place, call)),
    windowOf: () => undefined,
  }
  const place = { tenant: 'garden', owner, thread: 'harbour', model: 'strict', protocol: 'ollama' as const }
  const window = { window: 8192, source: '/api/ps' as const }
  readObserver(
    { ...running.services, readings },
    { ...place, upstream: { url: 'http://upstream', origin: 'http://upstream', base: '' }, window },
  )({
    sent: 10,
    sure: 10,
    optional: 0,
    reused: 0,
    tools: 0,
    images: 0,
    predicted: 10,
    alone: 'unknown',
    usage: { prompt: 10 },
  })
  expect(noted).toEqual([trust])
})

test('if no source says a window, it is shortened for these keys alone', async () => {
  const counter = gptTokenizer()
  let sent: readonly { readonly content: string }[] = []
  const { url } = await plainUpstream((request, response) => {
    void text(request).then((body) => {
      const isChat = request.url === paths.openai
      if (isChat) sent = (JSON.parse(body) as { messages: typeof sent }).messages
      const prompt_tokens = sent.reduce((sum, { content }) => sum + counter.count(content) + 4, 3)
      const message = { role: 'assistant', content: 'ok' }
      response.writeHead(isChat ? 200 : 404, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          id: 'c',
          object: 'chat.completion',
          created: 1,
          model: 'strict',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: { prompt_tokens, completion_tokens: 1 },
        }),
      )
    })
  })
  const running = await gateway({ upstreams: [{ url, protocol: 'openai' }], keys })
  for (const key of ['strangers', 'others', 'app']) await attack(running, 'openai', key)
  expect((await ask(running, 'openai', 'notebook', honest)).headers['minutebook-window']).toBe('unknown')
  expect(sent).toEqual(honest)
  for (const key of ['strangers', 'others', 'app'])
    expect((await ask(running, 'openai', key, honest.slice(1))).headers['minutebook-window']).toMatch(/source="read"$/)
})

test('a server that really cuts is named by every key, and found by two that may instruct models', async () => {
  const lying = { window: 2048, claims: 8192, onOverflow: 'drop' as const, counter: gptTokenizer() }
  const { running } = await gatewayBefore(lying, { keys })
  const talk = async (key: string): Promise<string> => {
    const messages: object[] = []
    let last = ''
    for (let turn = 0; turn < 20; turn++) {
      messages.push({ role: 'user', content: `${turn}: ${'we saw a ship leave the pier at noon '.repeat(20)}` })
      last = String((await ask(running, 'ollama', key, messages)).headers['minutebook-tokens'])
      messages.push({ role: 'assistant', content: 'ok' })
    }
    return last
  }
  const window = async (key: string): Promise<unknown> =>
    (await ask(running, 'ollama', key, [{ role: 'user', content: 'And now?' }])).headers['minutebook-window']
  // It is named at once. The window stays, because only one app says so.
  expect(await talk('app')).toContain('truncated=yes')
  expect(await talk('strangers')).toContain('truncated=yes')
  expect([await window('app'), await window('others')]).toEqual(['8192; source="/api/ps"', '8192; source="/api/ps"'])
  await talk('notebook')
  const found = new Set(await Promise.all(keys.map(({ name }) => window(name))))
  expect([...found]).toEqual([expect.stringMatching(/^(19|20)\d\d; source="read"$/)])
})
