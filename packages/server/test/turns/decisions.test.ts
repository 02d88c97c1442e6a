import type { UpstreamAnswer } from '@minutebook/testing/server'
import { describe, expect, test } from 'vitest'
import type { ToolConfig } from '../../src/config/config.ts'
import { nativeServer, type Native } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const parameters = { type: 'object', properties: { item: { type: 'string' } } }
const asks: readonly (string | UpstreamAnswer)[] = [
  {
    calls: [
      { name: 'order', arguments: { item: 'fern' } },
      { name: 'colour', arguments: {} },
    ],
  },
  'Ordered.',
]

/** A server with a tool that needs approval and one that the client runs, and what was ordered. */
async function shop(answer = asks): Promise<{ readonly operator: Native; readonly ordered: string[] }> {
  const ordered: string[] = []
  const upstream = await plainUpstream((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      ordered.push(text)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ordered":true}')
    })
  })
  const tools: ToolConfig[] = [
    { name: 'order', parameters, url: upstream.url, approve: true },
    { name: 'colour', parameters },
  ]
  const { operator } = await nativeServer({ answer }, { tools })
  await operator.ask('POST', '/threads', { thread: 'shop', setup: { tools: ['order', 'colour'] } })
  return { operator, ordered }
}

interface Open {
  readonly id: string
  readonly needs: string
  readonly thread: string
  readonly call: { readonly name: string }
}

