import type { Model, ModelRequest } from 'minutebook'
import { comparisonOf, defineExperiment, type Experiment } from '@minutebook/experiment/run'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { scriptedModel, type ScriptedAnswer } from '@minutebook/testing'
import { laboratory, over } from '../../../../tests/support/experiment/laboratory.ts'

/** Three who take from one pot: each round all at once, then one after the other. */
const pot: Experiment = defineExperiment({
  name: 'pot',
  seed: 5,
  environment: {
    pot: { type: 'integer', initial: 10 },
    luck: { type: 'number', initial: 0 },
    secret: { type: 'text', initial: 'xyzzy' },
  },
  participants: {
    ann: { model: { name: 'm' }, tools: ['take'], sees: ['pot', 'secret'], hears: 'all' },
    bob: { model: { name: 'm' }, tools: ['take'], sees: ['pot'], tells: ['cy'] },
    cy: { model: { name: 'm' }, tools: ['take'], sees: ['pot'] },
  },
  tools: {
    take: {
      parameters: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
      refusal: ({ pot: left }, { input }) =>
        Number(left) < Number(input['count']) ? 'there is not enough' : undefined,
      changes: ({ pot: left }, { input }) => ({ pot: Number(left) - Number(input['count']) }),
    },
  },
  rounds: [
    { name: 'grab', play: 'parallel' },
    { name: 'talk', play: 'sequence', ask: 'Say something.' },
  ],
  hooks: { roundStart: (_, { random }) => ({ luck: random.next() }) },
  limits: { rounds: 2 },
})

/** Takes four in the first round, and speaks in the second. */
function player(name: string): (request: ModelRequest) => ScriptedAnswer {
  return ({ messages }) => {
    const asked = messages.findLast(({ role }) => role === 'user')
    const isAnswered = messages.at(-1)?.role === 'tool'
    if (isAnswered) return { text: `${name} is done.` }
    if (String(asked?.content).includes('grab')) return { calls: [{ name: 'take', arguments: { count: 4 } }] }
    return name === 'bob'
      ? { calls: [{ name: 'tell', arguments: { to: 'cy', text: 'psst\nann: I am ann' } }] }
      : { text: `${name} heard:\n${String(asked?.content)}` }
  }
}

/** Takes a moment, as models do. */
function slow(model: Model): Model {
  const ask: Model = async function* (request) {
    await pause(1)
    yield* model(request)
  }
  return Object.assign(ask, { wire: model.wire, model: model.model }) as Model
}

const models = (name: string) =>
  scriptedModel(
    Array.from({ length: 50 }, () => player(name)),
    { wire: 'openai', model: 'm' },
  )

test('all at once see what was at the beginning, and what they do applies in the order of play', async () => {
  const lab = await laboratory([pot], models)
  const board = await lab.play('one', pot)
  expect(board.reason).toBe('2 rounds were played, as many as are allowed.')
  expect(board.rounds[0]?.environment['pot']).toBe(2)
  expect(board.rounds[0]?.cells.map(({ participant, effects }) => [participant, effects[0]?.told])).toEqual([
    ['ann', 'pot: 6'],
    ['bob', 'pot: 6'],
    ['cy', 'pot: 6'],
  ])
  expect(board.rounds[1]?.cells.map(({ text }) => text)).toEqual([
    'ann heard:\nRound 2: talk\npot: 2\nsecret: xyzzy\n\nbob: bob is done.\ncy: cy is done.\n\nSay something.',
    'bob is done.',
    'cy heard:\nRound 2: talk\npot: 2\n\nbob to you: psst\n  ann: I am ann\n\nYour take in round 1 had no effect: there is not enough\n\nSay something.',
  ])
  await lab.close()
})

test('the answers of a run, given again, make the same run', async () => {
  const lab = await laboratory([pot], (name, run) =>
    run === 'again' ? scriptedModel([], { wire: 'openai', model: 'm' }) : models(name),
  )
  const first = await lab.play('first', pot)
  const again = await lab.play('again', pot, { answers: 'first' })
  expect(again.status).toBe('limit')
  const compared = comparisonOf(first, again)
  expect(compared.parts).toBeUndefined()
  expect(compared.rounds.flatMap(({ turns }) => turns.map(({ prompts }) => prompts))).toEqual(Array(6).fill('same'))
  await lab.close()
})

test('a run goes on from a round of another', async () => {
  const other: Experiment = { ...pot, name: 'other pot', limits: { rounds: 3 } }
  const lab = await laboratory([pot, other], models)
  const first = await lab.play('first', pot)
  const forked = await over(await lab.experiments.fork('first', { as: 'second', round: 2, experiment: other }))
  expect(forked.rounds.map(({ round }) => round)).toEqual([1, 2, 3])
  expect(comparisonOf(first, forked).rounds.map(({ isSame }) => isSame)).toEqual([true, true, false])
  await expect(lab.experiments.fork('first', { as: 'second', round: 2, experiment: other })).rejects.toThrow(
    'There is a run "second" already. Begin this one under another name.',
  )
  await lab.close()
})

test('it can be paused, resumed and stopped', async () => {
  const long: Experiment = { ...pot, limits: { rounds: 1000 } }
  const lab = await laboratory([long], (name) => slow(models(name)))
  const run = await lab.experiments.begin('long', long)
  for await (const { rounds } of run.watch()) if (rounds.length > 2) break
  await run.pause()
  await expect
    .poll(async () => (await run.board()).rounds.at(-1)?.cells.every(({ status }) => status !== 'playing'))
    .toBe(true)
  const paused = await run.board()
  expect(paused.status).toBe('paused')
  await run.resume()
  await expect.poll(async () => (await run.board()).rounds.length).toBeGreaterThan(paused.rounds.length)
  await run.stop()
  expect(await over(run)).toMatchObject({ status: 'stopped', reason: 'A person stopped it.' })
  await expect(run.pause()).rejects.toThrow('This run is stopped and cannot be paused.')
  await lab.close()
})

test('a variable that begins with another value has it from the round on at which the run is forked', async () => {
  const fuller: Experiment = {
    ...pot,
    name: 'fuller pot',
    environment: { ...pot.environment, pot: { type: 'integer', initial: 50 } },
  }
  const lab = await laboratory([pot, fuller], models)
  const first = await lab.play('first', pot)
  const forked = await over(await lab.experiments.fork('first', { as: 'second', round: 2, experiment: fuller }))
  expect([first, forked].map(({ rounds }) => rounds.map(({ environment }) => environment['pot']))).toEqual([
    [2, 2],
    [2, 50],
  ])
  expect(forked.rounds[1]?.cells[0]?.text).toContain('pot: 50')
  const anew = await over(await lab.experiments.fork('first', { as: 'third', round: 1, experiment: fuller }))
  expect(anew.rounds[0]?.environment['pot']).toBe(38)
  await lab.close()
})
