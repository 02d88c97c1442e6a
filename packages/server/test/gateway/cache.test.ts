import { assistant, system, user, words } from '@minutebook/testing'
import type { Message } from 'minutebook'
import type { CacheUsage } from '@minutebook/inspect'
import type { Receipt } from 'minutebook/inspect'
import { describe, expect, test } from 'vitest'
import { openArchive } from '../../src/archive/open-archive.ts'
import { relayChat } from '../../src/gateway/gateway.ts'
import type { Config } from '../../src/index.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { bearer, keyOf } from '../abuse/support/keys.ts'
import { paths, post } from './support/post.ts'

// An upstream with one slot, which says what it reused.

const text = (about: string): string => `${about} ${'word '.repeat(300)}`
const tools = ['look', 'wait'].map((name) => ({
  type: 'function',
  function: { name, description: name, parameters: { type: 'object', properties: {} } },
}))

async function open(settings: Partial<Config> = {}): Promise<{
  readonly chat: (
    messages: readonly Message[],
    more?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<string | undefined>
  readonly receipts: () => Promise<Receipt[]>
  /** The same figures as the header, as the record tells them later: of all calls, and of each by itself. */
  readonly recorded: () => Promise<{ readonly all: readonly string[]; readonly each: readonly string[] }>
  readonly metrics: () => string
  readonly sent: () => readonly unknown[]
}> {
  const { running, upstream } = await gatewayBefore(
    {
      counter: words,
      // As a server does whose template prints these options at the beginning.
      answer: ({ json, reuse }) => {
        const prints = /reasoning_effort|tool_choice/.test(JSON.stringify(json))
        return { text: 'ok', usage: { cached: prints ? 0 : reuse.tokens } }
      },
    },
    { models: { strict: { window: 100_000 }, other: { window: 100_000 } }, ...settings },
    { chat: relayChat() },
  )
  const { store } = running.services.stores.of('default')
  return {
    chat: async (messages, more = {}, sentHeaders = {}) => {
      const body = { model: 'strict', messages, ...more }
      const { headers } = await post(running.url, paths.openai, body, sentHeaders)
      return headers['minutebook-cache'] as string | undefined
    },
    receipts: async () => {
      const logs = await Promise.all((await store.list()).threads.map(({ thread }) => store.read(thread)))
      return logs
        .flat()
        .filter(({ kind }) => kind === 'receipt')
        .map((entry) => JSON.parse(entry.text) as Receipt)
    },
    recorded: async () => {
      const archive = openArchive(store)
      const [thread] = (await store.list()).threads
      const calls = await archive.cache(thread!.thread)
      const each = calls.map(({ receipt }) => archive.explain(thread!.thread, { receipt }))
      return { all: calls.map(told), each: (await Promise.all(each)).map(({ cache }) => told(cache!)) }
    },
    metrics: () => running.services.metrics.text(),
    sent: () => upstream.requests.map(({ json }) => json),
  }
}

function told({ kept, lost, cause, cached }: CacheUsage): string {
  return [`kept=${kept}`, `lost=${lost}`, ...(cause ? [`cause=${cause}`] : []), `reported=${cached}`].join('; ')
}

const first = [system(text('Be brief.')), ...['Hello', 'there', 'and', 'welcome'].map((about) => user(text(about)))]
const second = [...first, assistant('ok'), user('More')]

describe('the header minutebook-cache', () => {
  test('tells what is kept, and what the upstream says', async () => {
    const { chat, receipts } = await open()
    expect(await chat(first)).toBe('kept=0; lost=0; reported=0')
    expect(await chat(second)).toMatch(/^kept=\d{4}; lost=0; reported=\d{4}$/)
    expect((await receipts()).map(({ between }) => between)).toEqual([undefined, undefined])
  })

  test('has the figures of the record, although the counter is calibrated in between', async () => {
    const { chat, recorded, receipts } = await open()
    const headers = [
      await chat(first, { tools }),
      await chat(second, { tools }),
      await chat([system(text('Be very brief.')), ...second.slice(1)], { tools }),
      await chat([system(text('Be very brief.')), ...second.slice(1)], { tools: tools.toReversed() }),
    ]
    expect(headers.map((header) => /cause=(\w+)/.exec(header!)?.[1])).toEqual([
      undefined,
      undefined,
      'system',
      'tool_order',
    ])
    expect(new Set((await receipts()).map(({ settings }) => settings)).size).toBeGreaterThan(1)
    expect(await recorded()).toEqual({ all: headers, each: headers })
  })

  test('names another system text, and what it cost', async () => {
    const { chat, metrics } = await open()
    await chat(first)
    const told = await chat([system(text('Be very brief.')), ...second.slice(1)])
    expect(told).toMatch(/^kept=\d+; lost=\d{4}; cause=system; reported=0$/)
    expect(metrics()).toMatch(/minutebook_cache_lost_tokens_total\{cause="system"\} \d{4}/)
  })

  test.each([
    ['option', { reasoning_effort: 'high' }],
    ['option', { tool_choice: 'none', tools }],
    ['tool_order', { tools: tools.toReversed() }],
  ])('names %s', async (cause, more) => {
    const { chat } = await open()
    await chat(first, 'tools' in more ? { tools } : {})
    expect(await chat(second, more)).toContain(`cause=${cause}`)
  })

  test('counts an option that changes nothing as none', async () => {
    const { chat } = await open()
    await chat(first, { temperature: 1, max_tokens: 100 })
    expect(await chat(second, { temperature: 0, max_tokens: 200 })).not.toContain('cause')
  })
})

describe('what the upstream answered in between', () => {
  const history = text('<chat_history>\nUSER: Where do the lamps hang?\nASSISTANT: ok\n</chat_history>')
  const asked = [...first, user('Where do the lamps hang?')]
  const next = [...asked, assistant('ok'), user('More')]

  test.each<[string, readonly Message[], object, object]>([
    ['a title, with a limit', [user(`Write a title for this. ${text('Hello')}`)], { max_tokens: 50 }, { tools }],
    ['a title, limited more than the thread', [user(text('A title'))], { max_tokens: 50 }, { max_tokens: 1000 }],
    ['tags of what was asked', [user(`### Task: Write three tags.\n${history}`)], {}, {}],
    ['a title of the question alone', [system('Write a title.'), user('Where do the lamps hang?')], {}, { tools }],
    ['a title, asked in two messages', [system('Be short.'), user('A title for:'), user(history)], {}, { tools }],
  ])('is a side request of the client: %s', async (_, side, terms, usual) => {
    const { chat, receipts } = await open()
    await chat(asked, usual)
    await chat(side, terms)
    expect(await chat(next, usual)).toContain('cause=title')
    expect((await receipts()).map(({ between }) => between).filter(Boolean)).toEqual(['title'])
  })

  const other = text('Another matter')
  test.each<[string, readonly Message[], object, object]>([
    ['with the same tools', [system(text('Be brief.')), user(other)], { tools }, { tools }],
    ['without tools', [system(text('Be brief.')), user(other)], {}, { tools }],
    ['with another system text', [system('Be kind.'), user(other)], {}, {}],
    ['without a system text', [user(other)], {}, { tools }],
    ['with the limit of all its chats', [user(other)], { max_tokens: 1000 }, { max_tokens: 1000 }],
    ['with the same question', [system(text('Be brief.')), user('Where do the lamps hang?')], {}, {}],
    ['that goes on', [user(history), assistant('ok'), user('More')], { max_tokens: 50 }, { tools }],
  ])('is another conversation of the client: %s', async (_, beside, terms, usual) => {
    const { chat } = await open()
    await chat(asked, usual)
    await chat(beside, terms)
    expect(await chat(next, usual)).toContain('cause=thread')
  })

  test('is a side request of another client, which is another thread', async () => {
    const { chat } = await open({ keys: [keyOf('ann'), keyOf('ben')] })
    await chat(asked, {}, bearer('ann'))
    await chat([user(history)], { max_tokens: 50 }, bearer('ben'))
    expect(await chat(next, {}, bearer('ann'))).toContain('cause=thread')
  })

  test('is not recorded if another model answered it', async () => {
    const { chat, receipts } = await open()
    await chat(first)
    await chat([user(text('Another matter'))], { model: 'other' })
    expect(await chat(second)).not.toContain('cause')
    expect((await receipts()).every(({ between }) => between === undefined)).toBe(true)
  })
})

test('the gateway sends sorted tools and a moved line, if it is asked to', async () => {
  const { chat, receipts, sent } = await open({ stabilise: ['tools', 'system'] })
  const dated = (minute: number): Message => system(`It is 12:0${minute}.\n${text('Be brief.')}`)
  await chat([dated(1), ...first.slice(1)], { tools: tools.toReversed(), temperature: 1 })
  const told = await chat([dated(2), ...second.slice(1)], { tools })
  // All lines of the system text are read again, because one of them is at its end now.
  expect(Number(/lost=(\d+)/.exec(told!)?.[1])).toBeGreaterThan(1400)
  expect(sent()).toEqual([
    { model: 'strict', messages: [dated(1), ...first.slice(1)], tools, temperature: 1 },
    { model: 'strict', messages: [system(`${text('Be brief.')}\nIt is 12:02.`), ...second.slice(1)], tools },
  ])
  expect((await receipts()).map(({ stabilised, mode }) => [stabilised, mode])).toEqual([
    [['tools'], 'rewritten'],
    [['system'], 'rewritten'],
  ])
})
