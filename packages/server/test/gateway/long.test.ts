import type { UpstreamRequest } from '@minutebook/testing/server'
import type { Message } from 'minutebook'
import { gptTokenizer } from 'minutebook/gpt-tokenizer'
import { describe, expect, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from './support/post.ts'
import { ask, textIn } from './support/wire.ts'

const turns = 60

describe.each(['ollama', 'openai', 'anthropic'] as const)(
  'a client of %s that re-sends everything to a small window',
  (wire) => {
    test(`is never refused in ${turns} turns; the first message and the question are always there, and every prompt can be shown`, async () => {
      const counter = gptTokenizer()
      const { upstream, running } = await gatewayBefore(
        {
          window: 512,
          counter,
          answer: ({ messages }) =>
            `I heard ${String(messages.at(-1)?.content).split('.', 1)[0]}, and much else besides. ${'It is so. '.repeat(8)}`,
        },
        { models: { strict: { window: 512, reserve: 64, counter: 'o200k' } } },
        { chat: relayChat() },
      )
      const messages: Message[] = [{ role: 'system', content: 'You are a lighthouse keeper.' }]
      for (let turn = 0; turn < turns; turn++) {
        messages.push({ role: 'user', content: `question ${turn}. ${'The lamp was lit again tonight. '.repeat(4)}` })
        const { chunks, error } = await ask(wire, running.url, { messages, stream: turn % 2 === 0 })
        expect(error).toBeUndefined()
        const { messages: sent, status, text } = upstream.requests.at(-1)!
        expect([status, text]).toEqual([200, expect.stringContaining('lighthouse keeper')])
        if (wire !== 'anthropic') expect(JSON.stringify(sent[0])).toContain('lighthouse keeper')
        expect(JSON.stringify(sent)).toContain('question 0')
        expect(JSON.stringify(sent.at(-1))).toContain(`question ${turn}.`)
        messages.push({ role: 'assistant', content: chunks.map(textIn).join('') })
      }
      const { store, book } = running.services.stores.of('default')
      const [thread, ...others] = (await store.list()).threads
        .map(({ thread: id }) => id)
        .filter((id) => !id.startsWith('minutebook:'))
      expect(others).toEqual([])
      const log = await store.read(thread!)
      expect([
        log.filter(({ kind }) => kind === 'user').length,
        log.filter(({ kind }) => kind === 'assistant').length,
      ]).toEqual([turns, turns])
      const opened = book.thread(thread!, { counter })
      expect(await opened.verify()).toMatchObject({ ok: true })
      const receipts = await opened.receipts()
      expect(new Set(receipts.map(({ mode }) => mode))).toEqual(new Set(['unchanged', 'rewritten']))
      const asked = upstream.requests.filter(({ tokens }) => tokens > 0)
      for (const at of [0, 2, turns - 1])
        expect((await opened.dump({ receipt: receipts[at]!.id })).messages).toEqual(promptOf(asked[at]!))
    })
  },
)

/** The messages of a request, with the system text that Anthropic's protocol has in its own field. */
function promptOf({ json, messages }: UpstreamRequest): readonly Message[] {
  const { system } = json as { readonly system?: string }
  return [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...messages]
}

test('instructions that fill most of the window are not refused because an agent asks for a long answer', async () => {
  const { upstream, running } = await gatewayBefore(
    { window: 3000, counter: gptTokenizer() },
    { models: { strict: { window: 3000, counter: 'o200k' } } },
    { chat: relayChat() },
  )
  const messages = [
    { role: 'system', content: 'Keep the lamp lit. '.repeat(400) },
    { role: 'user', content: 'Is it lit?' },
  ]
  const asked = await post(running.url, paths.openai, { model: 'strict', messages, max_tokens: 32_000 })
  expect(asked.status).toBe(200)
  expect(upstream.requests.at(-1)).toMatchObject({ status: 200, messages })
  expect(upstream.requests.at(-1)?.tokens).toBeGreaterThan(1600)
})
