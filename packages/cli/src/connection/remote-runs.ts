import { isOver } from '@minutebook/experiment/run'
import type { NewFork, NewRun, RunArchive, RunBoard, RunChange, RunSummary } from '@minutebook/server'
import { setTimeout as after } from 'node:timers/promises'
import { askServer, jsonOf, linesOf, type ServerAddress } from './server-call.ts'

/** The runs of a server, and what is begun there. */
export interface RemoteRuns extends RunArchive {
  begin(wish: NewRun): Promise<RunSummary>
  fork(run: string, wish: NewFork): Promise<RunSummary>
}

export function remoteRuns(server: ServerAddress): RemoteRuns {
  const at = (run: string, what = ''): string => `/runs/${encodeURIComponent(run)}${what}`
  const summary = async (run: string): Promise<RunSummary> => {
    const board = await jsonOf<RunBoard>(await askServer(server, at(run)))
    return { ...board, round: board.rounds.at(-1)?.round ?? 0 }
  }
  return {
    list: async (page = {}) => jsonOf(await askServer(server, '/runs', { query: { ...page } })),
    summary,
    show: async (run) => jsonOf(await askServer(server, at(run))),
    watch: (run, { signal } = {}) => watched(server, at(run, '/events'), signal),
    steer: async (run, command) => jsonOf(await askServer(server, at(run, `/${command}`), { method: 'POST' })),
    manifest: async (run) => jsonOf(await askServer(server, at(run, '/manifest'))),
    compare: async (left, right) => jsonOf(await askServer(server, '/runs/compare', { query: { left, right } })),
    export: async function* (run, format) {
      const { body } = await askServer(server, at(run, '/export'), { query: { format } })
      // The fields of a table may hold line breaks: each of these is one more piece.
      if (body) for await (const line of linesOf(body)) yield line.endsWith('\n') ? line.slice(0, -1) : line
    },
    begin: async (wish) => jsonOf(await askServer(server, '/runs', { method: 'POST', body: wish })),
    fork: async (run, wish) => jsonOf(await askServer(server, at(run, '/fork'), { method: 'POST', body: wish })),
  }
}

/** Comes again where the connection is lost before the run is over; not for ever. */
async function* watched(
  server: ServerAddress,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunChange<RunBoard>, void, void> {
  let status: RunBoard['status'] = 'running'
  const isLeft = (): boolean => signal?.aborted === true
  for (let tries = 0; tries < mostTries && !isOver(status) && !isLeft(); tries++) {
    if (tries > 0) await after(pause)
    try {
      const { body } = await askServer(server, path, { signal })
      for await (const news of serverEvents(body ?? nothing())) {
        tries = 0
        const told = news as RunChange<RunBoard>
        status = told.data.status
        yield told
      }
    } catch (error) {
      if (isLeft()) return
      if (tries === mostTries - 1 || !isBroken(error)) throw error
    }
  }
}

const mostTries = 5
/** Milliseconds. */
const pause = 500

/** Of the connection, and not an answer. */
function isBroken(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown }
  return typeof code !== 'string' || code === 'server_gone' || code.startsWith('UND_') || code.startsWith('ECONN')
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The events of a stream of server-sent events, with their names. */
async function* serverEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly event: string; readonly data: unknown }, void, void> {
  let event = ''
  for await (const line of linesOf(body)) {
    if (line.startsWith('event: ')) event = line.slice('event: '.length).trimEnd()
    // A line that was cut off is told again when the stream is opened anew.
    else if (line.startsWith('data: ') && line.endsWith('\n'))
      yield { event, data: JSON.parse(line.slice('data: '.length)) as unknown }
  }
}
