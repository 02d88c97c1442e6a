import { inspect } from 'node:util'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { defineState, stateOf, type Entry, type Schema, type StateReader } from 'minutebook'
import { assistant, call, result, user } from '@minutebook/testing'
import { branchOf } from '../support/lines.ts'
import { refusal } from '../../../../tests/support/refusal.ts'

const hypothesis = defineState({
  name: 'hypothesis',
  tools: { generate_hypotheses: { schema: z.object({ claim: z.string() }) } },
})

const basket = defineState({
  name: 'basket',
  version: 2,
  initial: { items: [] as string[] },
  tools: {
    add: { schema: z.object({ item: z.string() }), reduce: (state, { item }) => ({ items: [...state.items, item] }) },
    clear: { schema: z.unknown(), reduce: () => ({ items: [] }) },
    replace: { schema: z.object({ items: z.array(z.string()) }) },
  },
})

describe('the type of a state', () => {
  test('is what the schema gives, or undefined', () => {
    expectTypeOf(hypothesis).toEqualTypeOf<StateReader<{ claim: string } | undefined>>()
  })

  test('is what any of its tools gives', () => {
    const either = defineState({
      name: 'either',
      tools: { one: { schema: z.object({ a: z.string() }) }, two: { schema: z.object({ b: z.number() }) } },
    })
    expectTypeOf(either).toEqualTypeOf<StateReader<{ a: string } | { b: number } | undefined>>()
  })

  test('is that of the initial value, wherever it is written', () => {
    expectTypeOf(basket).toEqualTypeOf<StateReader<{ items: string[] }>>()
    const sum = defineState({
      name: 'sum',
      tools: { add: { reduce: (state, { n }) => state + n, schema: z.object({ n: z.number() }) } },
      initial: 0,
    })
    expectTypeOf(sum).toEqualTypeOf<StateReader<number>>()
    const maybe = defineState({
      name: 'maybe',
      initial: null as { x: number } | null,
      tools: { set: { schema: z.object({ x: z.number() }) }, drop: { schema: z.unknown(), reduce: () => null } },
    })
    expectTypeOf(maybe).toEqualTypeOf<StateReader<{ x: number } | null>>()
  })

  test('reaches the reducer', () => {
    defineState({
      name: 'typed',
      initial: { count: 0 },
      tools: {
        add: {
          schema: z.object({ by: z.number().default(1) }),
          reduce: (state, given, about) => {
            expectTypeOf(state).toEqualTypeOf<{ count: number }>()
            expectTypeOf(given).toEqualTypeOf<{ by: number }>()
            expectTypeOf(about.entry).toEqualTypeOf<Entry>()
            return { count: state.count + given.by }
          },
        },
      },
    })
  })

  test('is the output of the schema, not its input', () => {
    const length = defineState({
      name: 'length',
      tools: { say: { schema: z.string().transform((text) => text.length) } },
    })
    expectTypeOf(length).toEqualTypeOf<StateReader<number | undefined>>()
  })

  test('is checked', () => {
    // @ts-expect-error a result that is not a state needs a reducer
    defineState({ name: 'x', initial: { count: 0 }, tools: { add: { schema: z.object({ total: z.number() }) } } })
    // @ts-expect-error a reducer gives a state
    defineState({ name: 'x', initial: 0, tools: { add: { schema: z.number(), reduce: (state) => String(state) } } })
    // @ts-expect-error a reducer is synchronous
    defineState({ name: 'x', initial: 0, tools: { add: { schema: z.number(), reduce: async (state) => state } } })
  })

  test('does not keep readers from standing in one list', () => {
    expectTypeOf([hypothesis, basket]).toExtend<StateReader<unknown>[]>()
  })
})

/** One turn for each result: a user entry, the call, its result. */
function results(...given: readonly (readonly [tool: string, text: string])[]): Entry[] {
  return branchOf(
    given.flatMap(([tool, text], index) => [
      [user('go')],
      [assistant(null, call(`c${index}`, tool))],
      [result(`c${index}`, text)],
    ]),
  )
}

