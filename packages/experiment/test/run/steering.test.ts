import { localQueue, memoryStore, openBook, type Model, type ModelRequest } from 'minutebook'
import { defineExperiment, type Experiment, type Run } from '@minutebook/experiment/run'
import { expect, test } from 'vitest'
import { scriptedModel, type ScriptedAnswer, type ScriptedLine } from '@minutebook/testing'
import { laboratory, over } from '../../../../tests/support/experiment/laboratory.ts'
import { openRunLog } from '../../src/run/run-log.ts'
import { openRun } from '../../src/run/run.ts'
import { begun, effect, round } from './support/happenings.ts'
import { hastyClock } from './support/hasty-clock.ts'

const counting: Experiment = defineExperiment({
  name: 'counting',
  environment: { total: { type: 'integer', initial: 0 } },
  participants: {
    ann: { model: { name: 'm' }, tools: ['add', 'double'] },
    bob: { model: { name: 'm' }, tools: ['add', 'double'] },
  },
  tools: {
    add: {
      parameters: { type: 'object' },
      changes: ({ total }, { input }) => ({ total: Number(total) + Number(input['count']) }),
    },
    double: { parameters: { type: 'object' }, changes: ({ total }) => ({ total: Number(total) * 2 }) },
  },
  limits: { rounds: 2 },
})

const usage = { prompt: 10, completion: 1 }
const add = (count: number): ScriptedAnswer => ({ calls: [{ name: 'add', arguments: { count } }], usage })
const lab = (ann: readonly ScriptedLine[], experiment: Experiment = counting, pace = 0) => {
  const models = {
    ann: scriptedModel(ann),
    bob: scriptedModel(Array.from({ length: 100 }, () => ({ text: 'Yes.', usage }))),
  }
  return laboratory([experiment], (name) => paced(models[name as 'ann' | 'bob'], pace), {
    clock: hastyClock,
    onError: () => undefined,
  })
}

test('a model that fails is asked again, and what was done before it failed is done once', async () => {
  const bench = await lab([add(3), new Error('away'), { text: 'Added.', usage }, { text: 'Nothing.', usage }])
  const { status, rounds, environment, spending } = await bench.play('one', counting)
  expect([status, environment]).toEqual(['limit', { total: 3 }])
  expect(rounds[0]?.cells[0]).toMatchObject({
    participant: 'ann',
    status: 'complete',
    text: 'Added.',
    effects: [{ tool: 'add', status: 'done' }],
  })
  // Ann: a call, an answer, another answer; Bob: two answers. What failed reported nothing, and was predicted.
  expect(spending.completion).toBe(5)
  await bench.close()
})

test('a model that fails amid its answer and then does something else: each is done once, and told what it did', async () => {
  const told: string[] = []
  const hear = ({ messages }: ModelRequest): ScriptedAnswer => {
    told.push(...messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content)))
    return { text: 'So be it.', usage }
  }
  const bench = await lab([
    add(3),
    { text: 'Well, I', fail: new Error('away') },
    { calls: [{ name: 'double' }], usage },
    hear,
    { text: 'Nothing.', usage },
  ])
  const { environment, rounds } = await bench.play('one', counting)
  expect(environment).toEqual({ total: 6 })
  expect(rounds[0]?.cells[0]?.effects.map(({ tool, told: text }) => [tool, text])).toEqual([
    ['add', 'total: 3'],
    ['double', 'total: 6'],
  ])
  expect(told.at(-1)).toBe('total: 6')
  await bench.close()
})

test('a model that keeps failing ends the run with an error; whoever has it go on goes on where it was', async () => {
  const bench = await lab([
    add(3),
    new Error('away'),
    new Error('away'),
    new Error('still away'),
    'Here I am.',
    'Nothing.',
  ])
  const failed = await bench.play('one', counting)
  expect(failed.status).toBe('error')
  expect(failed.reason).toMatch(/^ann failed 3 times in round 1/)
  expect(failed.environment).toEqual({ total: 3 })
  const run = bench.experiments.run('one')
  await run.retry()
  const { status, rounds, environment } = await over(run)
  expect([status, environment]).toEqual(['limit', { total: 3 }])
  expect(rounds[0]?.cells[0]).toMatchObject({ status: 'complete', text: 'Here I am.' })
  await expect(run.retry()).rejects.toThrow('This run is over and cannot be retried.')
  await bench.close()
})

