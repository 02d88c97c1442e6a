import { words } from '@minutebook/testing'
import { expect, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from './support/post.ts'

// Anthropic's servers cache what a client marks with `cache_control`, and nothing behind the last mark.

const long = 'word '.repeat(1500)
const mark = { cache_control: { type: 'ephemeral' } }

async function headers(mark: object): Promise<unknown[]> {
  const { running } = await gatewayBefore(
    { counter: words, window: 100_000, answer: () => ({ text: 'ok' }) },
    { models: { strict: { window: 100_000 } } },
    { chat: relayChat() },
  )
  const system = [{ type: 'text', text: `Be brief. ${long}`, ...mark }]
  const messages: object[] = []
  const told: unknown[] = []
  for (const about of ['first', 'second', 'third']) {
    messages.push({ role: 'user', content: `${about} ${long}` })
    const body = { model: 'strict', max_tokens: 60, system, messages }
    const answer = await post(running.url, paths.anthropic, body)
    told.push(answer.headers['minutebook-cache'])
    messages.push({ role: 'assistant', content: 'ok' })
  }
  return told
}

test('what is behind the last mark is not missed', async () => {
  const [, second, third] = await headers(mark)
  expect(second).toMatch(/^kept=(15\d\d); lost=0; reported=\1$/)
  expect(third).toBe(second)
})

test('without a mark, nothing is kept, and the upstream says so', async () => {
  expect(await headers({})).toEqual(Array.from({ length: 3 }, () => 'kept=0; lost=0; reported=0'))
})
