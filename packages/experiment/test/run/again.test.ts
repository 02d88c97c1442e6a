import { openBook, type Model } from 'minutebook'
import { comparisonOf, defineExperiment, participantThread, type Experiment } from '@minutebook/experiment/run'
import { describe, expect, test } from 'vitest'
import { scriptedModel } from '@minutebook/testing'
import { laboratory, over, type Laboratory } from '../../../../tests/support/experiment/laboratory.ts'
import { evidenceOf } from '../../../../tests/support/experiment/evidence.ts'
import { hastyClock } from './support/hasty-clock.ts'
import { market, trader } from '../../../../tests/support/experiment/market.ts'

const six = market({ rounds: 6 })
const speaking = (name: string): Model =>
  Object.assign(
    scriptedModel(
      Array.from({ length: 500 }, () => trader(name)),
      { wire: 'openai', model: 'm' },
    ),
    { facts: { options: { temperature: 0 }, seed: 3 } },
  )
/** Nobody who could say anything. */
const mute = (): Model =>
  Object.assign(scriptedModel([], { wire: 'openai', model: 'm' }), { facts: { options: { temperature: 0 }, seed: 3 } })
const open = (
  others: readonly Experiment[] = [],
  models: (name: string, run: string) => Model = speaking,
): Promise<Laboratory> =>
  laboratory([six, ...others], models, { clock: hastyClock, window: 3000, onError: () => undefined })

describe('recorded answers', () => {
  test('given again they make the same run: every prompt, every answer, every value, and nobody is asked', async () => {
    const lab = await open([], (name, run) => (run === 'again' ? mute() : speaking(name)))
    const first = await lab.play('first', six)
    const again = await lab.play('again', six, { answers: 'first' })
    expect(again.status).toBe('limit')
    expect(comparisonOf(first, again).parts).toBeUndefined()
    expect(await evidenceOf(lab.store, 'again', six)).toEqual({
      ...(await evidenceOf(lab.store, 'first', six)),
      events: expect.anything() as unknown,
    })
    expect(again.spending).toEqual(first.spending)
    await lab.close()
  })

  test('a run that asks and one on the same record have the same hashes, wherever they are played', async () => {
    const labs = [await open(), await open()]
    const [one, two] = await Promise.all(
      labs.map(async (lab, index) => {
        await lab.play(`run-${index}`, six)
        return evidenceOf(lab.store, `run-${index}`, six)
      }),
    )
    expect(two).toEqual(one)
    await Promise.all(labs.map((lab) => lab.close()))
  })

  test('calls that have no ids do the same as those that have', async () => {
    const [plain, without] = await Promise.all(
      (['openai', 'ollama'] as const).map(async (wire) => {
        const lab = await open([], (name) =>
          scriptedModel(
            Array.from({ length: 500 }, () => trader(name)),
            { wire, model: 'm' },
          ),
        )
        const { rounds } = await lab.play('first', six)
        await lab.close()
        return rounds.map(({ environment, cells }) => ({
          environment,
          cells: cells.map(({ participant, turn, text, effects }) => ({ participant, turn, text, effects })),
        }))
      }),
    )
    expect(plain!.flatMap(({ cells }) => cells.flatMap(({ effects }) => effects)).length).toBeGreaterThan(40)
    expect(without).toEqual(plain)
  })

  test.each<readonly [title: string, change: Partial<Experiment>, told: number, parts: number]>([
    [
      'another word in a system prompt',
      { participants: { ...six.participants, bob: { ...six.participants['bob']!, system: 'You are Robert.' } } },
      1,
      1,
    ],
    [
      'another question in the second round',
      { rounds: six.rounds!.map((round, index) => (index === 1 ? { ...round, ask: 'Go.' } : round)) },
      2,
      2,
    ],
    [
      'another rule',
      {
        hooks: { ...six.hooks, roundEnd: ({ stock }, { round }) => ({ stock: Number(stock) + (round === 3 ? 1 : 5) }) },
      },
      2,
      1,
    ],
    [
      'a tool less',
      { participants: { ...six.participants, cy: { ...six.participants['cy']!, tools: ['weigh'] } } },
      1,
      1,
    ],
  ])('%s is told where it comes to it', async (_, change, round, parts) => {
    const other: Experiment = { ...six, ...change, name: 'other' }
    const lab = await open([other])
    const first = await lab.play('first', six)
    const { status, reason, rounds } = await lab.play('again', other, { answers: 'first' })
    expect(status).toBe('error')
    expect(reason).toMatch(new RegExp(`^(ann|bob|cy) failed 3 times in round ${round}`))
    expect(rounds).toHaveLength(round)
    const codes = rounds
      .at(-1)!
      .cells.flatMap(({ reason: why }) => why ?? [])
      .map(({ code, message }) => `${code} ${message}`)
    expect(codes.join('\n')).toContain('not_recorded')
    expect(comparisonOf(first, await lab.experiments.run('again').board()).parts).toBe(parts)
    await lab.close()
  })
})

