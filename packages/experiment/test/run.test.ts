import { scriptedModel } from '@minutebook/testing'
import { seeded } from '@minutebook/experiment/run'
import { compileExperiment, readExperiment } from '@minutebook/experiment'
import { expect, test } from 'vitest'
import { laboratory } from '../../../tests/support/experiment/laboratory.ts'
import { stand } from './support/stand.ts'

const experiment = compileExperiment(readExperiment(stand.replace('rounds: 30', 'rounds: 2')))
const buy = (count: unknown): object => ({ calls: [{ name: 'buy_lemons', arguments: { count } }] })

test('an experiment from YAML is played: calls are refused, done and told, hooks change the world, and a limit ends it', async () => {
  const model = scriptedModel([
    buy(1000),
    buy('many'),
    buy(10),
    'Ten lemons.',
    { calls: [{ name: 'roll', arguments: {} }] },
    'Rolled.',
  ])
  const lab = await laboratory([experiment], () => model)
  const board = await lab.play('first', experiment)
  await lab.close()
  expect(board.status).toBe('limit')
  expect(
    board.rounds.map(({ cells }) =>
      cells.flatMap(({ effects }) => effects.map(({ tool, status, told }) => [tool, status, told])),
    ),
  ).toEqual([
    [
      ['buy_lemons', 'refused', 'You cannot pay that.'],
      ['buy_lemons', 'refused', 'This cannot be done: count must be a whole number.'],
      ['buy_lemons', 'done', 'You have 10 lemons.'],
    ],
    [['roll', 'done', expect.stringMatching(/^[1-6]$/)]],
  ])
  const rolled = Number(board.rounds[1]!.cells[0]!.effects[0]!.told)
  expect(board.environment).toMatchObject({ cash: 95, lemons: 10 + rolled, debt: 50 * 1.01 * 1.01 })
  expect(['sunny', 'cloudy', 'rainy']).toContain(board.environment['weather'])
})

test('the same seed plays the same world, another seed another', async () => {
  const weatherOf = async (seed: number): Promise<unknown[]> => {
    const lab = await laboratory([experiment], () => scriptedModel(['.', '.']))
    const { rounds } = await lab.play(`seed${seed}`, experiment, { seed })
    await lab.close()
    return rounds.map(({ environment }) => environment['weather'])
  }
  const all = await Promise.all([1, 1, 2, 3, 4].map(weatherOf))
  expect(all[0]).toEqual(all[1])
  expect(new Set(all.map(String)).size).toBeGreaterThan(1)
  expect(seeded(1, 'a').next()).toBe(seeded(1, 'a').next())
})

test('an expression that fails tells its participant nothing of what is hidden', async () => {
  const secretive = compileExperiment(
    readExperiment(`
name: vault
environment: { secret: TOPSECRET, stock: {} }
participants: { ann: { model: small, sees: [], tools: [ask, look, open] } }
tools:
  ask: { require: [{ when: "stock[secret] > 1", otherwise: No. }] }
  look: { result: "stock[secret]" }
  open: { changes: { stock: "put(stock, 'a', stock[secret])" } }
limits: { rounds: 1 }`),
  )
  const model = scriptedModel([
    ...['ask', 'look', 'open'].map((name) => ({ calls: [{ name, arguments: {} }] })),
    'Well.',
  ])
  const lab = await laboratory([secretive], () => model)
  const board = await lab.play('vault', secretive)
  await lab.close()
  const effects = board.rounds.flatMap(({ cells }) => cells.flatMap((cell) => cell.effects))
  expect(effects.map(({ tool, told, status }) => [tool, told, status])).toEqual(
    ['ask', 'look', 'open'].map((tool) => [tool, 'this could not be done', 'failed']),
  )
  expect(model.requests.length).toBe(4)
  expect(JSON.stringify(model.requests)).not.toContain('TOPSECRET')
})
