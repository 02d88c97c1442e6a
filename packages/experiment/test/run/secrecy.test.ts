import fc from 'fast-check'
import { openBook, type ModelRequest } from 'minutebook'
import {
  defineExperiment,
  participantThread,
  type Changes,
  type Experiment,
  type ExperimentTool,
  type Play,
} from '@minutebook/experiment/run'
import { expect, test } from 'vitest'
import { cases, withSure } from '../../../../tests/support/runs.ts'
import { scriptedModel, type ScriptedAnswer } from '@minutebook/testing'
import { laboratory } from '../../../../tests/support/experiment/laboratory.ts'
import { hastyClock } from './support/hasty-clock.ts'

const names = ['ann', 'bob', 'cy'] as const
const variables = ['apple', 'birch', 'cedar', 'daisy'] as const
type Name = (typeof names)[number]
type VariableName = (typeof variables)[number]

/** What is drawn of an experiment, and of what its participants do. */
interface Drawn {
  readonly sees: Readonly<Record<Name, readonly VariableName[] | undefined>>
  readonly hears: Readonly<Record<Name, 'all' | 'addressed' | undefined>>
  readonly tells: Readonly<Record<Name, readonly Name[]>>
  readonly plays: readonly Play[]
  readonly tools: readonly DrawnTool[]
  /** What is done, one after the other, by whoever is asked. */
  readonly deeds: readonly number[]
}

interface DrawnTool {
  readonly target: VariableName
  readonly manner:
    | 'sets'
    | 'wrong type'
    | 'no such'
    | 'throws'
    | 'refuses by throwing'
    | 'refuses'
    | 'refuses once another was first'
}

/** A value that says which variable it is of. */
const canary = (variable: string, what: number | string = ''): string => `canary-${variable}-${what}`

function experimentOf({ sees, hears, tells, plays, tools }: Drawn): Experiment {
  return defineExperiment({
    name: 'secrets',
    environment: Object.fromEntries(
      variables.map((variable) => [variable, { type: 'text' as const, initial: canary(variable, 'first') }]),
    ),
    participants: Object.fromEntries(
      names.map((name) => [
        name,
        {
          model: { name: 'm' },
          system: canary(`system ${name}`),
          sees: sees[name],
          hears: hears[name],
          tells: tells[name].filter((other) => other !== name),
          tools: tools.map((_, index) => `tool_${index}`),
          history: [
            { role: 'user' as const, content: canary(`history ${name}`) },
            { role: 'assistant' as const, content: 'Yes.' },
          ],
        },
      ]),
    ),
    tools: Object.fromEntries(tools.map((tool, index) => [`tool_${index}`, toolOf(tool)])),
    rounds: plays.map((play) => ({ play })),
    hooks: {
      roundStart: (_, { round, random }) => ({ [random.pick(variables)]: canary('hidden', round) }),
      roundEnd: (before, { random }) => swapped(before as Readonly<Record<string, string>>, random.pick(variables)),
    },
    limits: { rounds: 3, turns: 4 },
  })
}

/** Whatever the hook before it wrote gets the name of its variable. */
function swapped(before: Readonly<Record<string, string>>, also: string): Changes {
  return Object.fromEntries(
    Object.entries(before)
      .filter(([name, value]) => name === also || !value.startsWith(`canary-${name}-`))
      .map(([name]) => [name, canary(name, 'hook')]),
  )
}

function toolOf({ target, manner }: DrawnTool): ExperimentTool {
  const parameters = { type: 'object', properties: { number: { type: 'integer' } } }
  const changes = (environment: Changes, number: unknown): Changes => ({
    [target]: manner === 'wrong type' ? ([environment[target]!] as never) : canary(target, Number(number)),
    ...(manner === 'no such' && { [`other ${textOf(environment[target])}`]: 1 }),
  })
  return {
    parameters,
    refusal: (environment) => {
      if (manner === 'refuses by throwing') throw new Error(`because of ${textOf(environment[target])}`)
      if (manner === 'refuses once another was first')
        return textOf(environment[target]).includes('-first') ? undefined : 'somebody was first'
      return manner === 'refuses' ? 'not today' : undefined
    },
    changes: (environment, { input }) => {
      if (manner === 'throws') throw new Error(`because of ${textOf(environment[target])}`)
      return changes(environment, input['number'])
    },
  }
}

const textOf = (value: unknown): string => JSON.stringify(value)

