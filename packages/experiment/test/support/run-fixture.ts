import { localQueue, openBook, type Store } from 'minutebook'
import { type Clock, systemClock } from 'minutebook/clock'
import { defineExperiment, openExperiments, type Experiments } from '@minutebook/experiment/run'
import { scriptedModel } from '@minutebook/testing'
import { over } from '../../../../tests/support/experiment/laboratory.ts'

const clock: Clock = {
  now: () => '2026-11-15T12:00:00.000Z',
  after: (milliseconds, signal) => systemClock.after(milliseconds, signal),
}

const harbour = defineExperiment({
  name: 'harbour',
  environment: { boats: { type: 'integer', initial: 3 }, tide: { type: 'text', initial: 'in' } },
  participants: {
    ann: { model: { name: 'scripted' }, tools: ['leave'] },
    bob: { model: { name: 'scripted' }, tools: ['leave'] },
  },
  tools: {
    leave: {
      parameters: { type: 'object', properties: {} },
      refusal: ({ boats }) => (Number(boats) === 0 ? 'no boat is left' : undefined),
      changes: ({ boats }) => ({ boats: Number(boats) - 1 }),
    },
  },
  rounds: [{ play: 'parallel' }, { play: 'sequence', ask: 'Well?' }],
  hooks: { roundStart: (_, { round }) => ({ tide: round % 2 === 0 ? 'out' : 'in' }) },
  limits: { rounds: 2 },
})

/** The runs of a store, with nobody who works on them. */
export function runsOf(store: Store): Experiments {
  const queue = localQueue(store)
  return openExperiments({
    store,
    queue,
    clock,
    book: openBook({ store, queue, clock, window: 4096 }),
    experiment: () => harbour,
    thread: () => ({}),
  })
}

/** Plays a run in which most happens that the log of one can hold. */
export async function playHarbour(store: Store, run: string): Promise<void> {
  const queue = localQueue(store)
  const book = openBook({ store, queue, clock, window: 4096 })
  const models = new Map(
    ['ann', 'bob'].map((name) => [
      name,
      scriptedModel([{ calls: [{ name: 'leave' }, { name: 'leave' }] }, `${name} left.`, 'Well.'], {
        wire: 'openai',
        model: 'scripted',
      }),
    ]),
  )
  const experiments = openExperiments({
    store,
    queue,
    book,
    clock,
    experiment: () => harbour,
    thread: ({ name }) => ({ model: models.get(name) }),
  })
  const stop = await book.work(experiments.work)
  await over(await experiments.begin(run, harbour))
  await stop()
}
