import { openLocalRun, wakeRun, type Config, type Running } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { runningServer } from '../connection/connection.ts'
import type { ServerAddress } from '../connection/server.ts'
import { startGateway } from '../connection/connection.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { configOf, namedServer, type Location } from '../connection/location.ts'
import { remoteRuns, type RemoteRuns } from '../connection/remote-runs.ts'

/** Where runs go on: at a server, or in this process. */
export interface ReachedRuns {
  readonly runs: RemoteRuns
  readonly address: ServerAddress
  /**
   * The server in this process, where no other runs; it ends with the command. Other commands find it just the same.
   */
  readonly own: Running | undefined
  readonly config: Config
  close(): Promise<void>
}

/** `run`: one that was begun on this machine and is to go on; `upstream`: where models are, for a server of its own. */
export async function reachRuns(
  terminal: Terminal,
  { upstream, ...where }: Location & { readonly upstream?: string | undefined },
  run?: string,
): Promise<ReachedRuns> {
  const config = await configOf(terminal, where, {
    upstreams: upstream === undefined ? undefined : [{ url: upstream }],
  })
  const server =
    namedServer(terminal, where) ?? (where.database === undefined ? await runningServer(terminal, config) : undefined)
  if (server && upstream !== undefined) throw hasUpstreams(server, namedServer(terminal, where) !== undefined)
  if (server) return { runs: remoteRuns(server), address: server, own: undefined, config, close: async () => undefined }
  const own = await startGateway({ ...config, host: '127.0.0.1', port: 0 }, 'silent', async (services) => {
    services.hostedRuns.onlyAsked()
    if (run === undefined) return
    services.hostedRuns.host('default', run)
    await openLocalRun(services, 'default', run)
  })
  // One whose process died was never paused: it goes on by itself.
  if (run !== undefined) await wakeRun(own.services, 'default', run)
  return { runs: remoteRuns(own), address: own, own, config, close: () => own.close({ notice: 0 }) }
}

function hasUpstreams({ url }: ServerAddress, isNamed: boolean): MinutebookError {
  return isNamed
    ? new MinutebookError('already_running', `The server at ${url} has its own upstreams.`, 'Leave --upstream out.')
    : new MinutebookError(
        'already_running',
        `A server runs on this data folder, at ${url}, and has its own upstreams.`,
        'Stop it, or leave --upstream out.',
      )
}
