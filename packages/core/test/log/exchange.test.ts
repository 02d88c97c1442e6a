import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exchanges, type Entry, type Message } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { assistant, call, ollamaAssistant, ollamaCall, ollamaResult, result, system, user } from '@minutebook/testing'
import { callsOf, matchCall } from '../../src/log/exchange.ts'
import { readMessage, type Call, type Content } from '../../src/log/message.ts'
import type { UnansweredCalls } from '../../src/log/unanswered-calls.ts'
import { entriesOf, journal, note } from '../../../../tests/support/entries.ts'
import { cases } from '../../../../tests/support/runs.ts'

const q = user('question')
const a = assistant('answer')
const s = system('rules')
const f = call('1', 'f')
const g = call('2', 'g')
const ollama = (...names: string[]): Message => ollamaAssistant('', ...names.map((name) => ollamaCall(name)))
const named = (name: string): Message => ollamaResult(name, name)
const n = note('remember')
const j = journal('f ran')
const receipt = entryOf(assistant(''), undefined, { kind: 'receipt' })
const bare: Message = { role: 'tool', content: 'result' }

/** An exchange as `0 1-3!g`: its steps, each by its indexes, with the calls that got no result. */
function shape(...said: (Message | Entry)[]): string[] {
  return exchanges(entriesOf(...said)).map(({ steps }) =>
    steps
      .map(
        ({ from, to, dangling }) =>
          `${from}${to - from > 1 ? `-${to - 1}` : ''}${dangling.map(({ name }) => `!${name}`).join('')}`,
      )
      .join(' '),
  )
}

describe('exchanges', () => {
  test.each<[string, (Message | Entry)[], string[]]>([
    ['nothing', [], []],
    ['only system entries belong to none', [s, s], []],
    ['question and answer', [q, a, q, a], ['0 1', '2 3']],
    ['the opening system entries belong to none', [s, s, q, a], ['2 3']],
    ['two users in a row are two exchanges', [q, q, a], ['0', '1 2']],
    ['an answer to nobody opens the first', [s, a, q, a], ['1', '2 3']],
    ['a late system entry is a step of its own', [q, a, s, q], ['0 1 2', '3']],
    ['a call and its result are one step', [q, assistant('', f), result('1', 'r'), a], ['0 1-2 3']],
    [
      'so are parallel calls and all their results',
      [q, assistant('', f, g), result('1', 'r'), result('2', 'r'), a],
      ['0 1-3 4'],
    ],
    ['results out of order', [q, assistant('', f, g), result('2', 'r'), result('1', 'r'), a], ['0 1-3 4']],
    [
      'steps one after another',
      [q, assistant('', f), result('1', 'r'), assistant('', g), result('2', 'r')],
      ['0 1-2 3-4'],
    ],
    ['a call without a result', [q, assistant('', f)], ['0 1!f']],
    ['one of two without a result', [q, assistant('', f, g), result('2', 'r'), a], ['0 1-2!f 3']],
    ['a call that a question cuts off', [q, assistant('', f), q], ['0 1!f', '2']],
    ['a late result is a step of its own', [q, assistant('', f), q, result('1', 'r')], ['0 1!f', '2 3']],
    ['a result that nobody asked for', [q, result('9', 'r'), a], ['0 1 2']],
    ['a second result for one call', [q, assistant('', f), result('1', 'r'), result('1', 'r')], ['0 1-2 3']],
    [
      'a stray result ends the step',
      [q, assistant('', f, g), result('1', 'r'), result('9', 'r'), result('2', 'r')],
      ['0 1-2!g 3 4'],
    ],
    ['only a result', [result('1', 'r')], ['0']],
    [
      'the same id twice, as some models send it',
      [q, assistant('', f, f), result('1', 'r'), result('1', 'r')],
      ['0 1-3'],
    ],
    ['a note hangs off the step before it', [q, a, n, j, q], ['0 1-3', '4']],
    ['a note after the question', [q, n, a], ['0-1 2']],
    [
      'a note between a call and its result leaves the call open',
      [q, assistant('', f), n, result('1', 'r'), a],
      ['0 1-3 4'],
    ],
    [
      'notes anywhere among parallel calls and their results',
      [q, assistant('', f, g), n, j, result('2', 'r'), n, result('1', 'r'), j, a],
      ['0 1-7 8'],
    ],
    ['a note after a call that never gets a result', [q, assistant('', f), n, q], ['0 1-2!f', '3']],
    ['a note lets a stray result be one', [q, assistant('', f), n, result('9', 'r')], ['0 1-2!f 3']],
    [
      'a note after a late system entry does not open its calls again',
      [q, assistant('', f), s, n, result('1', 'r')],
      ['0 1!f 2-3 4'],
    ],
    ['notes before the first other entry belong to none', [n, s, j, q, a], ['3 4']],
    ['only notes', [n, j], []],
    ['what is kept for the record is like a note', [q, assistant('', f), receipt, result('1', 'r')], ['0 1-3']],
  ])('%s', (_, said, expected) => {
    expect(shape(...said)).toEqual(expected)
  })
})

