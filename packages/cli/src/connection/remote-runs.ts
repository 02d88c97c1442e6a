import { setTimeout as pause } from 'node:timers/promises'
import { eventsIn, type components, type MinutebookClient } from '@minutebook/client'
import { isOver } from '@minutebook/experiment/run'
import type { NewFork, NewRun, RunArchive, RunBoard, RunChange, RunSummary } from '@minutebook/server'
import { clientOf, dataOf, given, linesOf, streamOf, type ServerAddress } from './server.ts'

/** The runs of a server, and how to start new ones there. */
export interface RemoteRuns extends RunArchive {
  begin(run: NewRun): Promise<RunSummary>
  fork(run: string, fork: NewFork): Promise<RunSummary>
}

type NewRunBody = components['schemas']['NewRun']
type NewForkBody = components['schemas']['ForkRun']

export function remoteRuns(server: ServerAddress): RemoteRuns {
  const client = clientOf(server)
  const at = (run: string): { readonly path: { readonly run: string } } => ({ path: { run } })
  const show = (run: string): Promise<RunBoard> => dataOf(client.GET('/minutebook/v1/runs/{run}', { params: at(run) }))
  return {
    list: (page = {}) => dataOf(client.GET('/minutebook/v1/runs', { params: { query: given(page) } })),
    summary: async (run) => {
      const board = await show(run)
      return { ...board, round: board.rounds.at(-1)?.round ?? 0 }
    },
    show,
    watch: (run, { signal } = {}) => watched(client, run, signal),
    steer: (run, command) => dataOf(client.POST(`/minutebook/v1/runs/{run}/${command}`, { params: at(run) })),
    manifest: (run) => dataOf(client.GET('/minutebook/v1/runs/{run}/manifest', { params: at(run) })),
    compare: (left, right) => dataOf(client.GET('/minutebook/v1/runs/compare', { params: { query: { left, right } } })),
    outcomes: (runs) =>
      dataOf(client.GET('/minutebook/v1/runs/compare/outcomes', { params: { query: { runs: runs.join(',') } } })),
    series: async (runs, variables) => {
      const query = { runs: runs.join(','), variables: variables.join(',') }
      const { series } = await dataOf<{ readonly series: Awaited<ReturnType<RunArchive['series']>> }>(
        client.GET('/minutebook/v1/runs/compare/series', { params: { query } }),
      )
      return series
    },
    export: async function* (run, format) {
      const body = await streamOf(
        client.GET('/minutebook/v1/runs/{run}/export', {
          params: { ...at(run), query: { format } },
          parseAs: 'stream',
        }),
      )
      // The fields of a table may contain line breaks, so an item may be only a part of a row.
      for await (const line of linesOf(body)) yield line.endsWith('\n') ? line.slice(0, -1) : line
    },
    begin: (run) => dataOf(client.POST('/minutebook/v1/runs', { body: given(run) as NewRunBody })),
    fork: (run, fork) =>
      dataOf(client.POST('/minutebook/v1/runs/{run}/fork', { params: at(run), body: given(fork) as NewForkBody })),
  }
}

/** Connects again if the connection is lost before the run is over, up to five times in a row. */
async function* watched(
  client: MinutebookClient,
  run: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunChange<RunBoard>, void, void> {
  let status: RunBoard['status'] = 'running'
  const isLeft = (): boolean => signal?.aborted === true
  for (let tries = 0; tries < mostTries && !isOver(status) && !isLeft(); tries++) {
    if (tries > 0) await pause(betweenTries)
    try {
      const body = await streamOf(
        client.GET('/minutebook/v1/runs/{run}/events', {
          params: { path: { run } },
          parseAs: 'stream',
          ...(signal && { signal }),
        }),
      )
      for await (const change of eventsIn<RunChange<RunBoard>>(body)) {
        tries = 0
        status = change.data.status
        yield change
      }
    } catch (error) {
      if (isLeft()) return
      if (tries === mostTries - 1 || !isBroken(error)) throw error
    }
  }
}

const mostTries = 5
/** Milliseconds. */
const betweenTries = 500

/** Whether the connection failed. Otherwise the server has answered with an error. */
function isBroken(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown }
  return typeof code !== 'string' || code === 'server_gone' || code.startsWith('UND_') || code.startsWith('ECONN')
}