/** Does what was drawn; what it says names who said it and to whom. */
function player(name: Name, { deeds, tools, tells }: Drawn): (request: ModelRequest) => ScriptedAnswer {
  let done = names.indexOf(name)
  return ({ messages }) => {
    const deed = deeds[done++ % deeds.length]!
    const others = tells[name].filter((other) => other !== name)
    if (messages.at(-1)?.role === 'tool' || deed % 3 === 0) return { text: canary(`said by ${name}`, deed) }
    if (deed % 3 === 1 && others.length > 0)
      return {
        calls: others.map((to) => ({
          name: 'tell',
          arguments: { to, text: canary(`told by ${name} to ${to}`, deed) },
        })),
      }
    return {
      calls:
        tools.length === 0
          ? [{ name: 'nothing' }]
          : tools
              .map((_, index) => ({ name: `tool_${(index + deed) % tools.length}`, arguments: { number: deed } }))
              .slice(0, 2),
    }
  }
}

/** What must not be in the prompts of a participant. */
function forbidden(name: Name, { sees, hears, tells }: Drawn): readonly string[] {
  const others = names.filter((other) => other !== name)
  return [
    ...variables
      .filter((variable) => sees[name] !== undefined && !sees[name].includes(variable))
      .map((variable) => canary(variable)),
    ...others.flatMap((other) => [canary(`system ${other}`), canary(`history ${other}`)]),
    ...(hears[name] === 'all' ? [] : others.map((other) => canary(`said by ${other}`))),
    ...others.flatMap((other) =>
      tells[other].filter((to) => to !== name).map((to) => canary(`told by ${other} to ${to}`)),
    ),
  ]
}

const perName = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Readonly<Record<Name, T>>> =>
  fc.record({ ann: arbitrary, bob: arbitrary, cy: arbitrary })
const drawn: fc.Arbitrary<Drawn> = fc.record({
  sees: perName(fc.option(fc.subarray([...variables]), { nil: undefined, freq: 6 })),
  hears: perName(fc.constantFrom('all', 'addressed', undefined)),
  tells: perName(fc.subarray([...names])),
  plays: fc.array(fc.constantFrom<Play>('sequence', 'parallel', 'addressed'), { minLength: 1, maxLength: 3 }),
  tools: fc.array(
    fc.record({
      target: fc.constantFrom(...variables),
      manner: fc.constantFrom<DrawnTool['manner']>(
        'sets',
        'wrong type',
        'no such',
        'throws',
        'refuses by throwing',
        'refuses',
        'refuses once another was first',
      ),
    }),
    { maxLength: 4 },
  ),
  deeds: fc.array(fc.nat(20), { minLength: 4, maxLength: 12 }),
})

test('nobody is ever sent what it may not see: neither a hidden variable, nor what others are or say to each other', async () => {
  const canaries = ['said by', 'told by', 'apple', 'history']
  const held = new Set<string>()
  await fc.assert(
    fc.asyncProperty(drawn, async (facts) => {
      const experiment = experimentOf(facts)
      const models = new Map(
        names.map((name) => [
          name as string,
          scriptedModel(
            Array.from({ length: 100 }, () => player(name, facts)),
            { wire: 'openai', model: 'm' },
          ),
        ]),
      )
      const lab = await laboratory([experiment], (name) => models.get(name)!, { clock: hastyClock })
      const { status, reason } = await lab.play('secret', experiment)
      expect([status, reason]).toEqual(['limit', '3 rounds were played, as many as are allowed.'])
      const book = openBook({ store: lab.store })
      for (const name of names) {
        const sent = models.get(name)!.requests.map((request) => JSON.stringify([request.messages, request.tools]))
        const thread = book.thread(participantThread('secret', name))
        // What is on record of each prompt is what was sent.
        const dumps = await Promise.all(
          (await thread.receipts()).map(async ({ id }) =>
            JSON.stringify((await thread.dump({ receipt: id })).messages),
          ),
        )
        for (const prompt of [...sent, ...dumps])
          for (const word of forbidden(name, facts)) expect(prompt, name).not.toContain(word)
        for (const word of canaries) if (sent.some((prompt) => prompt.includes(`canary-${word}`))) held.add(word)
      }
      await lab.close()
    }),
    withSure(5, cases('long'), [drawn]),
  )
  // Else nothing was there to be hidden.
  expect([...held].toSorted()).toEqual([...canaries].toSorted())
})
