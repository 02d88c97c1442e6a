import fc from 'fast-check'
import type { Message } from 'minutebook'
import { findMisshapen } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { matchCall } from '../../src/log/exchange.ts'
import { canonicalJson, parseJson } from '../../src/log/json.ts'
import { readMessage, type Call } from '../../src/log/message.ts'
import { noCalls } from '../../src/log/unanswered-calls.ts'
import { toOllama } from '../../src/models/ollama-wire.ts'
import { toOpenAi } from '../../src/models/openai-wire.ts'
import { conversation, text } from '../../../../tests/support/arbitrary.ts'

const wires = [
  ['ollama', toOllama, toOpenAi],
  ['openai', toOpenAi, toOllama],
] as const

/** Whole conversations, with images and reasoning of either shape, and results that name their call in any way. */
const recorded: fc.Arbitrary<Message[]> = fc
  .tuple(conversation, fc.array(fc.tuple(fc.nat({ max: 40 }), extra()), { maxLength: 6 }))
  .map(([messages, extras]) =>
    extras.reduce((all, [at, message]) => all.toSpliced(at % (all.length + 1), 0, ...message), messages),
  )

function extra(): fc.Arbitrary<Message[]> {
  const data = fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  const given = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  return fc.oneof(
    fc.tuple(text(5), fc.array(data, { maxLength: 2 })).map(([content, images]) => [{ role: 'user', content, images }]),
    fc.tuple(text(5), data).map(([said, url]) => [
      {
        role: 'user',
        content: [
          { type: 'text', text: said },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${url}` } },
          'end',
        ],
      },
    ]),
    text(5).map((thinking) => [{ role: 'assistant', content: 'so', thinking }]),
    text(5).map((thought) => [{ role: 'assistant', content: null, reasoning_content: thought, reasoning: 'and' }]),
    fc.tuple(given, fc.boolean()).map(([value, named]) => [
      { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: value } }] },
      { role: 'tool', content: 'r', ...(named && { tool_name: 'f' }) },
    ]),
    given.map((value) => [
      {
        role: 'Assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: JSON.stringify(value) } }],
      },
      { role: 'function', name: 'f', content: 'r' } as Message,
    ]),
  )
}

/** What a prompt says, whatever its shape. Images by their data; a result by the place of its call. */
function sayings(messages: readonly Message[]): unknown[] {
  let open = noCalls
  const places = new Map<Call, string>()
  return messages.map((message, index) => {
    const content = readMessage(message)
    for (const [place, call] of content.calls.entries()) places.set(call, `${index}.${place}`)
    const { answers, open: left } = matchCall(content, open)
    open = left
    return {
      kind: content.kind,
      text: content.text,
      reasoning: content.reasoning,
      calls: content.calls.map(({ name, arguments: given }) => [
        name,
        canonicalJson(typeof given === 'string' ? parseJson(given) : given),
      ]),
      images: content.images.map(imageData),
      answers: answers && places.get(answers),
    }
  })
}

function imageData(image: string): string {
  return image.startsWith('{') ? (/base64,([^"]*)/.exec(image)?.[1] ?? image) : image
}

describe.each(wires)('%s', (wire, encode, back) => {
  test('every conversation says the same in its shape as it was recorded', () => {
    const same = fc.property(recorded, (messages) => {
      expect(sayings(encode(messages))).toEqual(sayings(messages))
    })
    fc.assert(same)
  })

  test('and there and back', () => {
    const same = fc.property(recorded, (messages) => {
      expect(sayings(back(encode(messages)))).toEqual(sayings(messages))
    })
    fc.assert(same)
  })

  test('the shape is one that a strict server takes', () => {
    const same = fc.property(recorded, (messages) => {
      expect(findMisshapen(encode(messages), wire)).toBeUndefined()
    })
    fc.assert(same)
  })

  test('what has the shape is not touched again, and nothing is changed in place', () => {
    fc.assert(
      fc.property(recorded, (messages) => {
        const before = structuredClone(messages)
        const encoded = encode(messages)
        expect(messages).toEqual(before)
        for (const [index, message] of encode(encoded).entries()) expect(message).toBe(encoded[index])
      }),
    )
  })

  test('fields that nobody knows stay', () => {
    fc.assert(
      fc.property(recorded, (messages) => {
        const marked = messages.map((message, mark) => ({ ...message, mark }))
        expect(encode(marked).map((message) => (message as { mark?: number }).mark)).toEqual(
          marked.map(({ mark }) => mark),
        )
      }),
    )
  })

  test('what only our own converters read stays behind', () => {
    const message = {
      role: 'assistant',
      content: 'x',
      sdk: {},
      items: [{ type: 'message' }],
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' }, sdk: {} }],
    }
    expect(JSON.stringify(encode([message]))).not.toMatch(/sdk|items/)
  })
})
