import { expect, test } from 'vitest'
import { nativeServer } from '../../../../tests/support/server/native.ts'
import { thinned } from '../../src/experiments/outcomes.ts'
import { counting, countingAnswer, standing } from './support.ts'

test('the outcomes of runs with other seeds and another model setting are told in one answer, and stay current', async () => {
  const { operator } = await nativeServer({ answer: countingAnswer }, {})
  const hot = counting.replace('temperature: 0', 'temperature: 0.7')
  await operator.ask('POST', '/runs', { definition: counting, run: 'cold-1', seed: 1 })
  await operator.ask('POST', '/runs', { definition: counting, run: 'cold-2', seed: 2 })
  await operator.ask('POST', '/runs', { definition: hot, run: 'hot-1', seed: 1 })
  // While they go on, too.
  expect((await operator.ask('GET', '/runs/compare/outcomes?runs=cold-1,hot-1')).status).toBe(200)
  for (const run of ['cold-1', 'cold-2', 'hot-1']) await standing(operator, run, 'success')
  const { body } = await operator.ask('GET', '/runs/compare/outcomes?runs=cold-1,hot-1,cold-2,cold-1')
  const temperature = 'participants.ann.model.temperature'
  expect(body).toMatchObject({
    runs: [
      { run: 'cold-1', seed: 1, group: 0, differs: { [temperature]: 0 }, status: 'success', round: 3, turns: 6 },
      { run: 'hot-1', seed: 1, group: 1, differs: { [temperature]: 0.7 }, models: ['strict'] },
      { run: 'cold-2', seed: 2, group: 0, final: { total: 3 }, reason: 'three was reached after round 3.' },
    ],
    fields: [temperature],
    goals: [{ name: 'three', kind: 'success', variable: 'total', sign: '≥', value: 3 }],
  })
  const series = await operator.ask('GET', '/runs/compare/series?runs=hot-1,cold-2&variables=total,secret,nothing')
  const points = [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
  ]
  expect(series.body).toEqual({
    series: [
      { run: 'hot-1', variable: 'total', points },
      { run: 'cold-2', variable: 'total', points },
    ],
  })
})

test('no more than 100 runs and 8 variables are compared at once, and only runs that there are', async () => {
  const { operator } = await nativeServer({ answer: countingAnswer }, {})
  const many = Array.from({ length: 101 }, (_, index) => `run-${index}`).join(',')
  for (const [query, status] of [
    [`outcomes?runs=${many}`, 400],
    ['outcomes', 400],
    ['outcomes?runs=', 400],
    ['outcomes?runs=nothing', 404],
    ['series?runs=nothing&variables=total', 404],
    ['series?runs=nothing', 400],
    ['series?runs=nothing&variables=a,b,c,d,e,f,g,h,i', 400],
  ] as const)
    expect([query, (await operator.ask('GET', `/runs/compare/${query}`)).status]).toEqual([query, status])
})

test.each([
  [[5, 6, 7, 8], 1, [0, 1, 2, 3]],
  [[5, 6, 7, 8], 2, [0, 2, 3]],
  [[5, 6, 7, 8, 9], 2, [0, 2, 4]],
  [[5], 3, [0]],
  [[], 3, []],
])('of %j, every %i-th value and the last one are sent', (values, every, rounds) => {
  expect(thinned(values, every)).toEqual(rounds.map((round) => [round, values[round]]))
})
