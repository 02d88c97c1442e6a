import { MinutebookError } from 'minutebook'
import { seeded, type CallFacts, type Environment, type Experiment } from '@minutebook/experiment/run'
import { checkDefinition, compileExperiment, readExperiment } from '@minutebook/experiment'
import { describe, expect, test } from 'vitest'
import { complaints } from './support/problems.ts'

const participants = 'participants: { ann: { model: small } }'
const compiled = (text: string): Experiment =>
  compileExperiment(readExperiment(`name: one\n${text}\n${text.includes('participants:') ? '' : participants}`))
const facts = (input: CallFacts['input'] = {}): CallFacts => ({
  round: 2,
  participant: 'ann',
  input,
  random: seeded(1, ''),
})
const codeOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return MinutebookError.isInstance(error) ? error.code : error
  }
}

const failureOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return MinutebookError.isInstance(error) ? [error.code, error.message, error.details] : error
  }
}

test('everything that can be said is said on', () => {
  const {
    tools: _,
    hooks,
    goals,
    ...data
  } = compiled(`
description: All of it.
seed: -3
environment: { count: { type: integer, initial: 1 }, open: true, mood: '', names: [ann], stock: { lemons: 3 }, note: { initial: { type: x }, description: free } }
participants:
  ann: { model: { name: small, temperature: 0, seed: 7, stop: [END], output: { type: object }, options: { top_k: 40 }, window: 4096, reserve: 512 }, policy: careful, system: Hello., sees: [], tells: [bob], hears: all, history: [{ role: user, content: Hi. }] }
  bob: { model: small }
rounds: [{ name: day, play: parallel, participants: [bob, ann], ask: Decide. }, { ask: Sleep. }]
limits: { rounds: 3, tokens: 100, cost: 0.5, errors: 2, turns: 9 }
prices: { small: { input: 0, output: 1.5 } }`)
  expect(data).toEqual({
    name: 'one',
    description: 'All of it.',
    seed: -3,
    environment: {
      count: { type: 'integer', initial: 1 },
      open: { type: 'boolean', initial: true },
      mood: { type: 'text', initial: '' },
      names: { type: 'list', initial: ['ann'] },
      stock: { type: 'map', initial: { lemons: 3 } },
      note: { type: 'map', initial: { type: 'x' }, description: 'free' },
    },
    participants: {
      ann: {
        model: {
          name: 'small',
          temperature: 0,
          seed: 7,
          stop: ['END'],
          output: { type: 'object' },
          options: { top_k: 40 },
          window: 4096,
          reserve: 512,
        },
        policy: 'careful',
        system: 'Hello.',
        sees: [],
        tells: ['bob'],
        hears: 'all',
        history: [{ role: 'user', content: 'Hi.' }],
      },
      bob: { model: { name: 'small' } },
    },
    rounds: [
      { name: 'day', play: 'parallel', participants: ['bob', 'ann'], ask: 'Decide.' },
      { play: 'sequence', ask: 'Sleep.' },
    ],
    limits: { rounds: 3, tokens: 100, cost: 0.5, errors: 2, turns: 9 },
    prices: { small: { input: 0, output: 1.5 } },
  })
  expect(Object.keys(data.participants)).toEqual(['ann', 'bob'])
  expect([hooks, goals]).toEqual([{}, { success: [], failure: [] }])
})

test('what was never checked fails as an expression, and not as something else', () => {
  const definition = readExperiment(`name: one\n${participants}`)
  expect(codeOf(() => compileExperiment({ ...definition, goals: { success: { rich: 'csh > 1' } } }))).toBe(
    'invalid_expression',
  )
})

describe('changes', () => {
  test('are made in order, each with what those before it changed', () => {
    const { hooks } = compiled(
      'environment: { a: 1, b: 1, c: 1 }\nhooks: { roundEnd: { b: a + 1, a: b * 10, c: a + b + round } }',
    )
    expect(hooks!.roundEnd!({ a: 1, b: 1, c: 1 }, facts())).toEqual({ b: 2, a: 20, c: 24 })
  })

  test('may be plain values', () => {
    const { hooks } = compiled('environment: { a: 1, b: true }\nhooks: { roundEnd: { a: 5, b: false } }')
    expect(hooks!.roundEnd!({ a: 1, b: true }, facts())).toEqual({ a: 5, b: false })
  })

  test.each([
    ['[all, all]', []],
    ['[all]', []],
    ['all + all + ["some text of a certain length"]', []],
  ])('that grow without end end: %s', (grows, initial) => {
    const { hooks } = compiled(`environment: { all: [] }\nhooks: { roundEnd: { all: '${grows}' } }`)
    let environment: Environment = { all: initial }
    const round = (): unknown => codeOf(() => (environment = hooks!.roundEnd!(environment, facts())))
    const outcomes = Array.from({ length: 40 }, round)
    expect(outcomes.at(-1)).toBe('expression_failed')
    expect(JSON.stringify(environment).length).toBeLessThan(1_000_000)
  })
})

