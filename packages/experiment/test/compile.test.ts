import { seeded, type CallContext, type Environment } from '@minutebook/experiment/run'
import { compileExperiment, readExperiment } from '@minutebook/experiment'
import { describe, expect, test } from 'vitest'
import { stand } from './support/stand.ts'

const experiment = compileExperiment(readExperiment(stand, { source: 'stand.yaml' }))
const environment: Environment = { cash: 100, lemons: 2, debt: 50, weather: 'sunny' }
const facts = (input: CallContext['input']): CallContext => ({
  round: 1,
  participant: 'vendor',
  thread: 'run/one/vendor',
  input,
  random: seeded(7, 'here'),
  environment,
  idempotencyKey: 'key of the call',
  term: 3,
  signal: new AbortController().signal,
})

describe('a compiled experiment', () => {
  test('has data as it was written, and long forms for short ones', () => {
    expect(experiment).toMatchObject({
      name: 'lemonade stand',
      seed: 7,
      environment: {
        cash: { type: 'number', initial: 100, description: 'in dollars' },
        weather: { type: 'text', initial: 'sunny' },
      },
      participants: { vendor: { model: { name: 'gemma3:4b' }, sees: ['cash', 'lemons', 'weather'] } },
      limits: { rounds: 30 },
    })
  })

  test('has tools that refuse, change and tell', async () => {
    const { buy_lemons: buy } = experiment.tools!
    expect(buy!.parameters).toEqual({
      type: 'object',
      properties: { count: { type: 'integer', minimum: 1, description: 'how many' } },
      required: ['count'],
      additionalProperties: false,
    })
    expect(buy!.refusal!(environment, facts({ count: 10 }))).toBeUndefined()
    expect(buy!.refusal!(environment, facts({ count: 1000 }))).toBe('You cannot pay that.')
    expect(buy!.refusal!(environment, facts({ count: '10' }))).toBe(
      'This cannot be done: count must be a whole number.',
    )
    expect(buy!.refusal!(environment, facts({}))).toBe('This cannot be done: count is missing.')
    expect(buy!.refusal!(environment, facts({ count: 0 }))).toBe('This cannot be done: count must be at least 1.')
    expect(buy!.refusal!(environment, facts({ count: 1, size: 2 }))).toBe('This cannot be done: there is no size.')
    expect(await buy!.run!({ count: 10 }, facts({ count: 10 }))).toBe('You have 12 lemons.')
    expect(buy!.changes!(environment, { ...facts({ count: 10 }), result: null })).toEqual({ cash: 95, lemons: 12 })
  })

  test('has hooks whose chance is that of the place, and goals', () => {
    const { roundStart } = experiment.hooks!
    expect(roundStart!(environment, { round: 1, random: seeded(7, 'a') })).toEqual(
      roundStart!(environment, { round: 1, random: seeded(7, 'a') }),
    )
    expect(roundStart!(environment, { round: 1, random: seeded(7, 'a') })).toEqual({
      weather: seeded(7, 'a').pick(['sunny', 'cloudy', 'rainy']),
      debt: 50.5,
    })
    expect(
      experiment.goals!.success!.map((goal) => [
        goal.name,
        goal.when(environment, { round: 1 }),
        goal.when({ ...environment, cash: 1050 }, { round: 1 }),
      ]),
    ).toEqual([['rich', false, true]])
    expect(
      experiment.goals!.failure!.map((goal) => [goal.name, goal.when({ ...environment, cash: -1 }, { round: 1 })]),
    ).toEqual([['broke', true]])
  })

  test('keeps what a tool gave in what it changes', () => {
    const { roll } = experiment.tools!
    expect(roll!.changes!(environment, { ...facts({}), result: 4 })).toEqual({ lemons: 6 })
  })
})
