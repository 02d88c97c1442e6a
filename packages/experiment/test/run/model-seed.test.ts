import fc from 'fast-check'
import { openBook, type Model } from 'minutebook'
import { openAiModel } from 'minutebook/openai'
import { defineExperiment, participantThread, type Experiment, type ModelChoice } from '@minutebook/experiment/run'
import { receiptsOf } from 'minutebook/inspect'
import OpenAI from 'openai'
import { scriptedModel, type ScriptedModel } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { describe, expect, test } from 'vitest'
import { laboratory, over, type Laboratory } from '../../../../tests/support/experiment/laboratory.ts'
import { seatModel, turnSeed } from '../../src/run/model-seed.ts'
import { hastyClock } from './support/hasty-clock.ts'

const talk = (choice: Partial<ModelChoice> = {}): Experiment =>
  defineExperiment({
    name: 'talk',
    seed: 7,
    environment: { total: { type: 'integer', initial: 0 } },
    participants: { ann: { model: { name: 'm', ...choice }, tools: ['add'] }, bob: { model: { name: 'm' } } },
    tools: {
      add: { parameters: { type: 'object', properties: {} }, changes: ({ total }) => ({ total: Number(total) + 1 }) },
    },
    limits: { rounds: 3 },
  })

const alone = (seed?: 'none'): Experiment =>
  defineExperiment({
    name: 'alone',
    seed: 7,
    environment: {},
    participants: { bob: { model: { name: 'm', ...(seed && { seed }) } } },
    limits: { rounds: 1 },
  })

/** Ann adds once in each of her turns, and Bob speaks. */
function speakers(lines: (name: string) => Parameters<typeof scriptedModel>[0] = linesOf): {
  readonly models: (name: string, run: string) => Model
  readonly asked: (name: string, run?: string) => readonly (number | undefined)[]
} {
  const made = new Map<string, ScriptedModel>()
  return {
    models: (name, run) => {
      const key = `${run} ${name}`
      const model = made.get(key) ?? scriptedModel(lines(name), { wire: 'openai', model: 'm' })
      made.set(key, model)
      return model
    },
    asked: (name, run = 'first') => (made.get(`${run} ${name}`)?.requests ?? []).map(({ options }) => options?.seed),
  }
}

function linesOf(name: string): Parameters<typeof scriptedModel>[0] {
  const turn = name === 'ann' ? [{ calls: [{ name: 'add' }] }, 'Added.'] : ['Well.']
  return Array.from({ length: 20 }, () => turn).flat()
}

/** The seeds in the receipts of a participant. */
async function recorded({ store }: Laboratory, run: string, name: string): Promise<readonly unknown[]> {
  const entries = await openBook({ store }).thread(participantThread(run, name)).entries()
  return receiptsOf(entries).map(({ options }) => options?.seed)
}

describe('the seed of a run', () => {
  test('gives each turn a seed of its own, the same for all of its calls; these are written down here', async () => {
    const { models, asked } = speakers()
    const lab = await laboratory([talk()], models)
    await lab.play('first', talk())
    expect([asked('ann'), asked('bob')]).toMatchInlineSnapshot(`
      [
        [
          910012759,
          910012759,
          371550193,
          371550193,
          1167620004,
          1167620004,
        ],
        [
          823736423,
          445896924,
          1397155013,
        ],
      ]
    `)
    expect([await recorded(lab, 'first', 'ann'), await recorded(lab, 'first', 'bob')]).toEqual([
      asked('ann'),
      asked('bob'),
    ])
    const { participants } = await lab.experiments.run('first').manifest()
    expect(participants.map(({ settings }) => settings.map(({ seeds }) => seeds))).toEqual([
      [[...new Set(asked('ann'))]],
      [asked('bob')],
    ])
    await lab.close()
  })

  test('is all that they depend on: another run of it has the same, one of another seed has others', async () => {
    const { models, asked } = speakers()
    const lab = await laboratory([talk()], models)
    await lab.play('first', talk())
    await lab.play('second', talk(), { seed: 7 })
    await lab.play('other', talk(), { seed: 8 })
    expect(asked('ann', 'second')).toEqual(asked('ann'))
    expect(asked('bob', 'second')).toEqual(asked('bob'))
    const all = (run: string): readonly unknown[] => [...asked('ann', run), ...asked('bob', run)]
    expect(all('other').filter((seed) => all('first').includes(seed as number))).toEqual([])
    await lab.close()
  })

  test('stays that of a turn that is asked again after a failure', async () => {
    const { models, asked } = speakers((name) =>
      name === 'bob' ? ['Well.', new Error('down'), new Error('down'), 'Well.', 'Well.'] : linesOf(name),
    )
    const lab = await laboratory([talk()], models, { clock: hastyClock, onError: () => undefined })
    await lab.play('first', talk())
    const [one, two, again, third, last] = asked('bob')
    expect([again, third]).toEqual([two, two])
    expect(new Set([one, two, last]).size).toBe(3)
    await lab.close()
  })

  test('is kept by a replay that names none, whose receipts and manifest are the same', async () => {
    const { models, asked } = speakers()
    const lab = await laboratory([talk()], models)
    await lab.play('first', talk(), { seed: 99 })
    const again = await lab.play('again', talk(), { answers: 'first' })
    expect([again.seed, again.status, asked('ann', 'again')]).toEqual([99, 'limit', []])
    for (const name of ['ann', 'bob'])
      expect(await recorded(lab, 'again', name)).toEqual(await recorded(lab, 'first', name))
    expect(await lab.experiments.run('again').manifest()).toEqual(await lab.experiments.run('first').manifest())
    await lab.close()
  })

  test('is kept by a fork: what it plays again it plays with the same seeds', async () => {
    const { models } = speakers()
    const lab = await laboratory([talk()], models)
    await lab.play('first', talk(), { seed: 5 })
    await over(await lab.experiments.fork('first', { as: 'second', round: 2, experiment: talk() }))
    for (const name of ['ann', 'bob'])
      expect(await recorded(lab, 'second', name)).toEqual(await recorded(lab, 'first', name))
    await lab.close()
  })
})

