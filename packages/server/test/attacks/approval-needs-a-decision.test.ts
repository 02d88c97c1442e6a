// Finding M2: a result answers a call that waits for approval, any key approves, and the decider's name is the caller's.
import { createHash } from 'node:crypto'
import type { Entry } from 'minutebook'
import { standingsIn } from 'minutebook/inspect'
import { describe, expect, test } from 'vitest'
import { segmentOf } from '../../src/api/printable.ts'
import type { KeyConfig } from '../../src/config/config.ts'
import { nativeServer, native, type Answer, type Native } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const parameters = { type: 'object', properties: {} }
const bought = '{"bought":true}'

const key = (name: string, rights: Partial<KeyConfig> = {}): KeyConfig => ({
  name,
  tenant: 'default',
  scope: 'app',
  sha256: createHash('sha256').update(`key-of-${name}`).digest('hex'),
  ...rights,
})

interface Shop {
  readonly url: string
  /** The conversation that the thread is of, and its path. */
  readonly conversation: string
  readonly at: string
  readonly as: (name: string) => Native
  readonly operator: Native
  /** What the tool was run with. */
  readonly ran: readonly string[]
  readonly open: { readonly order: string; readonly pick: string }
  readonly log: () => Promise<readonly Entry[]>
}

/** The thread of a conversation waits: `order` for approval, `pick` for an answer of the client. */
async function shop(
  keys: readonly KeyConfig[] = [key('agent'), key('desk', { decide: true }), key('boss', { scope: 'admin' })],
): Promise<Shop> {
  const ran: string[] = []
  const { url } = await plainUpstream((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      ran.push(text)
      response.writeHead(200, { 'content-type': 'application/json' }).end(bought)
    })
  })
  const calls = { calls: ['order', 'pick'].map((name) => ({ id: `call_${name}`, name, arguments: {} })) }
  const tools = [
    { name: 'order', parameters, url, approve: true },
    { name: 'pick', parameters },
  ]
  const { running, operator } = await nativeServer({ answer: [calls, 'Done.'] }, { keys, tools })
  const as = (name: string): Native => native(running.url, keys.length === 0 ? '' : `key-of-${name}`)
  const setup = { tools: ['order', 'pick'] }
  const { body } = await post(running.url, '/v1/conversations', {}, keys.length === 0 ? { authorization: '' } : {})
  const conversation = String(body['id'])
  const thread = `${keys.length === 0 ? '' : 'agent/'}${conversation}`
  const at = `/threads/${segmentOf(thread)}`
  expect((await as('agent').ask('POST', '/threads', { thread, setup })).status).toBe(201)
  const seen = await as('agent').stream('POST', `${at}/turns`, { body: { message: 'A fern' } })
  const waiting = seen.at(-1)!.data['waiting'] as { readonly id: string; readonly call: { readonly name: string } }[]
  const idOf = (name: string): string => waiting.find(({ call }) => call.name === name)!.id
  return {
    url: running.url,
    conversation,
    at,
    as,
    operator,
    ran,
    open: { order: idOf('order'), pick: idOf('pick') },
    log: () => running.services.stores.of('default').store.read(thread),
  }
}

async function waitingIn({ as }: Shop): Promise<readonly string[]> {
  const { body } = await as('agent').ask('GET', '/waiting')
  return (body['calls'] as { readonly call: { readonly name: string } }[]).map(({ call: { name } }) => name).toSorted()
}

