import { assistant, system, user, words } from '@minutebook/testing'
import type { Message } from 'minutebook'
import type { Receipt, Stabiliser } from 'minutebook/inspect'
import { describe, expect, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from './support/post.ts'

// An upstream with one slot, which says what it reused.

const text = (about: string): string => `${about} ${'word '.repeat(300)}`
const tools = ['look', 'wait'].map((name) => ({
  type: 'function',
  function: { name, description: name, parameters: { type: 'object', properties: {} } },
}))

async function open(stabilise: readonly Stabiliser[] = []): Promise<{
  readonly chat: (messages: readonly Message[], more?: object) => Promise<string | undefined>
  readonly receipts: () => Promise<Receipt[]>
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
    { models: { strict: { window: 100_000 }, other: { window: 100_000 } }, stabilise },
    { chat: relayChat() },
  )
  const { store } = running.services.stores.of('default')
  return {
    chat: async (messages, more = {}) => {
      const { headers } = await post(running.url, paths.openai, { model: 'strict', messages, ...more })
      return headers['minutebook-cache'] as string | undefined
    },
    receipts: async () => {
      const logs = await Promise.all((await store.list()).threads.map(({ thread }) => store.read(thread)))
      return logs
        .flat()
        .filter(({ kind }) => kind === 'receipt')
        .map((entry) => JSON.parse(entry.text) as Receipt)
    },
    metrics: () => running.services.metrics.text(),
    sent: () => upstream.requests.map(({ json }) => json),
  }
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
  test('is a side request of the client', async () => {
    const { chat, receipts } = await open()
    await chat(first, { tools })
    await chat([user(`Write a title for this. ${text('Hello')}`)], { max_tokens: 50 })
    expect(await chat(second, { tools })).toContain('cause=title')
    expect((await receipts()).map(({ between }) => between).filter(Boolean)).toEqual(['title'])
  })

  test('is another conversation of the client', async () => {
    const { chat } = await open()
    await chat(first, { tools })
    await chat([system(text('Be brief.')), user(text('Another matter'))], { tools })
    expect(await chat(second, { tools })).toContain('cause=thread')
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
  const { chat, receipts, sent } = await open(['tools', 'system'])
  const dated = (minute: number): Message => system(`It is 12:0${minute}.\n${text('Be brief.')}`)
  await chat([dated(1), ...first.slice(1)], { tools: tools.toReversed(), temperature: 1 })
  await chat([dated(2), ...second.slice(1)], { tools })
  expect(sent()).toEqual([
    { model: 'strict', messages: [dated(1), ...first.slice(1)], tools, temperature: 1 },
    { model: 'strict', messages: [system(`${text('Be brief.')}\nIt is 12:02.`), ...second.slice(1)], tools },
  ])
  expect((await receipts()).map(({ stabilised, mode }) => [stabilised, mode])).toEqual([
    [['tools'], 'rewritten'],
    [['system'], 'rewritten'],
  ])
})
