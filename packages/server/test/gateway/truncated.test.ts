import { assistant, user } from '@minutebook/testing'
import type { Message } from 'minutebook'
import { gptTokenizer } from 'minutebook/gpt-tokenizer'
import { describe, expect, test } from 'vitest'
import { relayChat } from '../../src/gateway/gateway.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { paths, post } from './support/post.ts'
import { bodyOf } from './support/wire.ts'

const models = { strict: { window: 100_000, counter: 'o200k' } }
const long = 'The harbour was quiet that morning, and the boats lay still. '.repeat(60)

describe.each(['ollama', 'openai', 'anthropic'] as const)('an upstream of %s', (wire) => {
  const body = (messages: readonly Message[], stream: boolean): object => bodyOf(wire, messages, stream)

  test('that cuts a prompt and says nothing is caught: at once in a whole answer, in the next one after a stream', async () => {
    const { running } = await gatewayBefore(
      { window: 512, onOverflow: 'halve', counter: gptTokenizer() },
      { models },
      { chat: relayChat() },
    )
    const whole = await post(running.url, paths[wire], body([user(long)], false))
    expect(whole.headers['minutebook-tokens']).toMatch(/^\d+; reported=\d+; truncated=yes$/)
    const streamed = await post(running.url, paths[wire], {
      ...body([user(`${long}!`)], true),
      stream_options: { include_usage: true },
    })
    expect(streamed.headers['minutebook-tokens']).toMatch(/^\d+$/)
    const next = await post(running.url, paths[wire], body([user(`${long}!`), assistant('ok'), user('And?')], true))
    expect(next.headers['minutebook-thread']).toBe(streamed.headers['minutebook-thread'])
    expect(next.headers['minutebook-tokens']).toMatch(/^\d+; last-truncated=yes$/)
    expect(running.services.metrics.text()).toContain('minutebook_upstream_truncated_total{truncated="yes"}')
  })

  test('that is honest is not accused, and one that does not count is not known', async () => {
    const { upstream, running } = await gatewayBefore({ counter: gptTokenizer() }, { models }, { chat: relayChat() })
    const honest = await post(running.url, paths[wire], body([user(long)], false))
    // The operator says the window, so nobody asked what kind of server it is: by OpenAI's protocol it may count what
    // it was sent.
    expect(honest.headers['minutebook-tokens']).toMatch(wire === 'ollama' ? /truncated=no$/ : /truncated=unknown$/)
    upstream.next({ usage: false })
    const silent = await post(running.url, paths[wire], body([user(long)], false))
    expect(silent.headers['minutebook-tokens']).toMatch(/^\d+; truncated=unknown$/)
  })
})
