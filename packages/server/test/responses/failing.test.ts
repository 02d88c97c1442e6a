import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type OpenAI from 'openai'
import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import { openBook, type Store } from 'minutebook'
import type { NewEntry } from 'minutebook/store'
import { systemClock } from 'minutebook/clock'
import type { UpstreamFaults } from '@minutebook/testing/server'
import type { Running } from '../../src/index.ts'
import { deferred } from '../../../../tests/support/deferred.ts'
import { brief, echo, failure, given, seat, sent, threadsOf, type Seat } from './support/client.ts'

const model = 'strict'
const words = 'one two three four five'

describe('an upstream that fails', () => {
  test.each([400, 401, 403, 404, 422, 429, 500, 502, 503])(
    'with status %i says so to the client, and the conversation goes on',
    async (status) => {
      const at = await seat({ answer: echo })
      const first = await at.client.responses.create({ model, input: 'one' })
      for (const stream of [false, true]) {
        at.upstream.next({ failWith: status, errorText: 'no luck' })
        expect(
          await failure(at.client.responses.create({ model, input: 'two', previous_response_id: first.id, stream })),
        ).toMatchObject({ status, message: expect.stringContaining('no luck') })
      }
      await at.client.responses.create({ model, input: 'two', previous_response_id: first.id })
      expect(brief(sent(at))).toEqual(['u:one', 'a:heard one', 'u:two'])
      await verified(at)
    },
  )

  const faults: readonly (readonly [string, UpstreamFaults, string])[] = [
    ['an error in mid-stream', { errorAfter: 3 }, 'one two '],
    ['an error at the beginning', { errorAfter: 0 }, ''],
    ['a connection that breaks', { abortAfter: 3 }, 'one two '],
    ['a connection that breaks at once', { abortAfter: 1 }, ''],
    ['an early end', { endAfter: 4 }, 'one two three '],
    ['an end that says nothing', { endAfter: 1 }, ''],
  ]
  test.each(faults)(
    'by %s ends the stream with response.failed, and what was shown is on record',
    async (_, fault, shown) => {
      const at = await seat({ answer: words })
      at.upstream.next(fault)
      const events = await gathered(await at.client.responses.create({ model, input: 'Hello', stream: true }))
      const last = events.at(-1)!
      expect(last).toMatchObject({
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'server_error', message: expect.any(String) } },
      })
      expect(textIn(events)).toBe(shown)
      const { id } = 'response' in last ? last.response : { id: '' }
      const kept = await at.client.responses.retrieve(id)
      expect([kept.status, kept.output_text]).toEqual(['failed', shown])
      await at.client.responses.create({ model, input: 'And?', previous_response_id: id })
      expect(brief(sent(at))).toEqual(['u:Hello', ...(shown === '' ? [] : [`a:${shown}`]), 'u:And?'])
      await verified(at)
    },
  )

  test.each([
    ['a connection that breaks', { abortAfter: 0 }, 502],
    ['half a body', { endAfter: 0 }, 502],
    ['an error in a whole answer', { errorAfter: 0 }, 502],
  ] as const)('by %s is a status for whoever waits for the whole', async (_, fault, status) => {
    const at = await seat({ answer: words })
    at.upstream.next(fault)
    expect(await failure(at.client.responses.create({ model, input: 'Hello' }))).toMatchObject({
      status,
      code: expect.any(String),
    })
    await verified(at)
  })

  test('by not being there', async () => {
    const at = await seat({}, { upstreams: [{ url: 'http://127.0.0.1:1' }] })
    for (const stream of [false, true])
      expect(await failure(at.client.responses.create({ model, input: 'Hello', stream }))).toMatchObject({
        status: 502,
      })
  })
})

