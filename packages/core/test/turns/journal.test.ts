import fc from 'fast-check'
import type { Message } from 'minutebook'
import { assistant, call, ollamaAssistant, ollamaCall, ollamaResult, result, system, user } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { journalOf } from '../../src/turns/notes.ts'
import { conversation } from '../../../../tests/support/arbitrary.ts'
import { branchOf, type Line } from '../support/lines.ts'

const q = user('Make it red.')
const a = assistant('Done.')
const set = call('1', 'set_lamp', { id: 3, color: 'red' })
const list = call('2', 'list_lamps')
const ollama = (...names: string[]): Message =>
  ollamaAssistant('', ...names.map((name) => ollamaCall(name, { of: name })))
const image = { type: 'image_url', image_url: { url: 'data:,' } }

describe('the journal of a turn', () => {
  test.each<[string, Line[], string[] | undefined]>([
    ['without tools is none', [q, a], undefined],
    ['of nothing is none', [], undefined],
    [
      'with a note by tool alone is none',
      [q, assistant('', call('1', 'note_to_self', { text: 'x' })), result('1', 'kept'), a],
      undefined,
    ],
    [
      'names the tool, its arguments and how much came back',
      [q, assistant('', set), result('1', 'x'.repeat(512)), a],
      ['set_lamp with id: 3, color: "red" → 512 characters'],
    ],
    ['without arguments', [q, assistant('', list), result('2', '[]'), a], ['list_lamps → 2 characters']],
    ['with one character', [q, assistant('', list), result('2', '1')], ['list_lamps → 1 character']],
    [
      'with nothing but an image',
      [q, assistant('', list), { role: 'tool', tool_call_id: '2', content: [image] }],
      ['list_lamps → 0 characters, 1 image'],
    ],
    [
      'with arguments that are no JSON',
      [
        q,
        { role: 'assistant', tool_calls: [{ function: { name: 'sh', arguments: 'ls -l\n| wc' } }] },
        ollamaResult('sh', '1'),
      ],
      ['sh with ls -l | wc → 1 character'],
    ],
    [
      'with a call that failed',
      [q, assistant('', set), [result('1', 'no lamp\nwith this id'), { status: 'failed' }], a],
      ['set_lamp with id: 3, color: "red" → failed, 20 characters'],
    ],
    [
      'with a call that a client says there was',
      [q, [assistant('', set), { origin: 'import' }], result('1', 'ok'), assistant('', list), result('2', 'abc'), a],
      ['list_lamps → 3 characters'],
    ],
    [
      'with no call but one that a client says there was',
      [q, [assistant('', set), { origin: 'import' }], result('1', 'ok'), a],
      undefined,
    ],
    [
      'with a call that was cancelled',
      [q, assistant('', list), [result('2', '(cancelled)'), { status: 'cancelled' }]],
      ['list_lamps → interrupted, no result'],
    ],
    [
      'with a call that never came back',
      [q, assistant('', set, list), result('1', 'ok')],
      ['set_lamp with id: 3, color: "red" → 2 characters', 'list_lamps → interrupted, no result'],
    ],
    [
      'with a result that was cut',
      [q, assistant('', list), [result('2', 'abc'), { status: 'partial' }]],
      ['list_lamps → 3 characters, cut off'],
    ],
    [
      'with results out of order',
      [q, assistant('', set, list), result('2', 'abc'), result('1', 'ok')],
      ['set_lamp with id: 3, color: "red" → 2 characters', 'list_lamps → 3 characters'],
    ],
    [
      'with the same call twice',
      [q, ollama('f', 'f'), ollamaResult('f', 'a'), ollamaResult('f', 'bc')],
      ['f with of: "f" → 1 character', 'f with of: "f" → 2 characters'],
    ],
    [
      'with several steps',
      [q, ollama('f'), ollamaResult('f', 'a'), ollama('g'), ollamaResult('g', 'bc'), a],
      ['f with of: "f" → 1 character', 'g with of: "g" → 2 characters'],
    ],
    [
      'with a note among the calls',
      [q, assistant('', call('9', 'note_to_self', { text: 'x' }), list), result('9', 'kept'), result('2', 'abc')],
      ['list_lamps → 3 characters'],
    ],
    [
      'with entries for the record between call and result',
      [
        q,
        assistant('', list),
        [system('{}'), { kind: 'receipt' }],
        [system('x'), { kind: 'note' }],
        result('2', 'abc'),
      ],
      ['list_lamps → 3 characters'],
    ],
    [
      'with a result that nobody asked for',
      [q, assistant('', list), result('2', 'abc'), result('7', 'stray')],
      ['list_lamps → 3 characters'],
    ],
    [
      'with a name that brings line breaks',
      [q, ollama('f\n- rm → 2 characters\u2028g'), a],
      ['f - rm → 2 characters g with of: "f - rm → 2 characters g" → interrupted, no result'],
    ],
    ['with a name that is nothing', [q, ollama(' '), a], ['a tool with of: "" → interrupted, no result']],
    ['with nine calls', [q, ...calls(9)], [...lines(8), '… and 1 more call']],
    ['with eleven calls', [q, ...calls(11)], [...lines(8), '… and 3 more calls']],
    ['with eight calls', [q, ...calls(8)], lines(8)],
  ])('%s', (_, given, expected) => {
    expect(journalOf(branchOf(given))?.split('\n')).toEqual(expected)
  })

  test('has at most nine lines of at most 160 characters, whatever the tools are called and say', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.constantFrom('\n', 'x'.repeat(400), '😀'.repeat(200), 'word '.repeat(99), '\u2028\u0085\v'),
    )
    const step = fc.tuple(
      text,
      fc.dictionary(text, fc.oneof(text, fc.nat(), fc.array(text))),
      text,
      fc.constantFrom('complete' as const, 'failed' as const, 'cancelled' as const),
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const journal = journalOf(
          branchOf([
            q,
            ...steps.flatMap(([name, given, said, status]): Line[] => [
              { role: 'assistant', tool_calls: [{ id: '1', function: { name, arguments: given } }] },
              [result('1', said), { status }],
            ]),
          ]),
        )
        const written = journal?.split(/[\n\r\v\f\u0085\u2028\u2029]/) ?? []
        expect(written).toHaveLength(Math.min(9, steps.length))
        for (const line of written) expect(line.length).toBeLessThanOrEqual(160)
      }),
    )
  })

  test('has a line for every call but notes, in any conversation', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const entries = branchOf(messages)
        const count = entries.flatMap(({ calls: made }) => made).length
        const written = journalOf(entries)?.split('\n') ?? []
        expect(written.filter((line) => / → (\d+ characters?|interrupted)/.test(line))).toHaveLength(Math.min(8, count))
      }),
    )
  })
})

function calls(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => [ollama(`f${index}`), ollamaResult(`f${index}`, 'abc')]).flat()
}

function lines(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `f${index} with of: "f${index}" → 3 characters`)
}
