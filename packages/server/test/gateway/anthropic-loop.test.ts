import Anthropic from '@anthropic-ai/sdk'
import type { UpstreamAnswer, UpstreamRequest } from '@minutebook/testing/server'
import { gptTokenizer } from 'minutebook/gpt-tokenizer'
import { describe, expect, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'

const window = 8192
const models = { strict: { window, counter: 'o200k' } } as const
const system = [{ type: 'text' as const, text: 'You read logs.', cache_control: { type: 'ephemeral' as const } }]
const task = 'Find the lamp that fails in all logs of the harbour.'
const tools: Anthropic.Tool[] = [
  {
    name: 'read_log',
    description: 'Reads a log.',
    input_schema: { type: 'object', properties: { number: { type: 'number' } } },
    cache_control: { type: 'ephemeral' },
  },
]

/** What the model says at each step: a thought and a call, and in the end an answer. */
const answering =
  (calls: number) =>
  ({ messages }: UpstreamRequest): UpstreamAnswer => {
    const step = Number(/log (\d+) is/.exec(JSON.stringify(messages.at(-1)))?.[1] ?? -1) + 1
    const reasoning = `Step ${step}: ${'I must look at the next log, for the lamp was on. '.repeat(3)}`
    if (step === calls) return { reasoning, text: 'It is the third lamp.' }
    return { reasoning, text: `I read log ${step}.`, calls: [{ name: 'read_log', arguments: { number: step } }] }
  }

const reminder: Anthropic.TextBlockParam = { type: 'text', text: 'Reminder: the list of things to do is empty.' }

describe.each([
  [200, 'results alone', []],
  [60, 'results with a reminder behind them', [reminder]],
])('an agent that calls a tool %i times, and sends %s', (calls, _, behind) => {
  test('thinks all the while; no request is refused, each has the task and the newest result', async () => {
    const { upstream, running } = await gatewayBefore(
      { window, counter: gptTokenizer(), answer: answering(calls) },
      { models },
      { chat: relayChat() },
    )
    const client = new Anthropic({ baseURL: running.url, apiKey: 'none', maxRetries: 0 })
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }]
    let newest = task
    for (let step = 0; step <= calls; step++) {
      const asked = {
        model: 'strict',
        max_tokens: 2048,
        thinking: { type: 'enabled', budget_tokens: 1024 },
        system,
        tools,
        messages: withMark(messages),
      } as const
      const { content, stop_reason: reason } =
        step % 2 === 0 ? await client.messages.stream(asked).finalMessage() : await client.messages.create(asked)
      expect(content.map(({ type }) => type)).toEqual(['thinking', 'text', ...(step === calls ? [] : ['tool_use'])])
      const sent = upstream.requests.at(-1)!
      expect([sent.status, sent.path, sent.json]).toMatchObject([200, '/v1/messages', { system, tools }])
      expect(JSON.stringify(sent.messages[0])).toContain(task)
      expect(JSON.stringify(sent.messages.at(-1))).toContain(newest)
      messages.push({ role: 'assistant', content })
      expect(reason).toBe(step === calls ? 'end_turn' : 'tool_use')
      newest = `log ${step} is quiet: ${'the lamp was lit, and put out again. '.repeat(6)}`
      messages.push({
        role: 'user',
        content: [
          ...content.flatMap((block) =>
            block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: newest }] : [],
          ),
          ...behind,
        ],
      })
    }
    const asked = upstream.requests.filter(({ path }) => path === '/v1/messages')
    expect([asked.length, new Set(asked.map(({ status }) => status))]).toEqual([calls + 1, new Set([200])])
    expect(asked.at(-1)!.messages.length).toBeLessThan(calls)
    const { store, book } = running.services.stores.of('default')
    const threads = (await store.list()).threads
      .map(({ thread }) => thread)
      .filter((id) => !id.startsWith('minutebook:'))
    expect(threads).toHaveLength(1)
    expect(await book.thread(threads[0]!).verify()).toMatchObject({ ok: true })
    const log = await store.read(threads[0]!)
    const count = (kind: string): number => log.filter((entry) => entry.kind === kind).length
    expect([count('assistant'), count('tool'), count('receipt')]).toEqual([calls + 1, calls, calls + 1])
  })
})

/** With a mark for the prompt cache on the newest block, as agents send it. */
function withMark(messages: readonly Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  const last = messages.at(-1)!
  const blocks = typeof last.content === 'string' ? [{ type: 'text' as const, text: last.content }] : last.content
  const marked = blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block,
  )
  return [...messages.slice(0, -1), { ...last, content: marked } as Anthropic.MessageParam]
}