describe('a fork', () => {
  test('did what the other did before its round, word for word, and goes on with its change', async () => {
    const dear: Experiment = { ...six, name: 'dear', hooks: { ...six.hooks, roundStart: () => ({ price: 99 }) } }
    const lab = await open([dear])
    const first = await lab.play('first', six)
    const run = await lab.experiments.fork('first', { as: 'second', round: 4, experiment: dear })
    const second = await over(run)
    const compared = comparisonOf(first, second)
    expect(compared.parts).toBe(4)
    expect(compared.rounds.map(({ isSame }) => isSame)).toEqual([true, true, true, false, false, false])
    expect(compared.rounds[3]?.environment).toContainEqual({
      name: 'price',
      left: first.rounds[3]!.environment['price'],
      right: 99,
    })
    expect(second.forked).toEqual({ run: 'first', round: 4 })
    const book = openBook({ store: lab.store })
    for (const name of Object.keys(six.participants)) {
      const [before, after] = await Promise.all(
        ['first', 'second'].map(async (id) =>
          (await book.thread(participantThread(id, name)).visible()).map(({ kind, text, calls }) =>
            JSON.stringify([kind, text, calls]),
          ),
        ),
      )
      const shared = before!.findIndex((line) => line.startsWith('["user","Round 4'))
      expect(shared).toBeGreaterThan(5)
      expect(after!.slice(0, shared)).toEqual(before!.slice(0, shared))
      // Bob does not see the price.
      expect(after![shared] === before![shared]).toBe(name === 'bob')
      expect(await book.thread(participantThread('second', name)).verify()).toMatchObject({ ok: true, problems: [] })
    }
    // The other is as it was.
    expect(await lab.experiments.run('first').board()).toEqual(first)
    await lab.close()
  })

  test('without a change comes out the same', async () => {
    const lab = await open()
    const first = await lab.play('first', six)
    for (const round of [1, 3, 7]) {
      const second = await over(await lab.experiments.fork('first', { as: `at-${round}`, round, experiment: six }))
      expect(comparisonOf(first, second).parts, `forked at ${round}`).toBeUndefined()
      expect(second.reason).toBe(first.reason)
    }
    await lab.close()
  })

  test.each([0, 1.5, 8, -1])('not in round %s of six', async (round) => {
    const lab = await open()
    await lab.play('first', six)
    await expect(lab.experiments.fork('first', { as: 'second', round, experiment: six })).rejects.toThrow(
      'Fork at a round that it began, or the one after its last',
    )
    expect(await lab.experiments.list()).toEqual(['first'])
    await lab.close()
  })
})

