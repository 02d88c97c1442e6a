import { checkDefinition, compileExperiment, type Runners } from '@minutebook/experiment'
import {
  comparisonOf,
  openExperiments,
  runThread,
  type Comparison,
  type Experiment,
  type Experiments,
  type Manifest,
  type OutcomeTable,
  type RunSeries,
  type RunStatus,
  type Value,
} from '@minutebook/experiment/run'
import { localQueue, MinutebookError, openBook, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { runBoard, runNews, type RunBoard, type RunChange, type RunViewer } from './board.ts'
import { usedIn } from './compile.ts'
import { runLines, type ExportFormat } from './export.ts'
import { outcomesOf, seriesOf } from './outcomes.ts'
import { listRuns, runSummary, type RunList, type RunPage, type RunSummary } from './list.ts'

/** Queries of runs: the same on the command line and over HTTP. Throws `unknown_run` if a run does not exist. */
export interface RunArchive {
  list(page?: RunPage): Promise<RunList>
  summary(run: string): Promise<RunSummary>
  show(run: string): Promise<RunBoard>
  watch(run: string, options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<RunChange<RunBoard>>
  /** The summary of the run when the command is recorded. Throws `not_possible` if the run is in another state. */
  steer(run: string, command: RunCommand): Promise<RunSummary>
  manifest(run: string): Promise<Manifest>
  compare(left: string, right: string): Promise<Comparison>
  /** Of at most 100 runs. */
  outcomes(runs: readonly string[]): Promise<OutcomeTable>
  series(runs: readonly string[], variables: readonly string[]): Promise<readonly RunSeries[]>
  export(run: string, format: ExportFormat): AsyncIterable<string>
}

/** What can be asked of a run. */
export const runCommands = ['pause', 'resume', 'stop', 'retry'] as const
/** One of the things that can be asked of a run. */
export type RunCommand = (typeof runCommands)[number]

/**
 * @example
 * const { status } = await openRuns(services.experiments(tenant), store, 'all').show('stand-1')
 */
export function openRuns(experiments: Experiments, store: Store, viewer: RunViewer): RunArchive {
  const show = async (run: string): Promise<RunBoard> => {
    const opened = experiments.run(run)
    const board = await opened.board()
    return runBoard(board, await opened.begun(), viewer)
  }
  const boards = async function* (run: string, signal: AbortSignal | undefined): AsyncGenerator<RunBoard, void, void> {
    const opened = experiments.run(run)
    const begun = await opened.begun()
    for await (const board of opened.watch({ signal })) yield runBoard(board, begun, viewer)
  }
  return {
    list: (page = {}) => listRuns(experiments, store, page, viewer),
    summary: (run) => runSummary(experiments, store, run, viewer),
    show,
    watch: (run, { signal } = {}) => runNews(boards(run, signal)),
    steer: async (run, command) => {
      await experiments
        .run(run)
        [command]()
        .catch((error: unknown) => {
          throw withWayOut(error, run)
        })
      return runSummary(experiments, store, run, viewer)
    },
    manifest: (run) => experiments.run(run).manifest(),
    compare: async (left, right) => comparisonOf(await show(left), await show(right)),
    outcomes: (runs) => outcomesOf(experiments, store, runs, viewer),
    series: (runs, variables) => seriesOf(experiments, store, runs, variables, viewer),
    export: (run, format) => runLines(experiments.run(run), format),
  }
}

/** Says what can be done with a run in its present state, if the command was not possible. */
function withWayOut(error: unknown, run: string): unknown {
  if (!MinutebookError.isInstance(error) || error.code !== 'not_possible') return error
  const way = ways[error.details['status'] as RunStatus](run)
  return new MinutebookError(error.code, error.problem, `${way}.`, error.details)
}

const forkIt = (run: string): string =>
  `fork it at a round to continue from there (minutebook runs fork ${run} --round K), or start another run`
const ways: Readonly<Record<RunStatus, (run: string) => string>> = {
  running: (run) => `watch it (minutebook runs watch ${run}), or pause or stop it`,
  waiting: (run) => `answer for its persons (minutebook waiting lists what they are asked), or pause or stop ${run}`,
  paused: (run) => `resume it (minutebook runs resume ${run}), or stop it`,
  stopping: () => 'wait until it has stopped, and then retry it',
  stopped: (run) => `retry it (minutebook runs retry ${run}) to continue where it was`,
  error: (run) => `fix the cause, and retry it (minutebook runs retry ${run})`,
  success: forkIt,
  failure: forkIt,
  limit: forkIt,
}

/** The runs of a store without a server: they can be read and steered. None of them continues. */
export function offlineRuns(store: Store): RunArchive {
  const queue = localQueue(store)
  const experiments = openExperiments({
    store,
    queue,
    book: openBook({ store, queue }),
    clock: systemClock,
    experiment: ({ definition }) => idle(definition),
    thread: () => {
      throw new MinutebookError(
        'not_served',
        'This experiment does not run here.',
        'Continue it with: minutebook runs resume',
      )
    },
  })
  const archive = openRuns(experiments, store, 'all')
  return {
    ...archive,
    steer: async (run, command) => {
      await archive.steer(run, command)
      // If no instance plays it, it is over at once.
      if (command === 'stop') await experiments.work.handleWake(runThread(run))
      return archive.summary(run)
    },
  }
}

/** The experiment, with tools that are never run. */
function idle(value: Value): Experiment {
  const definition = checkDefinition(value, { registered: usedIn(value) })
  const names = [...Object.keys(definition.tools ?? {}), ...usedIn(definition)]
  const runners: Runners = Object.fromEntries(
    names.map((name) => [name, { parameters: { type: 'object' }, run: () => null }]),
  )
  return compileExperiment(definition, { tools: runners })
}