describe('a state', () => {
  test.each<[string, readonly (readonly [string, string])[], unknown]>([
    ['is undefined before any result', [], undefined],
    [
      'is the newest result',
      [
        ['generate_hypotheses', '{"claim":"a"}'],
        ['generate_hypotheses', '{"claim":"b"}'],
      ],
      { claim: 'b' },
    ],
    [
      'stays where a result does not fit the schema',
      [
        ['generate_hypotheses', '{"claim":"a"}'],
        ['generate_hypotheses', '{"claim":7}'],
      ],
      { claim: 'a' },
    ],
    [
      'stays where a result is not JSON',
      [
        ['generate_hypotheses', '{"claim":"a"}'],
        ['generate_hypotheses', '{"claim":'],
      ],
      { claim: 'a' },
    ],
    [
      'stays where a result is JSON without a bottom',
      [
        ['generate_hypotheses', '{"claim":"a"}'],
        ['generate_hypotheses', '['.repeat(100_000)],
      ],
      { claim: 'a' },
    ],
    [
      'knows nothing of other tools',
      [
        ['generate_variants', '{"claim":"a"}'],
        ['constructor', '{"claim":"a"}'],
        ['__proto__', '{"claim":"a"}'],
      ],
      undefined,
    ],
  ])('%s', (_, given, expected) => {
    expect(stateOf(hypothesis, results(...given))).toEqual(expected)
  })

  test('begins with its initial value and goes through its reducers', () => {
    expect(stateOf(basket, [])).toEqual({ items: [] })
    expect(
      stateOf(
        basket,
        results(
          ['add', '{"item":"tea"}'],
          ['clear', 'done'],
          ['replace', '{"items":["milk"]}'],
          ['add', '{"item":"jam"}'],
        ),
      ),
    ).toEqual({ items: ['milk', 'jam'] })
  })

  test.each<[string, string]>([
    ['a text', 'plain words'],
    ['a text that looks like a number', '42'],
    ['a text that looks like an object', '{"a":1}'],
  ])('may be %s', (_, text) => {
    const said = defineState({ name: 'said', tools: { say: { schema: z.string() } } })
    expect(stateOf(said, results(['say', text]))).toBe(text)
  })

  test('may be a text that was sent as JSON', () => {
    const said = defineState({ name: 'said', tools: { say: { schema: z.string() } } })
    expect(stateOf(said, results(['say', '"in quotes"']))).toBe('in quotes')
  })

  test('may be of a tool with a name that objects have already', () => {
    const odd = defineState({
      name: 'odd',
      tools: { constructor: { schema: z.number() }, ['__proto__']: { schema: z.number() } },
    })
    expect(stateOf(odd, results(['__proto__', '1']))).toBe(1)
    expect(stateOf(odd, results(['constructor', '2'], ['toString', '3']))).toBe(2)
  })

  test('takes no prototype from a result', () => {
    const loose = defineState({
      name: 'loose',
      initial: {} as Record<string, unknown>,
      tools: { set: { schema: z.record(z.string(), z.unknown()), reduce: (state, given) => ({ ...state, ...given }) } },
    })
    const value = stateOf(
      loose,
      results(['set', '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}']),
    )
    expect(value['admin']).toBeUndefined()
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  test('tells its reducer the entry and the call', () => {
    const seen: unknown[] = []
    const watched = defineState({
      name: 'watched',
      initial: 0,
      tools: {
        add: {
          schema: z.number(),
          reduce: (state, by, { entry, call: { id, arguments: given } }) => (
            seen.push([entry.seq, id, given]),
            state + by
          ),
        },
      },
    })
    const entries = branchOf([[user('go')], [assistant(null, call('x', 'add', { a: 1 }))], [result('x', '5')]])
    expect(stateOf(watched, entries)).toBe(5)
    expect(seen).toEqual([[2, 'x', '{"a":1}']])
  })
})

describe('a reader is shared, its state is not', () => {
  const careless = defineState({
    name: 'careless',
    initial: { items: [] as string[] },
    tools: { add: { schema: z.string(), reduce: (state, item) => (state.items.push(item), state) } },
  })

  test('a reducer that writes to the initial value is refused, so that no thread sees what another wrote', () => {
    expect(refusal(() => stateOf(careless, results(['add', 'secret of ann']))).code).toBe('state_failed')
    expect(stateOf(careless, [])).toEqual({ items: [] })
  })

  test('a caller cannot write to it either', () => {
    expect(() => stateOf(basket, []).items.push('secret of ann')).toThrow(TypeError)
    expect(stateOf(basket, [])).toEqual({ items: [] })
  })

  test('the initial value is a copy', () => {
    const initial = { items: ['a'] }
    const reader = defineState({
      name: 'x',
      initial,
      tools: { set: { schema: z.object({ items: z.array(z.string()) }) } },
    })
    initial.items.push('b')
    expect(stateOf(reader, [])).toEqual({ items: ['a'] })
  })
})

const canary = 'canary-7f3a'
const late: Schema<number> = { '~standard': { validate: async () => ({ value: 1 }) } }
const broken: Schema<number> = {
  '~standard': {
    validate: (value) => {
      throw new RangeError(String(value))
    },
  },
}
const circle: { self?: unknown } = {}
circle.self = circle

describe('misuse is refused with what to do', () => {
  test.each<[string, () => StateReader<unknown>, string, string, string]>([
    [
      'a schema that is asynchronous',
      () => defineState({ name: 'lamp', tools: { set: { schema: late } } }),
      'state_asynchronous',
      'schema',
      'into the tool',
    ],
    [
      'an asynchronous check of zod',
      () => defineState({ name: 'lamp', tools: { set: { schema: z.string().refine(async () => true) } } }),
      'state_asynchronous',
      'schema',
      'into the tool',
    ],
    [
      'a transform of zod that throws',
      () =>
        defineState({
          name: 'lamp',
          tools: {
            set: {
              schema: z.string().transform((text) => {
                throw new Error(text)
              }),
            },
          },
        }),
      'state_asynchronous',
      'schema',
      'must not throw',
    ],
    [
      'a schema that throws',
      () => defineState({ name: 'lamp', tools: { set: { schema: broken } } }),
      'state_failed',
      'schema',
      'must not throw',
    ],
    [
      'a reducer that throws',
      () =>
        defineState({
          name: 'lamp',
          initial: '',
          tools: {
            set: {
              schema: z.string(),
              reduce: (_, text) => {
                throw new RangeError(text)
              },
            },
          },
        }),
      'state_failed',
      'reducer',
      'must not throw',
    ],
    [
      'a reducer that throws a text',
      () =>
        defineState({
          name: 'lamp',
          initial: '',
          tools: {
            set: {
              schema: z.string(),
              reduce: (_, text) => {
                throw text
              },
            },
          },
        }),
      'state_failed',
      'reducer',
      'must not throw',
    ],
    [
      'a reducer that is asynchronous',
      () =>
        defineState({
          name: 'lamp',
          initial: '' as unknown,
          tools: {
            set: {
              schema: z.string(),
              reduce: async (_, text) => {
                throw new Error(text)
              },
            },
          },
        }),
      'state_asynchronous',
      'reducer',
      'into the tool',
    ],
  ])('%s', (_, define, code, part, fix) => {
    const error = refusal(() => stateOf(define(), results(['set', canary])))
    expect(error.code).toBe(code)
    expect(error.message).toContain(`State lamp: the ${part} for tool set`)
    expect(error.message).toContain(fix)
    expect(error.details).toMatchObject({ state: 'lamp', tool: 'set', seq: 2 })
    expect(inspect(error, { showHidden: true, depth: null }), 'says nothing of the content').not.toContain(canary)
  })

  const schema = z.string()
  test.each<[string, () => unknown, string]>([
    ['no name', () => defineState({ name: '', tools: { set: { schema } } }), 'it has no name'],
    [
      'a version that is no count',
      () => defineState({ name: 'x', version: 1.5, tools: { set: { schema } } }),
      'its version is not a whole number',
    ],
    ['no tools', () => defineState({ name: 'x', tools: {} }), 'it has no tools'],
    [
      'a tool without a schema',
      () => defineState({ name: 'x', tools: { set: {} as { schema: Schema } } }),
      'its tool set has no schema',
    ],
    [
      'an initial value that cannot be frozen',
      () =>
        defineState({
          name: 'x',
          initial: new Map<string, string>(),
          tools: { set: { schema, reduce: (state) => state } },
        }),
      'its initial value is not plain data',
    ],
    [
      'an initial value with a function in it',
      () => defineState({ name: 'x', initial: { f: () => 1 }, tools: { set: { schema, reduce: (state) => state } } }),
      'its initial value is not plain data',
    ],
    [
      'an initial value that is a circle',
      () => defineState({ name: 'x', initial: circle, tools: { set: { schema, reduce: (state) => state } } }),
      'its initial value is not plain data',
    ],
  ])('%s', (_, define, what) => {
    const error = refusal(define)
    expect(error.code).toBe('invalid_state')
    expect(error.message).toContain(what)
  })
})