describe('comparison', () => {
  test('names the round, the variable, the prompt and the answer that differ', async () => {
    const two = market({ rounds: 2 })
    const contrary = (name: string): Model =>
      scriptedModel(
        Array.from({ length: 50 }, () => (request) => {
          const answer = trader(name)(request)
          return name === 'cy' &&
            request.messages.some(({ content }) => String(content).startsWith('Round 2')) &&
            answer.calls === undefined
            ? { ...answer, text: 'No.' }
            : answer
        }),
        { wire: 'openai', model: 'm' },
      )
    const lab = await laboratory([two], (name, run) => (run === 'left' ? speaking(name) : contrary(name)), {
      clock: hastyClock,
      window: 3000,
    })
    const [left, right] = [await lab.play('left', two), await lab.play('right', two)]
    expect(comparisonOf(left, left).parts).toBeUndefined()
    const { parts, rounds } = comparisonOf(left, right)
    expect([parts, rounds.map(({ isSame }) => isSame)]).toEqual([2, [true, false]])
    expect(rounds[1]?.turns.map(({ participant, prompts, answers }) => [participant, prompts, answers])).toEqual([
      ['ann', 'same', 'same'],
      ['bob', 'same', 'same'],
      ['cy', 'same', 'other'],
    ])
    expect(rounds[1]?.turns[2]?.right?.text).toBe('No.')
    await lab.close()
  })

  test('sees another prompt, though it was answered the same and nothing else differs', async () => {
    const two = market({ rounds: 2 })
    const other: Experiment = {
      ...two,
      name: 'other',
      participants: { ...two.participants, bob: { ...two.participants['bob']!, system: 'You are Robert.' } },
    }
    const lab = await laboratory([two, other], speaking, { clock: hastyClock, window: 3000 })
    const { parts, rounds } = comparisonOf(await lab.play('left', two), await lab.play('right', other))
    expect(parts).toBe(1)
    expect(
      rounds.map(({ environment, turns }) => [
        environment,
        turns.map(({ participant, prompts, answers }) => [participant, prompts, answers]),
      ]),
    ).toEqual(
      [1, 2].map(() => [
        [],
        [
          ['ann', 'same', 'same'],
          ['bob', 'other', 'same'],
          ['cy', 'same', 'same'],
        ],
      ]),
    )
    await lab.close()
  })

  test('a round that only one of them has', async () => {
    const [two, three] = [market({ rounds: 2 }), { ...market({ rounds: 3 }), name: 'three' }]
    const lab = await laboratory([two, three], speaking, { clock: hastyClock, window: 3000 })
    const { parts, rounds } = comparisonOf(await lab.play('left', two), await lab.play('right', three))
    expect(parts).toBe(3)
    expect(rounds.map((round) => round.in)).toEqual(['both', 'both', 'right'])
    await lab.close()
  })
})

describe('the manifest', () => {
  test('says what was really sent', async () => {
    const lab = await open()
    await lab.play('first', six)
    const { participants, ...made } = await lab.experiments.run('first').manifest()
    expect(made).toEqual({
      experiment: 'market',
      definition: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      seed: 11,
    })
    expect(participants.map(({ name }) => name)).toEqual(['ann', 'bob', 'cy'])
    for (const { name, settings } of participants) {
      expect(settings).toHaveLength(1)
      expect(settings[0]).toMatchObject({
        model: 'm',
        wire: 'openai',
        facts: { options: { temperature: 0 }, seed: 3 },
        window: 3000,
        tools: ['take', 'tell', 'weigh'],
      })
      expect(settings[0]?.calls).toBe(
        (await lab.experiments.run('first').board()).participants.find((lane) => lane.name === name)?.spending.calls,
      )
    }
    const again = await lab.play('again', six, { answers: 'first' })
    expect(again.status).toBe('limit')
    expect(await lab.experiments.run('again').manifest()).toEqual({ ...made, participants })
    await lab.close()
  })

  test('what changed in between stands there one after the other', async () => {
    const two: Experiment = defineExperiment({
      name: 'two',
      environment: {},
      participants: { ann: { model: { name: 'm' } } },
      limits: { rounds: 2 },
    })
    let temperature = 0
    const lab = await laboratory(
      [two],
      () => Object.assign(scriptedModel(['One.', 'Two.']), { facts: { temperature: temperature++ < 2 ? 0 : 1 } }),
      { clock: hastyClock },
    )
    await lab.play('first', two)
    const { participants } = await lab.experiments.run('first').manifest()
    expect(participants[0]?.settings.reduce((sum, { calls }) => sum + calls, 0)).toBe(2)
    await lab.close()
  })
})
