// A client has the upstream quote it in an error: "maximum context length is 300 tokens". Prompts of everybody else
// would be cut to that for an hour.
import { hash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const claim = 'the request exceeds the maximum context length of 300 tokens'
const long = [{ role: 'user', content: 'the tide was low at the pier '.repeat(2000) }]
const keys = ['evil', 'honest'].map((name) => ({
  name,
  tenant: 'garden',
  scope: 'app' as const,
  sha256: hash('sha256', `key-${name}`),
}))

interface Tried {
  readonly name: string
  readonly body?: object
  /** The body as it is, if JSON.stringify does not write it so. */
  readonly json?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

const chat = (more: object): string => JSON.stringify({ model: 'm', messages: long, ...more })
const tries: readonly Tried[] = [
  { name: 'a field', body: { name: claim } },
  { name: 'a field with blanks of other kinds', body: { name: claim.replaceAll(' ', '\n') } },
  { name: 'a field with a longer number', body: { name: claim.replace('300', '300000') } },
  { name: 'a field with a thousands separator', body: { name: claim.replace('300', '3,001') } },
  { name: 'escaped letters', json: chat({}).replace(/}$/, `,"name":"${claim.replace('context', '\\u0063ontext')}"}`) },
  { name: 'a name that occurs twice', json: chat({}).replace(/}$/, `,"user":{"name":"${claim}","name":"x"}}`) },
  {
    name: 'JSON in JSON',
    body: { user: { name: JSON.stringify({ x: `${claim} é` }).replace('g', '\\u0067') } },
  },
  { name: 'a header', headers: { 'openai-beta': claim } },
  { name: 'the query', query: `?name=${encodeURIComponent(claim)}` },
  {
    name: 'a message that is left out if the prompt must be shorter',
    body: { messages: [{ role: 'user', content: claim }, { role: 'assistant', content: 'ok' }, ...long] },
  },
]

/** Refuses a request if this finds something to quote. */
async function quoting(find: (sent: string) => string | undefined): Promise<{ url: string; received: unknown[] }> {
  const received: unknown[] = []
  const { url } = await plainUpstream((request, response) => {
    void text(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://upstream')
      if (pathname !== '/v1/chat/completions') return void response.writeHead(404).end('{}')
      received.push((JSON.parse(body) as { messages: unknown }).messages)
      const quoted = find([body, searchParams.get('name'), request.headers['openai-beta']].join(' '))
      const said =
        quoted === undefined
          ? {
              id: 'c',
              object: 'chat.completion',
              created: 1,
              model: 'm',
              choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
              usage: { prompt_tokens: Math.ceil(body.length / 5), completion_tokens: 1 },
            }
          : { error: { message: quoted, code: 400 } }
      response.writeHead(quoted === undefined ? 200 : 400, { 'content-type': 'application/json' })
      response.end(JSON.stringify(said))
    })
  })
  return { url, received }
}

async function posted(
  url: string,
  key: string,
  { json, body, query = '', headers }: Omit<Tried, 'name'>,
): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer key-${key}`, ...headers },
    body: json ?? chat(body ?? {}),
  })
  await response.text()
  return response.status
}

test.each(tries)('what an upstream quotes of $name makes no window smaller', async (tried) => {
  // As a server that writes the value without its escapes, on one line, and not more than so much of it.
  const { url, received } = await quoting((sent) => {
    const plain = sent
      .replaceAll(/\\+u([\da-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll('\\n', ' ')
    const at = plain.indexOf('the request exceeds')
    return at < 0 ? undefined : plain.slice(at, at + claim.length - ' tokens'.length)
  })
  const { url: address } = await gateway({ upstreams: [{ url, protocol: 'openai' }], keys })
  await posted(address, 'evil', tried)
  const mine = [{ role: 'system', content: 'Be brief.' }, ...long]
  expect(await posted(address, 'honest', { body: { messages: mine } })).toBe(200)
  expect(received.at(-1)).toEqual(mine)
})

test.each<[what: string, setup: object, turn: object]>([
  ['a turn', {}, { message: claim }],
  ['the stop texts of a setup', { stop: [claim] }, { message: 'ok' }],
  ['the form of an answer', {}, { message: 'ok', output: { type: 'object', description: claim } }],
])('what an upstream quotes of %s makes no window smaller', async (_, setup, turn) => {
  const { url, received } = await quoting((sent) => (sent.includes(claim) ? claim : undefined))
  const { url: address } = await gateway({ upstreams: [{ url, protocol: 'openai' }], keys })
  const evil = native(address, 'key-evil')
  await evil.ask('POST', '/threads', { thread: 'harbour', setup: { model: 'm', ...setup } })
  await evil.stream('POST', '/threads/harbour/turns', { body: turn })
  expect(received.length).toBeGreaterThan(0)
  expect(await posted(address, 'honest', {})).toBe(200)
  expect(received.at(-1)).toEqual(long)
})

test('what a refusal says itself is learnt, although others were asked about another number', async () => {
  const asked = [
    { role: 'user', content: 'What does "maximum context length is 8192 tokens" mean?' },
    { role: 'assistant', content: 'ok' },
    ...long,
  ]
  const { url, received } = await quoting((sent) =>
    sent.length > 40_000 ? "This model's maximum context length is 4096 tokens." : undefined,
  )
  const { url: address } = await gateway({ upstreams: [{ url, protocol: 'openai' }], keys })
  expect(await posted(address, 'evil', { body: { messages: asked } })).toBe(200)
  expect(received).toHaveLength(2)
  expect(
    await posted(address, 'honest', { body: { messages: [{ role: 'system', content: 'Be brief.' }, ...long] } }),
  ).toBe(200)
  expect(received).toHaveLength(3)
})
