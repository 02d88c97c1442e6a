import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assistant, system, user, words } from '@minutebook/testing'
import type { Message } from 'minutebook'
import { cases } from '../../../../tests/support/runs.ts'
import { paths, post } from '../gateway/support/post.ts'
import type { WireName } from '../gateway/support/wire.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { inMemory } from '../gateway/support/interposed.ts'
import { looked, wires } from './support/conversation.ts'

const long = (count: number): string => 'word '.repeat(count).trim()
const tools = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'function',
    function: { name: `tool_${index}`, description: long(10), parameters: { type: 'object' } },
  }))

interface Flood {
  readonly messages: readonly Message[]
  readonly tools?: readonly object[]
}

/** Requests that are mostly one thing, and that too large. */
const floods: readonly (readonly [name: string, flood: (wire: WireName, size: number) => Flood])[] = [
  [
    'a first question without end',
    (_, size) => ({ messages: [user(long(size)), assistant('Yes.'), user('And now?')] }),
  ],
  ['a last question without end', (_, size) => ({ messages: [user('Hi'), assistant('Yes.'), user(long(size))] })],
  ['a system message without end', (_, size) => ({ messages: [system(long(size)), user('Hi')] })],
  ['an answer without end', (_, size) => ({ messages: [user('Hi'), assistant(long(size)), user('And now?')] })],
  ['a result without end', (wire, size) => ({ messages: [user('Look.'), ...looked(wire, long(size))] })],
  ['tools without end', (_, size) => ({ messages: [user('Hi')], tools: tools(Math.ceil(size / 12)) })],
  [
    'questions without end',
    (_, size) => ({
      messages: [
        ...Array.from({ length: Math.ceil(size / 10) }, (__, index) => [
          user(`Question ${index} ${long(8)}`),
          assistant('Yes.'),
        ]).flat(),
        user('Last?'),
      ],
    }),
  ],
]

const windows = [16, 40, 100, 300, 1000, 3000, 8192]
const models = Object.fromEntries(windows.map((window) => [`of-${window}`, { window }]))

describe.each(wires)('A10: over %s', (wire) => {
  test.each(floods)('%s: fitted into any window or refused in words, and never cut in silence', async (_, flood) => {
    const { upstream, running } = await gatewayBefore({ counter: words }, { models }, { chat: inMemory() })
    const chats = (): typeof upstream.requests => upstream.requests.filter(({ path }) => path === paths[wire])
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...windows), fc.integer({ min: 1, max: 12_000 }), async (window, size) => {
        const before = chats().length
        // The upstream refuses what is longer than this, and so notices each prompt of ours that is.
        const body = { model: `of-${window}`, stream: false, ...flood(wire, size), options: { num_ctx: window } }
        const { status, json } = await post(running.url, paths[wire], body)
        seen.add(status)
        expect([status, chats().length - before]).toEqual(status === 200 ? [200, 1] : [400, 0])
        const error =
          wire === 'ollama'
            ? expect.stringMatching(/window/)
            : expect.objectContaining({ code: 'context_length_exceeded' })
        if (status !== 200) expect(json).toEqual({ error })
      }),
      // One that is refused and one that fits, whatever else is drawn.
      {
        numRuns: cases('few'),
        examples: [
          [16, 12_000],
          [8192, 1],
        ],
      },
    )
    expect(seen).toEqual(new Set([200, 400]))
  })
})
