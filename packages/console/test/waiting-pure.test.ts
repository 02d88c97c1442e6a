import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginning, inputText, questionOf } from '../src/waiting/call-input.tsx'
import { agoText, deadlineOf, firstText, outcomeText, typedText } from '../src/waiting/outcome.ts'
import { durationOf } from '../src/ui/text.ts'

const now = Date.parse('2026-11-17T12:00:00.000Z')
const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString()

describe('the input of a call', () => {
  test('is JSON that hides nothing, and means the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        expect(JSON.stringify(JSON.parse(inputText({ name: 'x', input })))).toBe(JSON.stringify(input))
      }),
    )
    expect(inputText({ name: 'x', input: { file: 'a\u202etxt.exe' } })).toContain('a\\u202etxt.exe')
  })

  test('is folded if it is long; what is shown is its beginning', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 900 }), fc.nat(40), (line, lines) => {
        const text = `${line}\n`.repeat(lines)
        const start = beginning(text)
        expect(text.startsWith(start)).toBe(true)
        expect(start === text || start.length <= 600).toBe(true)
      }),
    )
    expect(beginning('x'.repeat(650))).toHaveLength(650)
    expect(beginning('x'.repeat(700))).toHaveLength(600)
    expect(beginning('x\n'.repeat(200)).split('\n')).toHaveLength(12)
  })

  test('is a question only if ask_user asks one', () => {
    const ask = (input: unknown): unknown => questionOf({ name: 'ask_user', input })
    expect(ask({ question: 'Where?' })).toEqual({ question: 'Where?', options: [] })
    expect(ask({ question: 'Where?', options: ['a', 'b', 'a', 7] })).toEqual({
      question: 'Where?',
      options: ['a', 'b'],
    })
    expect(ask({ question: 'Where?', options: Array.from({ length: 30 }, (_, index) => `${index}`) })).toEqual({
      question: 'Where?',
      options: [],
    })
    for (const input of [undefined, null, 'Where?', {}, { question: 7 }, { question: ' ' }])
      expect(ask(input)).toBeUndefined()
    expect(questionOf({ name: 'order', input: { question: 'Where?' } })).toBeUndefined()
  })
})

describe('what is said', () => {
  test('of a decision', () => {
    expect(outcomeText({ do: 'run' })).toBe('Approved')
    expect(outcomeText({ do: 'run', input: {} })).toBe('Approved with the edited input')
    expect(outcomeText({ do: 'refuse' })).toBe('Refused')
    expect(outcomeText({ do: 'refuse', reason: 'Too dear' })).toBe('Refused: Too dear')
    expect(outcomeText({ do: 'answer', output: { ok: true } })).toBe('Answered: {"ok":true}')
    expect(outcomeText({ do: 'answer', output: 'x'.repeat(500) }).length).toBeLessThan(220)
  })

  test('of what was typed for a decision', () => {
    expect(typedText({ do: 'run' })).toBeUndefined()
    expect(typedText({ do: 'run', input: { item: 'moss' } })).toBe('{\n  "item": "moss"\n}')
    expect(typedText({ do: 'refuse' })).toBeUndefined()
    expect(typedText({ do: 'refuse', reason: 'Too dear' })).toBe('Too dear')
    expect(typedText({ do: 'answer', output: 'In the hall' })).toBe('In the hall')
    expect(typedText({ do: 'answer', output: [1] })).toBe('[\n  1\n]')
  })

  test('of a decision that came first', () => {
    expect(firstText({ decision: { do: 'run' }, by: 'ann', time: minutesAgo(3) }, now)).toBe(
      'ann has approved this call already, 3 minutes ago. The first decision counts.',
    )
    expect(firstText({ decision: { do: 'refuse' } }, now)).toBe(
      'This call was refused already. The first decision counts.',
    )
    expect(firstText({ decision: { do: 'answer' }, by: 'a\u202eb' }, now)).toContain('a⟨U+202E⟩b')
  })

  test('of times', () => {
    expect([0, 1, 59, 60, 1500, 3000].map((minutes) => agoText(minutesAgo(minutes), now))).toEqual([
      'just now',
      '1 minute ago',
      '59 minutes ago',
      '1 hour ago',
      '1 day ago',
      '2 days ago',
    ])
    expect([-1, 0, 59_999].map(durationOf)).toEqual(['0 seconds', '0 seconds', '59 seconds'])
    const within = 3_600_000
    expect(deadlineOf({ since: minutesAgo(3), within }, now)).toMatchObject({
      isOver: false,
      text: '57 minutes left',
    })
    expect(deadlineOf({ since: minutesAgo(59.5), within }, now)?.text).toBe('less than a minute left')
    expect(deadlineOf({ since: minutesAgo(60), within }, now)).toMatchObject({ isOver: true })
    expect(deadlineOf({ since: minutesAgo(60) }, now)).toBeUndefined()
  })
})