describe('a client that leaves', () => {
  test.each([1, 2, 3])(
    'after %i words ends the call; what it saw is on record, and can be gone on from',
    async (count) => {
      const at = await seat({ answer: [words, 'ok'] })
      at.upstream.next({ stallAfter: count + 1, answer: words })
      const stream = await at.client.responses.create({ model, input: 'Hello', stream: true })
      const events: ResponseStreamEvent[] = []
      for await (const event of stream) {
        events.push(event)
        if (textIn(events).split(' ').length > count) break
      }
      const created = events[0]!
      const { id } = 'response' in created ? created.response : { id: '' }
      await expect.poll(async () => (await at.client.responses.retrieve(id)).status).toBe('cancelled')
      await at.upstream.requests.at(-1)?.closed
      expect(at.upstream.requests.at(-1)).toMatchObject({ aborted: true })
      const kept = await at.client.responses.retrieve(id)
      expect(kept.output).toMatchObject([{ type: 'message', status: 'incomplete' }])
      expect(kept.output_text).toBe(textIn(events))
      await at.client.responses.create({ model, input: 'Go on', previous_response_id: id })
      expect(brief(sent(at))).toEqual(['u:Hello', `a:${textIn(events)}`, 'u:Go on'])
      await verified(at)
    },
  )

  test('before anything came leaves a question that is not answered', async () => {
    const at = await seat({ stallAfter: 0 })
    const leaving = new AbortController()
    const asked = at.client.responses.create({ model, input: 'Hello' }, { signal: leaving.signal })
    const refused = failure(asked)
    await expect.poll(() => at.upstream.requests.some(({ path }) => path === '/v1/chat/completions')).toBe(true)
    leaving.abort()
    await refused
    await expect.poll(async () => (await logOf(at)).some(({ kind }) => kind === 'stop')).toBe(true)
    expect((await logOf(at)).filter(({ kind }) => kind === 'assistant')).toEqual([])
    await verified(at)
  })
})

describe('the record', () => {
  test.each([false, true])('has the answer before it looks whole, streamed: %s', async (stream) => {
    const at = await seat({ answer: words })
    const held = deferred()
    interpose(at.running, async (entries) => {
      if (entries.some(({ kind }) => kind === 'receipt')) await held.promise
    })
    const seen: string[] = []
    const asked = (async () => {
      const answer = await at.client.responses.create({ model, input: 'Hello', stream })
      if (!(Symbol.asyncIterator in answer)) return void seen.push('whole')
      for await (const { type } of answer) seen.push(type)
    })()
    if (stream) await expect.poll(() => seen.filter((type) => type === 'response.output_text.delta').length).toBe(5)
    await pause(100)
    expect(seen.filter((type) => ['whole', 'response.completed', 'response.output_item.done'].includes(type))).toEqual(
      [],
    )
    held.resolve()
    await asked
    expect(seen.at(-1)).toBe(stream ? 'response.completed' : 'whole')
  })

  test.each([false, true])(
    'that cannot be written refuses the question, and asks nobody, streamed: %s',
    async (stream) => {
      const at = await seat()
      interpose(at.running, () => Promise.reject(new Error('disk full')))
      expect(await failure(at.client.responses.create({ model, input: 'Hello', stream }))).toMatchObject({
        status: 503,
        code: 'store_unreachable',
      })
      expect(at.upstream.requests.filter(({ path }) => path === '/v1/chat/completions')).toEqual([])
      expect(await failure(at.client.conversations.create())).toMatchObject({ status: 503 })
    },
  )

  test('that fails when the receipt is written fails the response, and never silently', async () => {
    const at = await seat({ answer: words })
    interpose(at.running, (entries) =>
      entries.some(({ kind }) => kind === 'receipt') ? Promise.reject(new Error('disk full')) : undefined,
    )
    expect(await failure(at.client.responses.create({ model, input: 'Hello' }))).toMatchObject({
      status: 503,
      code: 'answer_not_recorded',
    })
    const events = await gathered(await at.client.responses.create({ model, input: 'Hello', stream: true }))
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } })
    expect(events.some(({ type }) => type === 'response.completed')).toBe(false)
  })

  test.each([false, true])('keeps notes to self, and no client sees one, streamed: %s', async (streams) => {
    const at = await seat(
      { answer: ['Noted. [NOTE TO SELF: canary quince?]', 'ok', 'ok'] },
      { policy: { preset: 'default', notes: true } },
    )
    const { id: conversation } = await at.client.conversations.create()
    const { response, events } = await given(at.client, { model, input: 'Hello', conversation }, streams)
    const items = await at.client.conversations.items.list(conversation)
    const shown = JSON.stringify([response, events, await at.client.responses.retrieve(response.id), items.data])
    expect(shown).toContain('Noted.')
    expect(shown).not.toContain('quince?')
    await at.client.responses.create({ model, input: 'And?', conversation })
    expect(JSON.stringify(sent(at))).toContain('canary quince?')
  })

  test('headers tell of thread, receipt, tokens and window', async () => {
    const at = await seat()
    const { data, response } = await at.client.responses.create({ model, input: 'Hello' }).withResponse()
    const [thread] = await threadsOf(at.running)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'minutebook-thread': thread,
      'minutebook-turn': expect.any(String),
      'minutebook-receipt': expect.any(String),
      'minutebook-tokens': expect.stringContaining('reported='),
      'minutebook-window': expect.stringContaining('4096'),
      'minutebook-recorded': 'yes',
      'minutebook-omitted': '0',
    })
    const { response: unkept } = await at.client.responses
      .create({ model, input: 'Hello', store: false })
      .withResponse()
    expect(unkept.headers.get('minutebook-recorded')).toBe('no')
    expect(data.id).toContain(thread)
    const unstored = await at.client.responses.create({ model, input: 'Hello', store: false }).withResponse()
    expect(unstored.response.headers.get('minutebook-receipt')).toBeNull()
  })
})