describe('a participant is not seeded by the run', () => {
  test.each<readonly [what: string, choice: Partial<ModelChoice>, seeds: readonly number[]]>([
    ['has its own', { seed: 4 }, [4]],
    ['has its own among the options for its server', { options: { seed: 3, top_k: 20 } }, [3]],
    ['has both', { seed: 4, options: { seed: 3 } }, [4]],
    ['wants none', { seed: 'none' }, []],
  ])('if it %s: the manifest has what was sent', async (_, choice, seeds) => {
    const { models, asked } = speakers()
    const lab = await laboratory([talk(choice)], models)
    await lab.play('first', talk(choice))
    expect([...new Set(asked('ann'))]).toEqual(seeds.length > 0 ? seeds : [undefined])
    expect(new Set(asked('bob')).size).toBe(3)
    const { participants } = await lab.experiments.run('first').manifest()
    expect(participants.map(({ settings }) => settings[0]?.seeds)).toEqual([seeds, asked('bob')])
    await lab.close()
  })

  test('if its protocol has no seed', async () => {
    const lab = await laboratory([talk()], (name) => scriptedModel(linesOf(name), { wire: 'anthropic', model: 'm' }))
    await lab.play('first', talk())
    expect(await recorded(lab, 'first', 'bob')).toEqual([undefined, undefined, undefined])
    const { participants } = await lab.experiments.run('first').manifest()
    expect(participants.map(({ settings }) => settings[0]?.seeds)).toEqual([[], []])
    await lab.close()
  })
})

describe('a server that refuses fields that it does not know', () => {
  const refusing = (url: string, status: number): OpenAI =>
    new OpenAI({
      baseURL: `${url}/v1`,
      apiKey: 'none',
      fetch: async (address, request) =>
        'seed' in (JSON.parse(request?.body as string) as object)
          ? Response.json({ error: { message: 'Unrecognized request argument supplied: seed' } }, { status })
          : fetch(address, request),
    })

  test.each([400, 422])('fails a turn that has a seed of the run, and its fix names the field: %d', async (status) => {
    await using upstream = await strictUpstream({ answer: 'Well.' })
    const lab = await laboratory([alone()], () => openAiModel(refusing(upstream.url, status), { model: 'm' }), {
      clock: hastyClock,
      onError: () => undefined,
    })
    const { status: end, rounds } = await lab.play('first', alone())
    expect(end).toBe('error')
    expect(rounds[0]!.cells[0]!.reason).toMatchObject({
      code: 'model_refused',
      fix: expect.stringContaining('model.seed: none') as string,
    })
    await lab.close()
  })

  test('answers one that has none', async () => {
    await using upstream = await strictUpstream({ answer: 'Well.' })
    const lab = await laboratory([alone('none')], () => openAiModel(refusing(upstream.url, 400), { model: 'm' }))
    expect((await lab.play('first', alone('none'))).status).toBe('limit')
    await lab.close()
  })

  test('is not said to refuse a seed if none was sent, or if it refused for another reason', async () => {
    for (const [seed, failWith] of [['none', 400] as const, [undefined, 401] as const]) {
      await using upstream = await strictUpstream({ failWith })
      const client = new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey: 'none' })
      const lab = await laboratory([alone(seed)], () => openAiModel(client, { model: 'm' }), {
        clock: hastyClock,
        onError: () => undefined,
      })
      const { rounds } = await lab.play('first', alone(seed))
      expect(rounds[0]!.cells[0]!.reason).toMatchObject({ code: 'model_refused' })
      expect(rounds[0]!.cells[0]!.reason?.fix).not.toContain('model.seed')
      await lab.close()
    }
  })
})

test('a seed among the options for a server is sent once: as the seed of the calls, if it can be one', () => {
  expect(seatModel({ name: 'm', options: { seed: 3, top_k: 20 } })).toEqual({
    name: 'm',
    seed: 3,
    options: { top_k: 20 },
  })
  expect(seatModel({ name: 'm', seed: 'none', options: { seed: 3 } })).toEqual({ name: 'm', options: {} })
  expect(seatModel({ name: 'm', options: { seed: 'random' } })).toEqual({ name: 'm', options: { seed: 'random' } })
})

test('whatever the run and the turn, it is a number above zero that 32 bits can hold', () => {
  const place = fc.record({ round: fc.integer({ min: 1 }), participant: fc.string(), turn: fc.nat() })
  fc.assert(
    fc.property(fc.maxSafeInteger(), place, (run, turn) => {
      const seed = turnSeed(run, turn, { name: 'm' }, 'ollama')
      expect(Number.isInteger(seed) && seed! >= 1 && seed! < 2 ** 31).toBe(true)
      expect(turnSeed(run, { ...turn }, { name: 'm' }, undefined)).toBe(seed)
    }),
  )
})

test('the turns of fifty runs have two thousand seeds', () => {
  const seeds = Array.from({ length: 50 }, (_, run) =>
    Array.from({ length: 20 }, (__, round) =>
      ['ann', 'bob'].map((participant) =>
        turnSeed(run + 1, { round: round + 1, participant, turn: 0 }, { name: 'm' }, 'openai'),
      ),
    ),
  ).flat(2)
  expect(new Set(seeds).size).toBe(2000)
})
