import fc from 'fast-check'
import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { cases } from '../../../../tests/support/runs.ts'
import { ollama } from '../../src/protocol/ollama.ts'
import { openAi } from '../../src/protocol/openai.ts'
import type { Protocol } from '../../src/protocol/protocol.ts'
import { createTap, framingOf, type Framing, type Tap } from '../../src/protocol/tap.ts'

const line = (content: string, rest: object = { done: false }): string =>
  JSON.stringify({ model: 'm', message: { role: 'assistant', content }, ...rest })
const event = (delta: object, finish: string | null = null, index = 0): string =>
  `data: ${JSON.stringify({ choices: [{ index, delta, finish_reason: finish }] })}`
const last = { done: true, done_reason: 'stop' }

interface Heard {
  readonly tap: Tap
  /** What the client gets before and after the answer is on record. */
  readonly before: string
  readonly after: string
}

function hear(protocol: Protocol, framing: Framing, pieces: readonly Buffer[]): Heard {
  const tap = createTap(protocol, framing)
  const out = pieces.map((piece) => tap.push(piece)?.toString('latin1') ?? '')
  out.push(tap.end()?.toString('latin1') ?? '')
  const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString()
  return { tap, before: utf8(out.join('')), after: utf8(tap.held().toString('latin1')) }
}

const all = (protocol: Protocol, framing: Framing, text: string): Heard => hear(protocol, framing, [Buffer.from(text)])

describe('what is held back', () => {
  test.each<[string, Protocol, Framing, string, string, string]>([
    ['the line that says done', ollama, 'lines', `${line('Hi')}\n`, `${line('', last)}\n`, 'Hi'],
    ['whatever follows it', ollama, 'lines', `${line('Hi')}\n`, `${line('!', last)}\n\n{}\n`, 'Hi!'],
    ['a last line without an end', ollama, 'lines', `${line('Hi')}\r\n`, line('', last), 'Hi'],
    ['all of a whole response', ollama, 'whole', '', line('Hi', last), 'Hi'],
    [
      'the finish, the counts and the end',
      openAi,
      'events',
      `${event({ content: 'Hi' })}\n\n`,
      `${event({}, 'stop')}\n\ndata: {"choices":[],"usage":{"prompt_tokens":3}}\n\ndata: [DONE]\n\n`,
      'Hi',
    ],
    [
      'with line ends of two characters',
      openAi,
      'events',
      `${event({ content: 'Hi' })}\r\n\r\n`,
      `${event({}, 'stop')}\r\n\r\ndata: [DONE]\r\n\r\n`,
      'Hi',
    ],
    [
      'with line ends of the other character',
      openAi,
      'events',
      '',
      `${event({ content: 'Hi' })}\r\r${event({}, 'stop')}\r\rdata: [DONE]\r\r`,
      'Hi',
    ],
    [
      'behind comments, names and a byte order mark',
      openAi,
      'events',
      `\ufeff${event({ content: 'H' })}\n\n: ping\n\nevent: x\nid: 1\n${event({ content: 'i' })}\n\n`,
      `data:${event({}, 'stop').slice(6)}\n\ndata:[DONE]\n\n`,
      'Hi',
    ],
    [
      'with data on several lines',
      openAi,
      'events',
      'data: {"choices":\ndata: [{"delta":{"content":"Hi"}}]}\n\n',
      `${event({}, 'stop')}\n\n`,
      'Hi',
    ],
    [
      'from the first of several answers that ends',
      openAi,
      'events',
      `${event({ content: 'Hi' })}\n\n${event({ content: 'Ho' }, null, 1)}\n\n`,
      `${event({}, 'stop')}\n\n${event({ content: '!' }, 'stop', 1)}\n\ndata: [DONE]\n\n`,
      'Hi',
    ],
    [
      'the end of an answer without the closing mark',
      openAi,
      'events',
      `${event({ content: 'Hi' })}\n\n`,
      `${event({}, 'length')}\n\n`,
      'Hi',
    ],
  ])('%s', (_, protocol, framing, before, after, text) => {
    const heard = all(protocol, framing, before + after)
    expect([heard.before, heard.after, heard.tap.shown, heard.tap.hasFailed]).toEqual([before, after, text, false])
    expect(heard.tap.answer().message.content).toBe(text)
  })

  test('an event that was cut off goes nowhere, and there is no answer', () => {
    for (const [protocol, text] of [
      [ollama, line('Hi')],
      [openAi, `${event({ content: 'Hi' })}\n`],
    ] as const) {
      const { tap, before, after } = all(protocol, protocol.framing, `${text}\n${text.slice(0, 20)}`)
      expect([before, after, tap.isDone, tap.shown]).toEqual([`${text}\n`, '', false, 'Hi'])
      expect(() => tap.answer()).toThrow('broke off')
    }
  })

  test('an error of the upstream passes as it is', () => {
    const lines = `${line('Hi')}\n{"error":"out of memory"}\n`
    expect(all(ollama, 'lines', lines)).toMatchObject({
      before: lines,
      after: '',
      tap: { hasFailed: true, shown: 'Hi' },
    })
    const events = `${event({ content: 'Hi' })}\n\ndata: {"error":{"message":"no"}}\n\n`
    expect(all(openAi, 'events', events)).toMatchObject({
      before: events,
      after: '',
      tap: { hasFailed: true, shown: 'Hi' },
    })
  })

  test('what is no JSON passes, and is not part of the answer', () => {
    const text = `garbage\n${line('Hi')}\n\n`
    expect(all(ollama, 'lines', text + line('', last))).toMatchObject({ before: text, after: line('', last) })
  })

  test('is known as soon as the upstream has said it, not when it hangs up', () => {
    const tap = createTap(openAi, 'events')
    tap.push(Buffer.from(`${event({ content: 'Hi' })}\n\n${event({}, 'stop')}\n\n`))
    expect(tap.isDone).toBe(false)
    tap.push(Buffer.from('data: [DONE]\n\n'))
    expect(tap.isDone).toBe(true)
  })
})