describe('a tool', () => {
  const environment = { cash: 10, stock: {} }
  const toolOf = (text: string) =>
    compiled(`environment: { cash: 10, stock: {} }\ntools: { it: ${text} }`).tools!['it']!

  test('without parameters takes none', () => {
    const tool = toolOf('{ changes: { cash: cash + 1 } }')
    expect(tool.parameters).toEqual({ type: 'object', properties: {}, additionalProperties: false })
    expect(tool.refusal!(environment, facts({ a: 1 }))).toBe('This cannot be done: there is no a.')
    expect(tool).toMatchObject({ mayRepeat: true })
    expect(tool).not.toHaveProperty('run')
  })

  test('knows optional parameters', () => {
    const tool = toolOf(
      '{ parameters: { count: integer, note: { type: string, optional: true } }, changes: { cash: "has(input.note) ? 0 : cash - input.count" } }',
    )
    expect(tool.parameters).toMatchObject({ properties: { note: { type: 'string' } }, required: ['count'] })
    expect(tool.changes!(environment, { ...facts({ count: 2 }), result: null })).toEqual({ cash: 8 })
    expect(tool.changes!(environment, { ...facts({ count: 2, note: 'x' }), result: null })).toEqual({ cash: 0 })
  })

  test('takes a whole JSON Schema as it is', () => {
    const schema = {
      type: 'object',
      properties: {
        size: { enum: ['small', 'large'] },
        many: { type: 'array', items: { type: 'number' }, maxItems: 2 },
      },
      required: ['size'],
    }
    const tool = toolOf(`{ parameters: ${JSON.stringify(schema)}, changes: { cash: "input.size == 'small' ? 1 : 2" } }`)
    expect(tool.parameters).toEqual(schema)
    expect(tool.refusal!(environment, facts({ size: 'huge' }))).toBe(
      'This cannot be done: size must be one of "small", "large".',
    )
    expect(tool.refusal!(environment, facts({ size: 'small', many: [1, 'x'] }))).toBe(
      'This cannot be done: many[1] must be a number.',
    )
    expect(tool.refusal!(environment, facts({ size: 'small', many: [1, 2, 3] }))).toBe(
      'This cannot be done: many must have at most 2 items.',
    )
    expect(tool.refusal!(environment, facts({ size: 'small', other: 1 }))).toBeUndefined()
  })

  test('refuses what cannot be found out, and with the first words that apply', () => {
    const tool = toolOf(
      '{ require: [{ when: stock.lemons > 1, otherwise: Too few. }, { when: cash > 100, otherwise: Too poor. }] }',
    )
    expect(failureOf(() => tool.refusal!(environment, facts()))).toEqual([
      'call_failed',
      'this could not be done',
      { reason: 'An expression failed: there is no field "lemons" in a map. Ask for it with has() first.' },
    ])
    expect(tool.refusal!({ ...environment, stock: { lemons: 1 } }, facts())).toBe('Too few.')
    expect(tool.refusal!({ ...environment, stock: { lemons: 2 } }, facts())).toBe('Too poor.')
    expect(tool.refusal!({ cash: 101, stock: { lemons: 2 } }, facts())).toBeUndefined()
  })

  test('tells nothing of what is hidden where its result cannot be found out', () => {
    const tool = compiled("environment: { secret: TOPSECRET, stock: {} }\ntools: { it: { result: 'stock[secret]' } }")
      .tools!['it']!
    const hidden = { secret: 'TOPSECRET', stock: {} }
    const [code, message, details] = failureOf(() =>
      tool.run!(
        {},
        {
          ...facts(),
          thread: 'run/one/ann',
          environment: hidden,
          idempotencyKey: '',
          term: 1,
          signal: new AbortController().signal,
        },
      ),
    ) as [string, string, unknown]
    expect([code, message]).toEqual(['call_failed', 'this could not be done'])
    expect(details).toEqual({ reason: expect.stringContaining('"TOPSECRET"') })
  })

  test('keeps parameters by name in the definition, so that one of them can be changed', () => {
    const { tools } = readExperiment(
      `name: one\n${participants}\ntools: { it: { parameters: { count: integer, note: { type: string, optional: true } } } }`,
    )
    expect(tools!['it']!.parameters).toEqual({ count: { type: 'integer' }, note: { type: 'string', optional: true } })
    const changed = checkDefinition({
      name: 'one',
      participants: { ann: { model: 'small' } },
      tools: { it: { parameters: { ...tools!['it']!.parameters, count: { type: 'integer', maximum: 2 } } } },
    })
    expect(compileExperiment(changed).tools!['it']!.refusal!({}, facts({ count: 3 }))).toBe(
      'This cannot be done: count must be at most 2.',
    )
  })

  test('knows who calls it, and when', () => {
    const tool = toolOf('{ changes: { cash: "participant == \'ann\' ? round : 0" } }')
    expect(tool.changes!(environment, { ...facts(), result: null })).toEqual({ cash: 2 })
  })

  test('rolls no dice to refuse', () => {
    expect(
      complaints(`name: one\n${participants}\ntools: { it: { require: [{ when: random() > 0.5, otherwise: No. }] } }`),
    ).toEqual([
      'a.yaml:3:34 tools.it.require[0].when: there is no chance here; ask it in a hook or in what a tool changes, and keep the outcome in a variable.',
    ])
  })
})
