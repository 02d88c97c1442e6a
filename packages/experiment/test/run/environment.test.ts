import fc from 'fast-check'
import {
  defineExperiment,
  environmentFor,
  environmentOf,
  environmentsOf,
  type Applied,
  type Environment,
  type Experiment,
  type RunEvent,
} from '@minutebook/experiment/run'
import { expect, test } from 'vitest'
import { checkChanges } from '../../src/run/environment.ts'
import { appliedIn } from '../../src/run/participant-tools.ts'
import { begun, effect, round, roundEnd } from './support/happenings.ts'

const applied = (
  participant: string,
  call: number,
  what: { readonly changes: Environment } | { readonly refused: string },
): Applied => ({ round: 1, participant, turn: 0, call, ...what })

test('one after the other, what is done applies at once', () => {
  const events = [begun({ a: 0, b: 0 }), round(1, 'sequence', { a: 1 }), effect(1, 'ann', 0, { a: 2 })]
  expect(environmentOf(events)).toEqual({ a: 2, b: 0 })
  expect(environmentFor(events, { round: 1, participant: 'bob' })).toEqual({ a: 2, b: 0 })
})

test('all at once, each sees what was at the beginning and what itself has done; what applies is said at the end', () => {
  const events = [
    begun({ a: 0, b: 0 }),
    round(1, 'parallel', { a: 1 }),
    effect(1, 'bob', 0, { a: 9, b: 9 }),
    effect(1, 'ann', 0, { a: 2 }),
  ]
  expect(environmentOf(events)).toEqual({ a: 1, b: 0 })
  expect(environmentFor(events, { round: 1, participant: 'ann' })).toEqual({ a: 2, b: 0 })
  expect(environmentFor(events, { round: 1, participant: 'bob' })).toEqual({ a: 9, b: 9 })
  expect(environmentFor(events, { round: 1, participant: 'cy' })).toEqual({ a: 1, b: 0 })
  const over = [
    ...events,
    roundEnd(1, { b: 5 }, [
      applied('ann', 0, { changes: { a: 2 } }),
      applied('bob', 0, { changes: { a: 3, b: 1 } }),
      applied('cy', 0, { refused: 'no' }),
    ]),
  ]
  expect(environmentOf(over)).toEqual({ a: 3, b: 5 })
})

test('the environment after each round, and before the first', () => {
  const events = [
    begun({ a: 0 }),
    round(1, 'sequence', { a: 1 }),
    effect(1, 'ann', 0, { a: 2 }),
    roundEnd(1, { a: 3 }),
    round(2, 'parallel', { a: 4 }),
    effect(2, 'ann', 0, { a: 5 }),
  ]
  expect([...environmentsOf(events)]).toEqual([
    [0, { a: 0 }],
    [1, { a: 3 }],
  ])
})

test.each<readonly [string, Environment, string]>([
  ['a variable that there is not', { other: 1 }, 'There is no variable "other" to change'],
  ['a text for a number', { n: '1' }, 'The variable "n" cannot become'],
  ['a number that is none', { n: Number.NaN }, 'The variable "n" cannot become'],
  ['half a whole number', { i: 0.5 }, 'The variable "i" cannot become'],
  ['a list for a map', { m: [] }, 'The variable "m" cannot become'],
  ['nothing', { n: null }, 'The variable "n" cannot become'],
])('%s is no change', (_, changes, message) => {
  const environment: Experiment['environment'] = {
    n: { type: 'number', initial: 0 },
    i: { type: 'integer', initial: 0 },
    m: { type: 'map', initial: {} },
  }
  expect(() => checkChanges({ environment }, changes)).toThrow(message)
})

/** Takes from one pot; what is taken is written down in the order in which it applied. */
const pot = defineExperiment({
  name: 'pot',
  environment: { left: { type: 'integer', initial: 10 }, takers: { type: 'list', initial: [] } },
  participants: Object.fromEntries(
    ['ann', 'bob', 'cy'].map((name) => [name, { model: { name: 'm' }, tools: ['take'] }]),
  ),
  tools: {
    take: {
      parameters: {},
      refusal: ({ left }, { input }) => (Number(left) < Number(input['count']) ? 'too little is left' : undefined),
      changes: ({ left, takers }, { input, participant, random }) => {
        if (input['count'] === 3) throw new Error('three is none of them')
        return {
          left: Number(left) - Number(input['count']),
          takers: [...(takers as string[]), `${participant} ${Number(input['count'])} ${random.integer(1, 6)}`],
        }
      },
    },
  },
})

const takes = fc.array(
  fc.record({
    participant: fc.constantFrom('ann', 'bob', 'cy'),
    count: fc.integer({ min: 1, max: 6 }),
    place: fc.nat(1000),
  }),
  { maxLength: 9 },
)

test('effects of a parallel round apply in the order of play, whoever was faster; what can no longer be done is refused', () => {
  fc.assert(
    fc.property(takes, fc.shuffledSubarray(['ann', 'bob', 'cy'], { minLength: 3 }), (taken, order) => {
      const made = taken.map(
        ({ participant, count, place }, index): { readonly event: RunEvent; readonly place: number } => ({
          place,
          event: effect(
            1,
            participant,
            taken.slice(0, index).filter((before) => before.participant === participant).length,
            {},
            { tool: 'take', input: { count } },
          ),
        }),
      )
      const inTime = (events: typeof made): readonly RunEvent[] => [
        begun({ left: 10, takers: [] }),
        round(1, 'parallel', {}, order),
        ...events.map(({ event }) => event),
      ]
      const first = appliedIn(
        pot,
        { type: 'roundStart', round: 1, name: '', play: 'parallel', order, changes: {} },
        inTime(made),
        5,
      )
      const shuffled = appliedIn(
        pot,
        { type: 'roundStart', round: 1, name: '', play: 'parallel', order, changes: {} },
        inTime(made.toSorted((left, right) => left.place - right.place)),
        5,
      )
      expect(shuffled).toEqual(first)
      let left = 10
      const expected = order
        .flatMap((name) => taken.filter(({ participant }) => participant === name))
        .map(({ participant, count }) => {
          const status = left < count ? 'too little is left' : count === 3 ? 'failed' : 'done'
          if (status === 'done') left -= count
          return `${participant} ${status}`
        })
      expect(
        first.map(
          (one) =>
            `${one.participant} ${'changes' in one ? 'done' : one.refused === 'too little is left' ? one.refused : 'failed'}`,
        ),
      ).toEqual(expected)
      expect(environmentOf([...inTime(made), roundEnd(1, {}, first)])['left']).toBe(left)
    }),
  )
})