test('whole events in one packet pass without being copied', () => {
  const bytes = Buffer.from(`${event({ content: 'a' })}\n\n${event({ content: 'b' })}\n\n`)
  expect(createTap(openAi, 'events').push(bytes)).toBe(bytes)
})

test.each<[string, Protocol, boolean, Framing]>([
  ['text/event-stream; charset=utf-8', openAi, true, 'events'],
  ['text/event-stream', openAi, false, 'events'],
  ['application/json', openAi, true, 'whole'],
  ['application/x-ndjson', ollama, true, 'lines'],
  ['application/json; charset=utf-8', ollama, true, 'lines'],
  ['application/json', ollama, false, 'whole'],
  ['', openAi, true, 'whole'],
])('a response of type "%s" is framed as it says', (type, protocol, streams, framing) => {
  expect(framingOf({ 'content-type': type }, protocol, streams)).toBe(framing)
})

test('a response that cannot be read is held back altogether', () => {
  expect(framingOf({ 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }, openAi, true)).toBe('whole')
})

/** Answers in pieces, with all that a stream may hold, then its end, then what follows it. */
const said: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('\n', 'data: [DONE]', '👩‍💻', '\u2028', '"done":true'),
)

const streams: readonly (readonly [Protocol, fc.Arbitrary<{ readonly text: string; readonly content: string }>])[] = [
  [
    ollama,
    fc
      .tuple(fc.array(said), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
      .map(([pieces, end, bom, blank]) => ({
        content: pieces.join(''),
        text: `${bom ? '\ufeff' : ''}${pieces.map((piece) => line(piece) + end + (blank ? end : '')).join('')}${line('', last)}${end}`,
      })),
  ],
  [
    openAi,
    fc
      .tuple(fc.array(fc.tuple(said, fc.nat(5))), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
      .map(([pieces, end, bom, done]) => ({
        content: pieces.map(([piece]) => piece).join(''),
        text: `${bom ? '\ufeff' : ''}${pieces.map(([piece, kind]) => `${kind === 0 ? `: ping${end}${end}` : ''}${kind === 1 ? `event: delta${end}` : ''}${event({ content: piece })}${end}${end}`).join('')}${event({}, 'stop')}${end}${end}${done ? `data: [DONE]${end}${end}` : ''}`,
      })),
  ],
]

describe.each(streams)('any stream of $name, cut anywhere', (protocol, stream) => {
  test('reaches the client byte for byte, and the record word for word', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 30 }), fc.boolean(), ({ text, content }, places, single) => {
        const bytes = Buffer.from(text)
        const cuts = single
          ? [...bytes.keys()]
          : [...new Set(places.map((place) => place % bytes.length))].toSorted((left, right) => left - right)
        const pieces = [...cuts, bytes.length]
          .map((cut, index, list) => bytes.subarray(index === 0 ? 0 : list[index - 1], cut))
          .filter(({ length }) => length > 0)
        const { tap, before, after } = hear(protocol, protocol.framing, pieces)
        expect(before + after).toBe(text)
        expect(before).not.toContain('finish_reason":"stop"')
        expect(tap.shown).toBe(content)
        expect(tap.answer().message.content ?? '').toBe(content)
      }),
    )
  })

  test('is never passed on beyond a whole event, and never held longer than it must be', () => {
    fc.assert(
      fc.property(stream, ({ text }) => {
        const bytes = Buffer.from(text)
        const tap = createTap(protocol, protocol.framing)
        let passed = ''
        for (const byte of bytes) {
          passed += tap.push(Buffer.from([byte]))?.toString('latin1') ?? ''
          if (passed !== '') expect(passed).toMatch(protocol.framing === 'lines' ? /\n$/ : /\n\r?\n$/)
        }
        const whole = all(protocol, protocol.framing, text)
        expect(Buffer.from(passed, 'latin1').toString()).toBe(whole.before)
      }),
      { numRuns: cases('few') },
    )
  })
})