describe('a turn that waits, over HTTP', () => {
  test('says what waits, is decided call by call, and goes on', async () => {
    const { operator, ordered } = await shop()
    const seen = await operator.stream('POST', '/threads/shop/turns', { body: { message: 'A fern, please' } })
    expect(seen.at(-1)).toMatchObject({ event: 'end', data: { status: 'waiting' } })
    const turn = String(seen.at(-1)!.data['turn'])
    const waiting = seen.at(-1)!.data['waiting'] as Open[]
    expect(waiting.map(({ needs, call: { name } }) => [name, needs])).toEqual([
      ['order', 'approval'],
      ['colour', 'answer'],
    ])
    const listed = (await operator.ask('GET', '/waiting')).body['calls'] as Open[]
    expect(listed.map(({ thread, id }) => [thread, id]).length).toBe(2)
    const { next } = (await operator.ask('GET', '/waiting?limit=1')).body
    const others = await operator.ask('GET', `/waiting?after=${encodeURIComponent(String(next))}`)
    expect(others.body).toEqual({ calls: listed.slice(1) })
    expect((await operator.ask('GET', '/threads/shop/waiting')).body['calls']).toEqual(waiting)
    expect(await operator.ask('GET', `/threads/shop/turns/${turn}`)).toMatchObject({
      body: { status: 'waiting', waiting },
    })
    const [order, colour] = waiting
    const half = await operator.ask('POST', '/threads/shop/decisions', {
      call: colour!.id,
      decision: { do: 'answer', output: 'green' },
    })
    expect(half).toMatchObject({ status: 202, body: { turn } })
    expect(ordered).toEqual([])
    const rest = await operator.stream('POST', '/threads/shop/decisions', {
      body: { call: order!.id, decision: { do: 'run' }, by: 'ann' },
    })
    expect(rest.at(-1)).toMatchObject({ event: 'end', data: { status: 'complete', turn } })
    expect(ordered).toHaveLength(1)
    expect((await operator.ask('GET', '/waiting')).body).toEqual({ calls: [] })
  })

  test('asks the user if the setup names ask_user, and tells while it waits', async () => {
    const { operator } = await shop([
      { calls: [{ name: 'ask_user', arguments: { question: 'Where?' } }] },
      'A fern for the hall.',
    ])
    await operator.ask('POST', '/threads', { thread: 'asking', setup: { tools: ['ask_user'] } })
    const seen = await operator.stream('POST', '/threads/asking/turns', { body: { message: 'A fern, please' } })
    const [open] = seen.at(-1)!.data['waiting'] as Open[]
    expect(open).toMatchObject({ needs: 'answer', call: { name: 'ask_user', input: { question: 'Where?' } } })
    expect(await operator.ask('POST', '/threads/asking/turns', { message: 'Well?' })).toMatchObject({
      status: 409,
      body: { error: { code: 'busy', message: 'A call waits for a decision.' } },
    })
    const rest = await operator.stream('POST', '/threads/asking/decisions', {
      body: { call: open!.id, decision: { do: 'answer', output: 'In the hall' } },
    })
    expect(rest.at(-1)).toMatchObject({ event: 'end', data: { status: 'complete' } })
    expect(await operator.ask('POST', '/threads', { thread: 'other', setup: { tools: ['ask_usr'] } })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('"ask_usr"') as string } },
    })
  })

  test('refuses a second decision, one that does not fit, and one about another call', async () => {
    const { operator, ordered } = await shop()
    const seen = await operator.stream('POST', '/threads/shop/turns', { body: { message: 'A fern, please' } })
    const [order, colour] = seen.at(-1)!.data['waiting'] as Open[]
    const decide = (call: string, decision: object): ReturnType<Native['ask']> =>
      operator.ask('POST', '/threads/shop/decisions', { call, decision })
    expect(await decide(order!.id, { do: 'answer', output: 'bought' })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_decision' } },
    })
    expect((await decide(order!.id, { do: 'refuse', reason: 'Too dear.' })).status).toBe(202)
    expect((await decide(order!.id, { do: 'refuse', reason: 'Too dear.' })).status).toBe(202)
    expect(await decide(order!.id, { do: 'run' })).toMatchObject({
      status: 409,
      body: { error: { code: 'already_decided', decided: { decision: { do: 'refuse', reason: 'Too dear.' } } } },
    })
    expect(await decide('nothing', { do: 'run' })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_waiting' } },
    })
    expect(await operator.ask('POST', '/threads/shop/cancel')).toMatchObject({ body: { cancelled: true } })
    expect(await decide(colour!.id, { do: 'refuse' })).toMatchObject({ status: 404 })
    expect(ordered).toEqual([])
  })

  test('an erased call is no longer listed, with what it said', async () => {
    const { operator } = await shop()
    await operator.stream('POST', '/threads/shop/turns', { body: { message: 'A fern, please' } })
    expect(JSON.stringify((await operator.ask('GET', '/waiting')).body)).toContain('fern')
    const { body } = await operator.ask('GET', '/threads/shop/entries')
    const answer = (body['entries'] as { id: string; kind: string }[]).find(({ kind }) => kind === 'assistant')
    expect((await operator.ask('POST', '/threads/shop/erase', { entries: [answer?.id] })).status).toBe(200)
    expect((await operator.ask('GET', '/waiting')).body).toEqual({ calls: [] })
  })

  test('a message while it waits is rejected, or waits', async () => {
    const { operator } = await shop([...asks, 'Hello.'])
    const seen = await operator.stream('POST', '/threads/shop/turns', { body: { message: 'A fern, please' } })
    const waiting = seen.at(-1)!.data['waiting'] as Open[]
    expect(await operator.ask('POST', '/threads/shop/turns', { message: 'Hello?' })).toMatchObject({ status: 409 })
    expect(await operator.ask('POST', '/threads/shop/turns', { message: 'Hello?', ifBusy: 'queue' })).toMatchObject({
      status: 202,
      body: { status: 'queued' },
    })
    for (const { id } of waiting)
      await operator.ask('POST', '/threads/shop/decisions', { call: id, decision: { do: 'refuse' } })
    await operator.stream('GET', '/threads/shop/stream?until=rest&from=0.0.0')
    const { body } = await operator.ask('GET', '/threads/shop/entries')
    expect((body['entries'] as { text: string }[]).at(-1)?.text).toBe('Hello.')
  })
})
