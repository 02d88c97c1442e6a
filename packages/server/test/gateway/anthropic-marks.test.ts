import Anthropic from '@anthropic-ai/sdk'
import { cacheUsage } from '@minutebook/inspect'
import type { UpstreamRequest } from '@minutebook/testing/server'
import { canonicalJson } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'

// Agents mark the newest message of each request for the prompt cache. Such a message is sent as blocks. In later
// requests it has no mark any more, and some agents send it as a text again. Servers read both alike. The prompts that
// the gateway makes have one form of it: a cache that compares bytes would take another one for a difference.

const window = 2048
const calls = 80

describe.each(['blocks', 'a text'] as const)('a session whose older messages come as %s', (older) => {
  test('has the same bytes in each prompt, apart from the mark', async () => {
    const { upstream, running } = await gatewayBefore(
      {
        window,
        answer: ({ messages }: UpstreamRequest) => `Noted, of ${messages.length}. ${'The lamp is lit. '.repeat(4)}`,
      },
      { models: { strict: { window } } },
      { chat: relayChat() },
    )
    const client = new Anthropic({ baseURL: running.url, apiKey: 'none', maxRetries: 0 })
    const messages: Anthropic.MessageParam[] = []
    const asked: Anthropic.MessageParam[][] = []
    for (let step = 0; step < calls; step++) {
      messages.push(said('user', `Log ${step}: ${'the lamp was put out, and lit again. '.repeat(3)}`, older))
      asked.push(withMark(messages))
      const { content } = await client.messages.create({
        model: 'strict',
        max_tokens: 256,
        system: 'You read logs.',
        messages: asked.at(-1)!,
      })
      messages.push(
        said('assistant', content.map((block) => (block.type === 'text' ? block.text : '')).join(''), older),
      )
    }
    const sent = upstream.requests.filter(({ path }) => path === '/v1/messages').map((request) => request.messages)
    expect(sent).toHaveLength(calls)
    expect(sent.at(-1)!.length).toBeLessThan(calls)
    expect(sent.every((prompt) => canonicalJson(prompt.at(-1)).includes('cache_control'))).toBe(true)
    const rewritten = sent.filter((prompt, index) => canonicalJson(prompt) !== canonicalJson(asked[index]))
    expect(rewritten.length).toBeGreaterThan(calls / 2)
    const changed = rewritten.slice(1).flatMap((prompt, index) => otherForms(rewritten[index]!, prompt))
    expect(changed).toEqual([])
    const { store } = running.services.stores.of('default')
    const threads = (await store.list()).threads
      .map(({ thread }) => thread)
      .filter((id) => !id.startsWith('minutebook:'))
    const uses = await cacheUsage(await store.read(threads[0]!))
    expect(uses).toHaveLength(calls)
    for (const { call, cause, total, previous, kept } of uses)
      if (cause === undefined) expect({ call, kept }).toEqual({ call, kept: previous })
      else expect([call, cause, total < previous]).toEqual([call, 'own_compaction', true])
  })
})

function said(role: 'user' | 'assistant', text: string, as: 'blocks' | 'a text'): Anthropic.MessageParam {
  return { role, content: as === 'blocks' ? [{ type: 'text', text }] : text }
}

/** With a mark on the newest message. */
function withMark(messages: readonly Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  const { role, content } = messages.at(-1)!
  const [block] = blocksOf(content) as [Anthropic.TextBlockParam]
  return [...messages.slice(0, -1), { role, content: [{ ...block, cache_control: { type: 'ephemeral' } }] }]
}

/** The messages that say the same in two prompts, at the same place, but not in the same bytes. */
function otherForms(before: readonly object[], now: readonly object[]): string[] {
  return now.flatMap((message, index) => {
    const [mine, theirs] = [unmarked(message), unmarked(before[index] ?? {})]
    const isSame = canonicalJson(blocksOf(mine.content)) === canonicalJson(blocksOf(theirs.content))
    return isSame && canonicalJson(mine) !== canonicalJson(theirs) ? [canonicalJson([theirs, mine])] : []
  })
}

function unmarked(message: object): { readonly content: unknown } {
  return JSON.parse(
    JSON.stringify(message, (name, value: unknown) => (name === 'cache_control' ? undefined : value)),
  ) as {
    readonly content: unknown
  }
}

function blocksOf(content: unknown): unknown {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
