import { localQueue, memoryStore, openBook, type Model, type Store } from 'minutebook'
import { type Clock, systemClock } from 'minutebook/clock'
import { openExperiments, type Board, type Experiment, type Experiments, type Run } from '@minutebook/experiment/run'

/** Where experiments are run in one process. */
export interface Laboratory {
  readonly store: Store
  readonly experiments: Experiments
  /** Begins a run and waits until it is over. */
  play(run: string, experiment: Experiment, options?: Parameters<Experiments['begin']>[2]): Promise<Board>
  close(): Promise<void>
}

/** `models`: who speaks for each participant. Experiments are known by their names. */
export async function laboratory(
  known: readonly Experiment[],
  models: (participant: string, run: string) => Model,
  {
    store = memoryStore(),
    window = 100_000,
    clock = systemClock,
    onError = console.error,
  }: {
    readonly store?: Store
    readonly window?: number
    readonly clock?: Clock
    readonly onError?: (thread: string, error: unknown) => void
  } = {},
): Promise<Laboratory> {
  const queue = localQueue(store)
  const book = openBook({ store, queue, clock, window })
  const experiments = openExperiments({
    store,
    queue,
    book,
    clock,
    experiment: ({ name }) => known.find((experiment) => experiment.name === name)!,
    thread: ({ run, name, participant: { model } }) => ({ model: models(name, run), window, seed: model.seed }),
  })
  const stop = await book.work({ ...experiments.work, onError })
  return {
    store,
    experiments,
    play: async (run, experiment, options) => over(await experiments.begin(run, experiment, options)),
    close: stop,
  }
}

/** The board of a run once it is over. */
export async function over(run: Run): Promise<Board> {
  let last: Board | undefined
  for await (const board of run.watch()) last = board
  return last!
}
