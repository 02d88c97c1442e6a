import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, tiered, type Message } from 'minutebook'
import { digesterOf } from 'minutebook/inspect'
import type { DigesterData } from 'minutebook/compile'
import { assistant, user, words } from '@minutebook/testing'
import { digestValue } from '../../src/compiler/digest.ts'
import type { DigestContext } from '../../src/compiler/digester.ts'
import { refusal } from '../../../../tests/support/refusal.ts'
import { times } from '../support/times.ts'

const program = {
  name: 'storm',
  steps: [
    { pattern: 'solid', color: '#1A1A2E', at: [1, 2] },
    { pattern: 'pulse', color: '#FFFFFF', at: [3] },
  ],
  loop: 'infinite',
  deep: { on: true, off: null },
}
const context: DigestContext = { call: { name: 'set_program', input: { wish: 'a storm' } }, question: 'Make a storm.' }
const lamp: DigesterData = {
  id: 'lamp@1',
  template: '{name}, {steps.length} steps: {steps}, {loop} loop',
  each: { steps: '{pattern}({color})' },
  join: ' → ',
}
const digest = (data: Omit<DigesterData, 'id'>, value: unknown = program): string | undefined =>
  digestValue(value, context, [digesterOf({ id: 'x@1', ...data })])?.text

describe('a digester as data', () => {
  test('puts a program into a line', () => {
    expect(digest(lamp)).toBe('storm, 2 steps: solid(#1A1A2E) → pulse(#FFFFFF), infinite loop')
  })

  test.each<[string, Omit<DigesterData, 'id'>, string | undefined]>([
    ['a path', { template: '{deep.on} and {deep.off}' }, 'true and null'],
    ['an item', { template: '{steps.1.color}' }, '#FFFFFF'],
    ['a path into each item', { template: '{steps[*].color}', join: '/' }, '#1A1A2E/#FFFFFF'],
    ['lists in lists', { template: '{steps[*].at[*]}, {steps[*].at}' }, '1, 2, 3, 1, 2, 3'],
    ['an object', { template: '{deep}' }, 'on: true, off: null'],
    [
      'objects',
      { template: '{steps}' },
      "pattern: 'solid'".replaceAll("'", '"') +
        ', color: "#1A1A2E", at: 2 items, pattern: "pulse", color: "#FFFFFF", at: 1 item',
    ],
    [
      'the question and the call',
      { template: '{$question} {$call.name} {$call.input.wish}' },
      'Make a storm. set_program a storm',
    ],
    ['braces', { template: '{{{name}}}' }, '{storm}'],
    ['a missing path', { template: '{name} {nobody}' }, undefined],
    ['a path into a text', { template: '{name.length}' }, undefined],
    ['what objects inherit', { template: '{constructor.name}' }, undefined],
    ['each item of what is no list', { template: '{name[*]}' }, undefined],
    ['an item that lacks a path', { template: '{steps}', each: { steps: '{nobody}' } }, undefined],
    ['a value that is as it must be', { when: { loop: 'infinite', 'deep.on': true }, template: 'yes' }, 'yes'],
    ['a value that is not', { when: { loop: 3 }, template: 'yes' }, undefined],
  ])('reads %s', (_, data, expected) => {
    expect(digest(data)).toBe(expected)
  })

  test('is used like any other, in options and in a policy', () => {
    const messages: Message[] = Array.from({ length: 9 }, () => [
      user('q'),
      assistant(JSON.stringify({ ...program, why: times(100) })),
    ]).flat()
    const options = { window: 700, counter: words, policy: tiered() }
    const said = (prompt: readonly Message[]): string => JSON.stringify(prompt)
    const passed = compile([...messages, user('last')], { ...options, digesters: [lamp] })
    expect(said(passed.messages)).toContain('storm, 2 steps: solid(#1A1A2E) → pulse(#FFFFFF), infinite loop')
    const inPolicy = { ...options, policy: { ...tiered(), digesters: [lamp] } }
    expect(compile([...messages, user('last')], inPolicy).messages).toEqual(passed.messages)
  })

  test.each<[string, object, string]>([
    ['no version', { id: 'lamp', template: 'x' }, 'an id such as weather@1'],
    ['no text', { id: 'x@1', template: '' }, 'Write 1 to 1000 characters'],
    ['an open brace', { id: 'x@1', template: '{name' }, 'Write {{ or }} for a brace itself'],
    ['a closed brace', { id: 'x@1', template: 'name}' }, 'Write {{ or }} for a brace itself'],
    ['an empty path', { id: 'x@1', template: '{}' }, 'Write names with dots'],
    ['a path with code', { id: 'x@1', template: '{steps[0]}' }, 'Write names with dots'],
    ['a strange root', { id: 'x@1', template: '{$env.HOME}' }, 'Only $question and $call'],
    ['too many paths', { id: 'x@1', template: '{a}'.repeat(17) }, 'Write at most 16'],
    ['a misspelt field', { id: 'x@1', template: 'x', lines: 3 }, 'The fields are id, tool'],
    ['rules that are a list', { id: 'x@1', template: 'x', each: [] }, 'Write at most 8 paths'],
    ['an empty join', { id: 'x@1', template: 'x', join: '' }, 'Write 1 to 16 characters'],
    ['a line of no tokens', { id: 'x@1', template: 'x', line: 0 }, 'Write a number of tokens'],
  ])('with %s is refused', (_, data, fix) => {
    const error = refusal(() => compile([user('q')], { window: 99, digesters: [data as DigesterData] }))
    expect([error.code, error.message]).toEqual(['invalid_digester', expect.stringContaining(fix)])
  })

  test.each(['{}', '{steps[0]}'])('with the path %s is named where it is refused', (template) => {
    const error = refusal(() => digesterOf({ id: 'lamp@1', template }))
    expect(error.problem).toContain('lamp@1')
  })

  test('never throws, always says the same, and stops where a line is full', () => {
    const name = fc.constantFrom('a', 'b', 'a[*]', 'b.a', 'a[*].b', 'length', '__proto__', '$question', '$call.input.a')
    const template = fc.array(name, { maxLength: 8 }).map((names) => `x${names.map((each) => `{${each}}`).join(' ')}`)
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>('', 'text', 3, null, true),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value')),
        fc.array(tie('value')),
        fc.constant(Array.from({ length: 10_000 }, () => ({ a: times(50), b: [] }))),
      ),
    }))
    fc.assert(
      fc.property(template, template, value, (own, item, given) => {
        const made = digesterOf({ id: 'x@1', template: own, each: { a: item } })
        const text = made.digest(given, { call: { name: 'a', input: given }, question: 'q' })
        expect(made.digest(structuredClone(given), { call: { name: 'a', input: given }, question: 'q' })).toBe(text)
        expect(text?.length ?? 0).toBeLessThan(10_000)
      }),
    )
  })
})