async function gathered(stream: AsyncIterable<ResponseStreamEvent>): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

function textIn(events: readonly ResponseStreamEvent[]): string {
  return events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('')
}

async function logOf({ running }: Seat): ReturnType<Store['read']> {
  const [thread] = await threadsOf(running)
  return running.services.stores.of('default').store.read(thread ?? 'none')
}

/** Every thread holds, entry by entry and prompt by prompt. */
async function verified({ running }: Seat): Promise<void> {
  const { book } = running.services.stores.of('default')
  for (const thread of await threadsOf(running)) expect(await book.thread(thread).verify()).toMatchObject({ ok: true })
}

/** Puts something before every append to a thread of people. */
function interpose({ services }: Running, before: (entries: readonly NewEntry[]) => Promise<void> | undefined): void {
  const { store } = services.stores.of('default')
  const wrapped: Store = Object.assign(Object.create(store) as Store, {
    append: async (...[thread, entries, terms]: Parameters<Store['append']>) => {
      if (!thread.startsWith('minutebook:')) await before(entries)
      return store.append(thread, entries, terms)
    },
  })
  const book = openBook({ store: wrapped, clock: systemClock })
  const opened = { store: wrapped, book, relays: book }
  Object.assign(services.stores, { of: () => opened })
}

test.each([
  ['is deleted', (client: OpenAI, id: string) => client.responses.delete(id)],
  ['has its input listed', (client: OpenAI, id: string) => client.responses.inputItems.list(id)],
])('if there is no memory for its thread, no response %s', async (_, ask) => {
  const at = await seat()
  const { id } = await at.client.responses.create({ model, input: 'Hello' })
  const { threads } = at.running.services.memory
  const spies = [
    vi.spyOn(threads, 'take').mockResolvedValue(false),
    vi.spyOn(threads, 'takeSmall').mockReturnValue(false),
  ]
  expect(await failure(Promise.resolve(ask(at.client, id)))).toMatchObject({ status: 503, code: 'overloaded' })
  for (const spy of spies) spy.mockRestore()
  expect((await at.client.responses.retrieve(id)).status).toBe('completed')
})