describe('which call a result answers', () => {
  test.each<[string, Message, Message, string]>([
    ['the one with its id', assistant('', f, g), result('2', ''), 'g'],
    ['the one with its name', ollama('f', 'g'), named('g'), 'g'],
    ['the first, where it says nothing', ollama('f', 'g'), bare, 'f'],
    ['the first of a name', ollama('f', 'g', 'g'), named('g'), 'g'],
    ['by name where only the call has an id', assistant('', f, g), named('g'), 'g'],
    ['by name where only the result has an id', ollama('f', 'g'), { ...result('7', ''), name: 'g' } as Message, 'g'],
    ['in order where only the result has an id and no name fits', ollama('f', 'g'), result('7', ''), 'f'],
    ['none with another id', assistant('', f, g), result('3', ''), 'nobody'],
    ['none with another name', ollama('f'), named('h'), 'nobody'],
    ['none where none is open', a, bare, 'nobody'],
  ])('%s', (_, calling, answering, expected) => {
    const place = matchCall(readMessage(answering), callsOf(readMessage(calling)))
    expect(place.answers?.name ?? 'nobody').toBe(expected)
    expect(place.orphan).toBe(expected === 'nobody')
    expect(place.startsStep).toBe(expected === 'nobody')
  })

  test('an answered call is no longer open; after a stray result none is', () => {
    const open = (message: Message, waiting: UnansweredCalls): string[] =>
      matchCall(readMessage(message), waiting).open.calls.map(({ name }) => name)
    const calls = callsOf(readMessage(assistant('', f, g)))
    expect(open(result('2', ''), calls)).toEqual(['f'])
    expect(open(result('9', ''), calls)).toEqual([])
    expect(open(q, calls)).toEqual([])
    expect(open(assistant('', g), calls)).toEqual(['g'])
  })
  test('is the first that fits, in whatever order results come, also behind an earlier result', () => {
    const label = fc.constantFrom('1', '2', '3', undefined)
    const calls = fc.array(fc.record({ id: label, name: fc.constantFrom('f', 'g', 'h') }), { maxLength: 8 })
    const answers = fc.array(
      fc.record({ id: label, name: fc.constantFrom('f', 'g', 'h', undefined), back: fc.nat({ max: 8 }) }),
      { maxLength: 12 },
    )
    const property = fc.property(calls, answers, (made, results) => {
      const issued = made.map(({ id, name }): Call => ({ name, arguments: {}, ...(id !== undefined && { id }) }))
      // What is open after each result; some results come behind an earlier one, as on branches.
      const opens = [{ fast: callsOf({ calls: issued }), plain: issued as readonly Call[] }]
      for (const { back, ...said } of results) {
        const { fast, plain } = opens.at(-1 - (back % opens.length))!
        const found = plainly(said, plain)
        const answered = fast.answeredBy({ answers: withoutUndefined(said) })
        expect(answered?.call).toBe(found)
        if (!answered) continue
        const rest = plain.filter((one) => one !== found)
        expect(answered.open.calls).toEqual(rest)
        expect(answered.open.length).toBe(rest.length)
        expect(answered.open.haveOwnIds).toBe(new Set(rest.flatMap(({ id }) => id ?? [])).size === rest.length)
        opens.push({ fast: answered.open, plain: rest })
      }
    })
    fc.assert(property, { numRuns: cases('long') })
  })

  test('is found without a look at all others: each call is looked at a few times, however many there are', () => {
    const count = 2000
    let looks = 0
    const calls = Array.from({ length: count }, (_, index) => ({
      name: 'f',
      arguments: {},
      get id() {
        looks++
        return String(index)
      },
    }))
    let open = callsOf({ calls })
    for (let index = count - 1; index >= 0; index--) open = open.answeredBy({ answers: { id: String(index) } })!.open
    expect(open.length).toBe(0)
    expect(looks).toBeLessThan(20 * count)
  })
})

/** The rule as a reader would write it: by id, then by name, then in order. */
function plainly(
  { id, name }: { id: string | undefined; name: string | undefined },
  open: readonly Call[],
): Call | undefined {
  const byId = id === undefined ? undefined : open.find((each) => each.id === id)
  if (byId) return byId
  const unnumbered = id === undefined ? open : open.filter((each) => each.id === undefined)
  const byName = unnumbered.find((each) => each.name === name)
  return byName ?? (name === undefined || id !== undefined ? unnumbered[0] : undefined)
}

function withoutUndefined({
  id,
  name,
}: {
  id: string | undefined
  name: string | undefined
}): NonNullable<Content['answers']> {
  return { ...(id !== undefined && { id }), ...(name !== undefined && { name }) }
}