test('a stop ends a turn that would never end, and what was stopped goes on', async () => {
  const bench = await lab([add(3), { text: 'Hm', hang: true }, 'Done.', 'Nothing.'])
  const run = await bench.experiments.begin('one', counting)
  await until(run, ({ rounds }) => rounds[0]?.cells[0]?.effects.length === 1)
  await run.stop()
  expect(await over(run)).toMatchObject({ status: 'stopped', environment: { total: 3 } })
  await run.retry()
  const { status, rounds, environment } = await over(run)
  expect([status, environment]).toEqual(['limit', { total: 3 }])
  expect(rounds[0]?.cells[0]?.text).toBe('Done.')
  await bench.close()
})

test('while it is paused no turn begins and no round; then all goes on as if there had been no pause', async () => {
  const long: Experiment = { ...counting, limits: { rounds: 6 } }
  const script = (): readonly ScriptedLine[] =>
    Array.from(
      { length: 20 },
      () =>
        ({ messages }: ModelRequest) =>
          messages.at(-1)?.role === 'tool' ? { text: 'Added.' } : add(1),
    )
  const plain = await lab(script(), long)
  const expected = await plain.play('one', long)
  await plain.close()
  const bench = await lab(script(), long, 15)
  const run = await bench.experiments.begin('one', long)
  for (const round of [1, 3, 5]) {
    await until(run, ({ rounds }) => rounds.length >= round)
    await run.pause()
    const rested = await resting(run)
    expect((await run.board()).status).toBe('paused')
    expect((await run.events()).length).toBe(rested)
    await run.resume()
  }
  const board = await over(run)
  expect(board.environment).toEqual(expected.environment)
  expect(
    board.rounds.map(({ cells }) => cells.map(({ text, calls }) => [text, calls.map(({ hash }) => hash)])),
  ).toEqual(expected.rounds.map(({ cells }) => cells.map(({ text, calls }) => [text, calls.map(({ hash }) => hash)])))
  await bench.close()
})

test('a hook that fails, a goal that fails and a change that cannot be end the run with words, and not the process', async () => {
  const wrong: readonly Experiment[] = [
    {
      ...counting,
      hooks: {
        roundStart: () => {
          throw new Error('no weather')
        },
      },
    },
    { ...counting, hooks: { roundEnd: () => ({ total: 'much' }) } },
    {
      ...counting,
      goals: {
        success: [
          {
            name: 'odd',
            when: () => {
              throw new Error('what is odd?')
            },
          },
        ],
      },
    },
  ]
  const reasons = await Promise.all(
    wrong.map(async (experiment) => {
      const bench = await lab(['Yes.', 'Yes.'], experiment)
      const { status, reason } = await bench.play('one', experiment)
      await bench.close()
      return `${status}: ${reason ?? ''}`
    }),
  )
  expect(reasons).toEqual([
    'error: The hook of round 1 failed: no weather',
    'error: The hook of round 1 failed: The variable "total" cannot become "much": it is of type integer. Give it a value of that type.',
    'error: A goal failed: what is odd?',
  ])
})

test('the same name twice is refused, and the run that was there is not touched', async () => {
  const bench = await lab(['Yes.', 'Yes.'])
  const first = await bench.play('one', counting)
  await expect(bench.experiments.begin('one', counting)).rejects.toThrow('There is a run "one" already')
  expect(await bench.experiments.run('one').board()).toEqual(first)
  expect(await bench.experiments.list()).toEqual(['one'])
  await bench.close()
})

/** A model that thinks for so many milliseconds first. */
function paced(model: Model, pace: number): Model {
  return async function* (request) {
    if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace))
    yield* model(request)
  }
}

async function until(run: Run, isReached: (board: Awaited<ReturnType<Run['board']>>) => boolean): Promise<void> {
  while (!isReached(await run.board())) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** How many events there are once no more come. */
async function resting(run: Run): Promise<number> {
  for (let [last, quiet] = [-1, 0]; ;) {
    const { length } = await run.events()
    if (length === last && ++quiet > 10) return length
    if (length !== last) [last, quiet] = [length, 0]
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('a run is paused again after as many effects were undone as things were recorded since', async () => {
  const store = memoryStore()
  const log = openRunLog(store, hastyClock, 'one')
  const runtime = {
    store,
    queue: localQueue(store),
    book: openBook({ store, window: 1000 }),
    clock: hastyClock,
    experiment: () => counting,
    thread: () => ({}),
  }
  const run = openRun(runtime, undefined, log)
  await log.record([begun({ total: 0 }), round(1, 'sequence'), effect(1, 'ann', 0, {}), effect(1, 'ann', 1, {})])
  await run.pause()
  await run.resume()
  for (const call of [0, 1]) await log.record([{ type: 'undone', round: 1, participant: 'ann', turn: 0, call }])
  await run.pause()
  expect((await run.board()).status).toBe('paused')
})
