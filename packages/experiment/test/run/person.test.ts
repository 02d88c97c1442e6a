import { localQueue, memoryStore, openBook, type Book, type Decision, type Model, type Store } from 'minutebook'
import {
  comparisonOf,
  defineExperiment,
  openExperiments,
  type Board,
  type Experiment,
  type Experiments,
  type Played,
  type Run,
  type RunEvent,
  standingOf,
} from '@minutebook/experiment/run'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hastyClock } from './support/hasty-clock.ts'

const judged: Experiment = defineExperiment({
  name: 'judged',
  environment: { topic: { type: 'text', initial: 'ferns' } },
  participants: {
    ann: { model: { name: 'm' }, hears: 'all' },
    judge: { person: true, system: 'You are the judge.', hears: 'all' },
  },
  rounds: [{ play: 'sequence', ask: 'Well?' }],
  limits: { rounds: 2 },
})

/** One process that works on the runs of a store. Ann says how many prompts she has got. */
interface Instance {
  readonly book: Book
  readonly experiments: Experiments
  stop(): Promise<void>
}

async function instance(
  store: Store,
  experiment = judged,
  { atOnce, model }: { readonly atOnce?: number; readonly model?: Model } = {},
): Promise<Instance> {
  const queue = localQueue(store)
  const book = openBook({ store, queue, clock: hastyClock, window: 4096 })
  const experiments = openExperiments({
    store,
    queue,
    book,
    clock: hastyClock,
    experiment: () => experiment,
    thread: ({ name }) => ({
      window: 100_000,
      model:
        model ??
        async function* ({ messages }) {
          const content = `${name} has read ${messages.length}.`
          yield { type: 'end', message: { role: 'assistant', content }, finish: 'stop' }
        },
    }),
    ...(atOnce !== undefined && { atOnce }),
  })
  const stop = await book.work({ ...experiments.work, onError: () => undefined })
  await experiments.wake()
  return { book, experiments, stop }
}

/** The first board of a run that stands so. */
async function standing(run: Run, status: Board['status'], round = 0): Promise<Board> {
  for await (const board of run.watch()) {
    if (board.status === status && (board.rounds.at(-1)?.round ?? 0) >= round) return board
  }
  throw new Error(`The run is over, and was never ${status}.`)
}

const judge = (run: string, who = 'judge'): string => `run/${run}/${who}`

async function decide({ book }: Instance, thread: string, decision: Decision): Promise<void> {
  const [open] = await book.thread(thread).waiting()
  await book.thread(thread).decide(open!.id, decision, { by: 'carla' }).recorded
}

test('a run waits for a person, and goes on with the answer in another process', async () => {
  const store = memoryStore()
  const first = await instance(store)
  const board = await standing(await first.experiments.begin('one', judged), 'waiting')
  expect(board).toMatchObject({
    waiting: ['judge'],
    participants: [{ model: 'm' }, { name: 'judge', model: null }],
    rounds: [{ cells: [{ participant: 'ann' }, { participant: 'judge', status: 'asked' }] }],
  })
  const {
    calls: [open],
  } = await first.book.waiting()
  expect(open).toMatchObject({ thread: judge('one'), needs: 'answer', call: { name: 'ask_user' } })
  expect(open?.call.input).toEqual({
    question: 'You are the judge.\n\nRound 1\ntopic: ferns\n\nann: ann has read 1.\n\nWell?',
  })
  await first.stop()

  const second = await instance(store)
  const run = second.experiments.run('one')
  expect((await run.board()).status).toBe('waiting')
  const long = `Ann is right. ${'She knows it. '.repeat(5000)}\n`
  await decide(second, judge('one'), { do: 'answer', output: long })
  const next = await standing(run, 'waiting', 2)
  expect(next.rounds[0]?.cells[1]).toMatchObject({ participant: 'judge', status: 'complete', text: long, calls: [] })
  await decide(second, judge('one'), { do: 'answer', output: { points: 3 } })
  const end = await standing(run, 'limit')
  expect(end.rounds[1]?.cells.map(({ text }) => text)).toEqual(['ann has read 3.', '{"points":3}'])
  expect(end.waiting).toEqual([])
  expect(end.spending.calls).toBe(2)
  expect(end.participants[1]?.spending).toEqual({ calls: 0, prompt: 0, completion: 0 })
  expect(await second.book.waiting()).toEqual({ calls: [] })
  await second.stop()
})

test('a refusal is an empty answer, also if an answer looks like one', async () => {
  const bench = await instance(memoryStore())
  const run = await bench.experiments.begin('one', judged)
  await standing(run, 'waiting')
  await decide(bench, judge('one'), { do: 'refuse', reason: 'No.' })
  await standing(run, 'waiting', 2)
  await decide(bench, judge('one'), { do: 'answer', output: '(refused: No.)' })
  const { rounds } = await standing(run, 'limit')
  expect(rounds.map(({ cells }) => [cells[1]?.status, cells[1]?.text])).toEqual([
    ['complete', ''],
    ['complete', '(refused: No.)'],
  ])
  await bench.stop()
})

test('a run that waits can be paused, resumed, stopped, and asked again', async () => {
  const bench = await instance(memoryStore())
  const run = await bench.experiments.begin('one', judged)
  await standing(run, 'waiting')
  await run.pause()
  await standing(run, 'paused')
  await decide(bench, judge('one'), { do: 'answer', output: 'While it was paused.' })
  for await (const { rounds } of run.watch()) if (rounds[0]?.cells[1]?.status === 'complete') break
  await run.resume()
  await standing(run, 'waiting', 2)
  await run.stop()
  await standing(run, 'stopped')
  expect(await bench.book.waiting()).toEqual({ calls: [] })
  await run.retry()
  await standing(run, 'waiting', 2)
  await decide(bench, judge('one'), { do: 'answer', output: 'Again.' })
  const { rounds } = await standing(run, 'limit')
  expect(rounds.map(({ cells }) => cells[1]?.text)).toEqual(['While it was paused.', 'Again.'])
  await bench.stop()
})