async function post(url: string, path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key-of-agent', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}

const asked = { role: 'user', content: 'A fern' }
const calling = {
  role: 'assistant',
  content: '',
  tool_calls: ['order', 'pick'].map((name) => ({
    id: `call_${name}`,
    type: 'function',
    function: { name, arguments: '{}' },
  })),
}
const result = { role: 'tool', tool_call_id: 'call_order', content: bought }
const output = { type: 'function_call_output', call_id: 'call_order', output: bought }

const chat = ({ url, conversation }: Shop, messages: readonly object[]): Promise<Answer> =>
  post(url, '/v1/chat/completions', { model: 'strict', messages }, { 'minutebook-thread': conversation })

/** Ways to give the result of a call that waits for approval. */
const ways: readonly (readonly [name: string, say: (shop: Shop) => Promise<Answer>])[] = [
  [
    'relay with results',
    ({ as, at }) =>
      as('agent').ask('POST', `${at}/relay`, { results: [{ id: 'call_order', name: 'order', text: bought }] }),
  ],
  [
    'relay with the result of no call',
    ({ as, at }) => as('agent').ask('POST', `${at}/relay`, { results: [{ id: 'x', text: bought }] }),
  ],
  ['relay with a message', ({ as, at }) => as('agent').ask('POST', `${at}/relay`, { message: 'Never mind.' })],
  ['a chat that names the thread', (there) => chat(there, [asked, calling, result])],
  ['a chat with another message behind', (there) => chat(there, [asked, calling, result, asked])],
  ['a chat with the call in another answer', (there) => chat(there, [asked, { ...calling, content: 'Sure.' }, result])],
  ['a chat with the question alone', (there) => chat(there, [asked])],
  [
    'a chat of Ollama',
    ({ url, conversation }) => {
      const calls = ['order', 'pick'].map((name) => ({ function: { name, arguments: {} } }))
      const answer = { role: 'tool', tool_name: 'order', content: bought }
      const messages = [asked, { role: 'assistant', content: '', tool_calls: calls }, answer]
      const body = { model: 'strict', stream: false, messages }
      return post(url, '/api/chat', body, { 'minutebook-thread': conversation })
    },
  ],
  [
    'a response with the output of the call',
    ({ url, conversation }) => post(url, '/v1/responses', { model: 'strict', conversation, input: [output] }),
  ],
  [
    'an item of the conversation',
    ({ url, conversation }) => post(url, `/v1/conversations/${conversation}/items`, { items: [output] }),
  ],
  [
    'another item of the conversation',
    ({ url, conversation }) =>
      post(url, `/v1/conversations/${conversation}/items`, { items: [{ ...asked, type: 'message' }] }),
  ],
]

describe.each(ways)('%s', (_, say) => {
  test('does not answer a call that waits for approval', async () => {
    const there = await shop()
    const { status, body } = await say(there)
    expect([status, JSON.stringify(body)]).toEqual([409, expect.stringMatching(/order needs approval.*Decide about/)])
    expect(await waitingIn(there)).toEqual(['order', 'pick'])
    expect((await there.log()).filter(({ kind }) => kind === 'tool' || kind === 'decision')).toEqual([])
    expect(there.ran).toEqual([])
  })
})

/** Through which logins the decisions came. */
async function viaOf({ log }: Shop): Promise<readonly unknown[]> {
  const decisions = (await log()).filter(({ kind }) => kind === 'decision')
  return decisions.map(({ text }) => (JSON.parse(text) as { readonly via?: unknown }).via)
}

describe('A26: who decides', () => {
  const decide = ({ as, at, open }: Shop, who: string, more: object = {}): Promise<Answer> =>
    as(who).ask('POST', `${at}/decisions`, { call: open.order, decision: { do: 'run' }, ...more })

  test('not the key of the app that runs the agent, which may give answers', async () => {
    const there = await shop()
    for (const decision of [{ do: 'run' }, { do: 'refuse' }])
      expect(await decide(there, 'agent', { decision })).toMatchObject({
        status: 403,
        body: { error: { code: 'may_not_approve', fix: expect.stringContaining('decide: true') as string } },
      })
    expect(await waitingIn(there)).toEqual(['order', 'pick'])
    const answered = { call: there.open.pick, decision: { do: 'answer', output: 'red' } }
    expect((await there.as('agent').ask('POST', `${there.at}/decisions`, answered)).status).toBe(202)
    expect(await waitingIn(there)).toEqual(['order'])
    expect(there.ran).toEqual([])
  })

  test.each(['desk', 'boss'])('the key %s, which is on record besides the name that it claims', async (who) => {
    const there = await shop()
    expect((await decide(there, who, { by: 'ceo@example.com' })).status).toBe(202)
    const log = await there.log()
    const issuer = log.find(({ calls }) => calls.length > 0)!
    expect(standingsIn(issuer, log)[0]?.taken).toMatchObject({
      by: 'ceo@example.com',
      via: { channel: 'key', key: who },
    })
    expect(await decide(there, who, { decision: { do: 'refuse' } })).toMatchObject({
      status: 409,
      body: { error: { decided: { by: 'ceo@example.com', via: { channel: 'key', key: who } } } },
    })
  })

  test('a person in the console, or the operator of this machine, each on record as such', async () => {
    const there = await shop()
    const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const body = JSON.stringify({ key: 'key-of-boss' })
    const login = await fetch(`${there.url}/console/session`, { method: 'POST', headers: own, body })
    const { session } = (await login.json()) as { readonly session: string }
    const cookie = login.headers.get('set-cookie')!.split(';', 1)[0]!
    const page = native(there.url, '')
    const decision = { call: there.open.order, decision: { do: 'run' } }
    const shown = { ...own, cookie, 'minutebook-session': session }
    expect((await page.ask('POST', `${there.at}/decisions`, decision, shown)).status).toBe(202)
    expect(await viaOf(there)).toEqual([{ channel: 'console', key: 'boss' }])

    const other = await shop()
    const answer = { call: other.open.order, decision: { do: 'refuse' } }
    expect((await other.operator.ask('POST', `${other.at}/decisions`, answer)).status).toBe(202)
    expect(await viaOf(other)).toEqual([{ channel: 'local' }])
  })

  test('without keys, anybody on the machine', async () => {
    const there = await shop([])
    expect(await there.as('').ask('GET', '')).toMatchObject({ body: { approves: true } })
    expect((await decide(there, '', { by: 'ann' })).status).toBe(202)
    const decision = (await there.log()).find(({ kind }) => kind === 'decision')!
    expect([decision.speaker, JSON.parse(decision.text)]).toMatchObject(['ann', { via: { channel: 'open' } }])
  })

  test('a key that was made for it while the server runs, and no viewer', async () => {
    const there = await shop()
    const boss = there.as('boss')
    const viewer = await boss.ask('POST', '/keys', { name: 'eye', scope: 'viewer', decide: true })
    expect(viewer).toMatchObject({ status: 400, body: { error: { code: 'invalid_key' } } })
    const made = await boss.ask('POST', '/keys', { name: 'counter', scope: 'app', decide: true })
    expect(made).toMatchObject({ status: 201, body: { name: 'counter', decide: true } })
    const counter = native(there.url, String(made.body['key']))
    expect(await counter.ask('GET', '')).toMatchObject({ body: { key: 'counter', approves: true } })
    const decision = { call: there.open.order, decision: { do: 'run' } }
    expect((await counter.ask('POST', `${there.at}/decisions`, decision)).status).toBe(202)
  })
})
