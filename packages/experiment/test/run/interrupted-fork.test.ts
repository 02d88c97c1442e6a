import { memoryStore, type Store } from 'minutebook'
import { defineExperiment, runThread } from '@minutebook/experiment/run'
import { scriptedModel } from '@minutebook/testing'
import { expect, test } from 'vitest'
import { laboratory, over, type Laboratory } from '../../../../tests/support/experiment/laboratory.ts'
import { hastyClock } from './support/hasty-clock.ts'

const saying = defineExperiment({
  name: 'saying',
  environment: {},
  participants: { ann: { model: { name: 'm' } } },
  limits: { rounds: 3 },
})

/** The process ended when the participants' threads were copied and the fork was not yet recorded. */
async function interrupted(): Promise<Laboratory> {
  const store = memoryStore()
  const dying: Store = {
    ...store,
    append: async (thread, ...rest) => {
      if (thread === runThread('copy')) throw new Error('The process ends.')
      return store.append(thread, ...rest)
    },
  }
  const open = (on: Store): Promise<Laboratory> =>
    laboratory([saying], () => scriptedModel(Array.from({ length: 20 }, (_, n) => `Answer ${n}.`)), {
      store: on,
      clock: hastyClock,
    })
  const before = await open(dying)
  await before.play('first', saying)
  await expect(before.experiments.fork('first', { as: 'copy', round: 3, experiment: saying })).rejects.toThrow('ends')
  await before.close()
  return open(store)
}

test('what an interrupted fork left is in no other run', async () => {
  const lab = await interrupted()
  await expect(lab.experiments.begin('copy', saying)).rejects.toThrow('There is a run "copy" already.')
  for (const round of [1, 2])
    await expect(lab.experiments.fork('first', { as: 'copy', round, experiment: saying })).rejects.toThrow('already')
  expect(await lab.experiments.list()).toEqual(['first'])
  await lab.close()
})

test('the same fork can be made again', async () => {
  const lab = await interrupted()
  const first = await lab.experiments.run('first').board()
  const copy = await over(await lab.experiments.fork('first', { as: 'copy', round: 3, experiment: saying }))
  expect(copy.status).toBe('limit')
  const textsOf = ({ rounds }: typeof copy): readonly string[] => rounds.map(({ cells }) => cells[0]!.text)
  expect(textsOf(copy).slice(0, 2)).toEqual(textsOf(first).slice(0, 2))
  await lab.close()
})