test('a fork keeps the answers of the rounds before it, and asks for the others; a replay asks for none', async () => {
  const bench = await instance(memoryStore())
  const run = await bench.experiments.begin('one', judged)
  await standing(run, 'waiting')
  await decide(bench, judge('one'), { do: 'answer', output: 'First.' })
  await standing(run, 'waiting', 2)
  const fork = await bench.experiments.fork('one', { as: 'two', round: 2, experiment: judged })
  await standing(fork, 'waiting', 2)
  await decide(bench, judge('one'), { do: 'answer', output: 'Second.' })
  await decide(bench, judge('two'), { do: 'answer', output: 'Other.' })
  const [one, two] = [await standing(run, 'limit'), await standing(fork, 'limit')]
  expect(two.rounds.map(({ cells }) => cells[1]?.text)).toEqual(['First.', 'Other.'])
  expect(comparisonOf(one, two).parts).toBe(2)

  const again = await standing(await bench.experiments.begin('three', judged, { answers: 'one' }), 'limit')
  expect(comparisonOf(one, again).parts).toBeUndefined()
  await bench.stop()
})

test('those who play beside a person do not wait for it, and it takes no place among those at work', async () => {
  const parallel: Experiment = defineExperiment({
    ...judged,
    participants: {
      judge: { person: true },
      critic: { person: true },
      ann: { model: { name: 'm' } },
      bob: { model: { name: 'm' } },
    },
    rounds: [{ play: 'parallel' }],
    limits: { rounds: 1 },
  })
  const bench = await instance(memoryStore(), parallel, { atOnce: 1 })
  const run = await bench.experiments.begin('one', parallel)
  const board = await standing(run, 'waiting')
  expect(board.waiting).toEqual(['judge', 'critic'])
  expect(board.rounds[0]?.cells.map(({ participant, status }) => [participant, status])).toEqual([
    ['judge', 'asked'],
    ['critic', 'asked'],
    ['ann', 'complete'],
    ['bob', 'complete'],
  ])
  await decide(bench, judge('one', 'critic'), { do: 'answer', output: 'Yes.' })
  for await (const { waiting } of run.watch()) if (waiting.length === 1) break
  expect((await run.board()).status).toBe('waiting')
  await decide(bench, judge('one'), { do: 'answer', output: 'No.' })
  await standing(run, 'limit')
  await bench.stop()
})

test('a run that fails asks no person any more, and asks again when it is retried', async () => {
  const parallel: Experiment = defineExperiment({
    ...judged,
    rounds: [{ play: 'parallel' }],
    limits: { rounds: 1, errors: 1 },
  })
  let isAway = true
  const bench = await instance(memoryStore(), parallel, {
    // The judge is asked first, so that the run fails while it waits.
    model: async function* () {
      if (isAway) {
        await expect.poll(async () => (await bench.book.waiting()).calls.length).toBe(1)
        await expect.poll(async () => (await run.board()).waiting).toEqual(['judge'])
        throw new Error('away')
      }
      yield { type: 'end', message: { role: 'assistant', content: 'Back.' }, finish: 'stop' }
    },
  })
  const run = await bench.experiments.begin('one', parallel)
  expect((await standing(run, 'error')).waiting).toEqual([])
  expect(await bench.book.waiting()).toEqual({ calls: [] })
  isAway = false
  await run.retry()
  expect(await standing(run, 'waiting')).toMatchObject({ waiting: ['judge'] })
  await decide(bench, judge('one'), { do: 'answer', output: 'Yes.' })
  await standing(run, 'limit')
  await bench.stop()
})

const state = fc.constantFrom('due', 'asked', 'failed', 'failed and asked', 'done', 'asked and done')
test('a run waits if and only if every participant that is due was asked, and says which', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), state, { maxKeys: 6 }), (states) => {
      const order = Object.keys(states)
      const place = (participant: string) => ({ round: 1, participant, turn: 0 })
      const played = (participant: string, attempt: number, status: Played['status']): Played => ({
        type: 'played',
        ...place(participant),
        attempt,
        status,
        text: '',
        asked: '',
        head: '',
        calls: [],
      })
      const events: RunEvent[] = [
        { type: 'roundStart', round: 1, name: '', play: 'parallel', order, changes: {} },
        ...Object.entries(states).flatMap(([name, how]): RunEvent[] => [
          ...(how.startsWith('failed') ? [played(name, 0, 'failed')] : []),
          ...(how.includes('asked')
            ? [{ type: 'waiting' as const, ...place(name), attempt: how.startsWith('failed') ? 1 : 0 }]
            : []),
          ...(how.endsWith('done') ? [played(name, 0, 'complete')] : []),
        ]),
      ]
      const asked = order.filter((name) => states[name]!.endsWith('asked'))
      const due = order.filter((name) => !states[name]!.endsWith('done'))
      const { status, waiting } = standingOf(events)
      expect(waiting.map(({ participant }) => participant)).toEqual(asked)
      expect(status).toBe(due.length > 0 && asked.length === due.length ? 'waiting' : 'running')
    }),
  )
})

test('a participant has a model or is a person', () => {
  expect(() => defineExperiment({ ...judged, participants: { ann: {} } })).toThrow(/neither a model nor/)
  expect(() => defineExperiment({ ...judged, participants: { ann: { person: true, model: { name: 'm' } } } })).toThrow(
    /participants\.ann\.model: a person has none/,
  )
})
