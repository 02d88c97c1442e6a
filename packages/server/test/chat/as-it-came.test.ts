import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toOllama, toOpenAi, type Message } from 'minutebook'
import { findIllegal, findMisshapen, strictUpstream, type UpstreamAnswer } from 'minutebook/testing'
import { conversation } from '../../../core/test/support/arbitrary.ts'
import { gatewayBefore } from '../support/gateway.ts'
import { inMemory } from './support/interposed.ts'
import { paths, post } from './support/post.ts'

/** Of each protocol. */
const chats = process.env['CI'] === undefined ? 20 : 500

const answer: fc.Arbitrary<UpstreamAnswer> = fc.record(
  { text: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), reasoning: fc.string(), calls: fc.array(fc.record({ name: fc.constant('now'), arguments: fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<unknown>) }), { maxLength: 2 }) },
  { requiredKeys: ['text'] },
)

/** Anything that a strict server takes, in any spelling of JSON. */
const chat = fc.record({
  messages: conversation,
  stream: fc.constantFrom(true, false, undefined),
  spelling: fc.constantFrom(undefined, 1, 2, '\t'),
  last: fc.boolean(),
  extra: fc.dictionary(fc.stringMatching(/^x_[a-z]{1,5}$/), fc.jsonValue(), { maxKeys: 2 }),
  split: fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: fc.constant(64) }, { weight: 1, arbitrary: fc.constant(7) }),
  answer,
})

describe.each(['ollama', 'openai'] as const)('chats of %s that fit', (wire) => {
  test(`reach the upstream and come back byte for byte, ${chats} of them`, async () => {
    const options = { answer: () => said, usage: true }
    let said: UpstreamAnswer = {}
    const bare = await strictUpstream(options)
    onTestFinished(() => bare.close())
    const { upstream, running } = await gatewayBefore(options, { models: { strict: { window: 1_000_000, reserve: 100 } } }, { chat: inMemory() })
    let relayed = 0
    const property = fc.asyncProperty(chat, async ({ messages, stream, spelling, last, extra, split, answer: told }) => {
      const given = legal(messages, wire)
      fc.pre(given.length > 0)
      const fields = { model: 'strict', ...(stream !== undefined && { stream }) }
      const body = JSON.stringify(last ? { ...fields, ...extra, messages: given } : { messages: given, ...extra, ...fields }, null, spelling)
      said = told
      for (const each of [bare, upstream]) each.next({ ...(split !== undefined && { split }) })
      const expected = await post(bare.url, paths[wire], body)
      const seen = await post(running.url, paths[wire], body)
      expect(seen.text).toBe(expected.text)
      expect(seen.status).toBe(expected.status)
      expect(seen.headers['content-type']).toBe(expected.headers['content-type'])
      expect(upstream.requests.at(-1)?.text).toBe(body)
      expect(seen.headers['minutebook-recorded']).toBe('yes')
      if (seen.status === 200) relayed++
    })
    await fc.assert(property, { numRuns: chats })
    expect(relayed).toBeGreaterThan(chats / 2)
  })
})

function legal(messages: readonly Message[], wire: 'ollama' | 'openai'): readonly Message[] {
  const shaped = wire === 'ollama' ? toOllama(messages) : toOpenAi(messages)
  return findMisshapen(shaped, wire) === undefined && findIllegal(shaped, {}) === undefined ? shaped : shaped.filter(({ role }) => role === 'user' || role === 'system')
}
