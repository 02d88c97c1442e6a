import fc from 'fast-check'
import { comparisonOf, defineExperiment, differencesOf, differingParts, type Value } from '@minutebook/experiment/run'
import { describe, expect, test } from 'vitest'
import { scriptedModel } from '@minutebook/testing'
import { laboratory } from '../../../../tests/support/experiment/laboratory.ts'

describe('the fields that differ', () => {
  test.each<readonly [string, Value, Value, readonly unknown[]]>([
    ['none', { a: 1, b: [1, { c: null }] }, { a: 1, b: [1, { c: null }] }, []],
    [
      'a value, deep down',
      { judge: { model: { options: { temperature: 0 } } } },
      { judge: { model: { options: { temperature: 0.7 } } } },
      [{ path: 'judge.model.options.temperature', left: 0, right: 0.7 }],
    ],
    [
      'a field that only one has',
      { judge: { model: 'm' } },
      { judge: { model: 'm', seed: 7 } },
      [{ path: 'judge.seed', right: 7 }],
    ],
    [
      'a list of the same length, item by item',
      { rounds: [{ ask: 'a' }, { ask: 'b' }] },
      { rounds: [{ ask: 'a' }, { ask: 'c' }] },
      [{ path: 'rounds[1].ask', left: 'b', right: 'c' }],
    ],
    [
      'a list of another length, as a whole',
      { tools: ['a'] },
      { tools: ['a', 'b'] },
      [{ path: 'tools', left: ['a'], right: ['a', 'b'] }],
    ],
    ['another type', { model: 'm' }, { model: { name: 'm' } }, [{ path: 'model', left: 'm', right: { name: 'm' } }]],
    ['null is a value', { a: null }, {}, [{ path: 'a', left: null }]],
    [
      'the order of play',
      { participants: { ann: 1, bob: 2 } },
      { participants: { bob: 2, ann: 1 } },
      [{ path: 'participants (order)', left: ['ann', 'bob'], right: ['bob', 'ann'] }],
    ],
    ['a name of every object', { a: 1 }, { a: 1, constructor: 2 }, [{ path: 'constructor', right: 2 }]],
  ])('%s', (_, left, right, expected) => {
    expect(differencesOf(left, right)).toEqual(expected)
  })

  test('there are none only of values that are written alike', () => {
    const value = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Value>
    fc.assert(
      fc.property(value, value, (left, right) => {
        expect(differencesOf(left, left)).toEqual([])
        expect(differencesOf(left, right).length === 0).toBe(JSON.stringify(left) === JSON.stringify(right))
      }),
    )
  })
})

test('the parts of two texts differ if the texts do, and are no longer than they may be', () => {
  const text = fc.tuple(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  )
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 80 }), ([begin, one, other], most) => {
      const [left, right] = differingParts(begin + one, begin + other, most)
      expect(left === right).toBe(one === other)
      for (const part of [left, right]) expect(part.length).toBeLessThanOrEqual(most)
    }),
  )
})

const scoring = defineExperiment({
  name: 'scoring',
  environment: { score: { type: 'integer', initial: 0 } },
  participants: { judge: { model: { name: 'm' }, tools: ['rate'] } },
  tools: {
    rate: { parameters: { type: 'object', properties: { score: { type: 'integer' }, of: { type: 'integer' } } } },
  },
  limits: { rounds: 1 },
})

test('two turns with the same words and another argument differ in their tool calls, which are there, and not in their answers', async () => {
  const rates: readonly Readonly<Record<string, number>>[] = [
    { score: 7, of: 10 },
    { score: 9, of: 10 },
    { of: 10, score: 7 },
  ]
  const models = rates.map((given) =>
    scriptedModel([{ calls: [{ name: 'rate', arguments: given }] }, 'Well done.'], { wire: 'openai', model: 'm' }),
  )
  const names = ['seven', 'nine', 'again']
  const lab = await laboratory([scoring], (_, run) => models[names.indexOf(run)]!)
  const [seven, nine, again] = [
    await lab.play('seven', scoring),
    await lab.play('nine', scoring),
    await lab.play('again', scoring),
  ]
  await lab.close()
  const [turn] = comparisonOf(seven, nine).rounds[0]!.turns
  expect(turn).toMatchObject({
    prompts: 'other',
    calls: 'other',
    answers: 'same',
    left: {
      text: 'Well done.',
      calls: [{ tool: 'rate', input: { score: 7, of: 10 } }],
      receipt: seven.rounds[0]!.cells[0]!.calls[1]!.receipt,
    },
    right: {
      text: 'Well done.',
      calls: [{ tool: 'rate', input: { score: 9, of: 10 } }],
      receipt: nine.rounds[0]!.cells[0]!.calls[1]!.receipt,
    },
  })
  // In another order they are the same arguments.
  expect(comparisonOf(seven, again).rounds[0]!.turns[0]).toMatchObject({ calls: 'same', answers: 'same' })
  expect(comparisonOf(seven, nine)).not.toHaveProperty('changes')
  expect(
    comparisonOf({ ...seven, definition: { limits: 1 } }, { ...nine, seed: 8, definition: { limits: 2 } }).changes,
  ).toEqual([
    { path: 'seed', left: 1, right: 8 },
    { path: 'limits', left: 1, right: 2 },
  ])
  expect(comparisonOf({ ...seven, definition: { limits: 1 } }, nine)).not.toHaveProperty('changes')
})
