import { MinutebookError, type Store } from 'minutebook'
import {
  comparisonOf,
  type Comparison,
  type Experiments,
  type Manifest,
  type RunStatus,
} from '@minutebook/experiment/run'
import { runNews, type RunNews } from './run-changes.ts'
import { runBoard, type RunBoard, type RunViewer } from './run-board.ts'
import { runLines, type ExportFormat } from './run-export.ts'
import { listRuns, summaryOf, type RunList, type RunPage, type RunSummary } from './run-list.ts'

/**
 * What people ask of runs: the same at the command line and over HTTP. Throws `unknown_run` for one that there is not.
 */
export interface RunDesk {
  list(page?: RunPage): Promise<RunList>
  summary(run: string): Promise<RunSummary>
  show(run: string): Promise<RunBoard>
  watch(run: string, options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<RunNews<RunBoard>>
  /** The run in brief, as it stands when the wish is on record. Throws `not_possible` where it stands otherwise. */
  steer(run: string, command: RunCommand): Promise<RunSummary>
  manifest(run: string): Promise<Manifest>
  compare(left: string, right: string): Promise<Comparison>
  export(run: string, format: ExportFormat): AsyncIterable<string>
}

export const runCommands = ['pause', 'resume', 'stop', 'retry'] as const
export type RunCommand = (typeof runCommands)[number]

/**
 * @example
 * const { status } = await runDesk(experimentsOf(services, tenant), store, 'all').show('stand-1')
 */
export function runDesk(experiments: Experiments, store: Store, viewer: RunViewer): RunDesk {
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
    summary: (run) => summaryOf(experiments, store, run, viewer),
    show,
    watch: (run, { signal } = {}) => runNews(boards(run, signal)),
    steer: async (run, command) => {
      await experiments
        .run(run)
        [command]()
        .catch((error: unknown) => {
          throw withWayOut(error, run)
        })
      return summaryOf(experiments, store, run, viewer)
    },
    manifest: (run) => experiments.run(run).manifest(),
    compare: async (left, right) => comparisonOf(await show(left), await show(right)),
    export: (run, format) => runLines(experiments.run(run), format),
  }
}

/** What can be done with a run as it stands, where it was asked for something else. */
function withWayOut(error: unknown, run: string): unknown {
  if (!MinutebookError.isInstance(error) || error.code !== 'not_possible') return error
  const way = ways[error.details['status'] as RunStatus](run)
  return new MinutebookError(error.code, error.problem, `${way}.`, error.details)
}

const anew = (run: string): string =>
  `fork it at a round to play on from there (minutebook runs fork ${run} --round K), or begin another`
const ways: Readonly<Record<RunStatus, (run: string) => string>> = {
  running: (run) => `watch it (minutebook runs watch ${run}), or pause or stop it`,
  paused: (run) => `resume it (minutebook runs resume ${run}), or stop it`,
  stopping: () => 'wait until it has stopped, then it can be retried',
  stopped: (run) => `retry it (minutebook runs retry ${run}) to go on where it was`,
  error: (run) => `retry it (minutebook runs retry ${run}) once what failed is mended`,
  success: anew,
  failure: anew,
  limit: anew,
}
