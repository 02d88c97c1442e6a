import { localQueue, memoryStore } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { expect, test } from 'vitest'
import { foundRun } from '../../src/run/run.ts'
import { runThread } from '../../src/run/run-log.ts'
import { begun, round } from './support/happenings.ts'

test('of several callers who begin a run of one name, one has it, and nothing of the others is in it', async () => {
  const store = memoryStore()
  const runtime = { store, queue: localQueue(store), clock: systemClock }
  const founding = [0, 1, 2].map((n) =>
    foundRun(
      runtime,
      'x',
      [begun({ n }), ...(n > 0 ? [round(1, 'sequence', { n })] : [])],
      [{ name: 'owner', value: n }],
    ),
  )
  const founded = await Promise.allSettled(founding)
  const winner = founded.findIndex(({ status }) => status === 'fulfilled')
  expect(founded.filter((each) => each.status === 'rejected').map(({ reason }) => reason as unknown)).toMatchObject([
    { code: 'run_exists' },
    { code: 'run_exists' },
  ])
  expect((await store.records.find({ name: 'owner' })).map(({ value, version }) => [value, version])).toEqual([
    [winner, 1],
  ])
  expect(await store.read(runThread('x'))).toHaveLength(winner > 0 ? 2 : 1)
})
