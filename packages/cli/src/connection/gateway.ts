import {
  apiHandler,
  relayChat,
  serve,
  type Config,
  type LogOutput,
  type Running,
  type ServeOptions,
} from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { Terminal } from '../terminal/terminal.ts'
import { type ConnectedServer, namingDatabase, serverFor } from './connection.ts'
import { configOf, fileIn, writesNoFileError, type Location } from './location.ts'
import type { ServerAddress } from './server.ts'

/** Starts a whole gateway in this process: chats are recorded, and the record can be read. */
export function startGateway(
  config: Config,
  log: LogOutput | undefined,
  prepare?: ServeOptions['prepare'],
): Promise<Running> {
  return namingDatabase(config.database, () => serve(config, { chat: relayChat(), api: apiHandler, log, prepare }))
}

export interface ReachedGateway {
  readonly address: ServerAddress
  /** The gateway in this process, if no other runs. Other commands find it by its address file just the same. */
  readonly own: Running | undefined
  readonly config: Config
}

/**
 * The gateway that was named or that runs, or else a new one in this process, which the caller closes. `upstream`: where
 * the models are, for a new one; `log`: where it writes its log; `settle`: the settings of a new one.
 */
export async function reachGateway(
  terminal: Terminal,
  { upstream, ...location }: Location & { readonly upstream?: string | undefined },
  prepare: ServeOptions['prepare'],
  log: LogOutput = 'silent',
  settle: (config: Config) => Config = (config) => config,
): Promise<ReachedGateway> {
  const upstreams = upstream === undefined ? undefined : [{ url: upstream }]
  const config = await configOf(terminal, location, { upstreams })
  const address = await serverFor(terminal, location, config)
  if (address && upstream !== undefined) throw hasUpstreamsError(address)
  if (address) return { address, own: undefined, config }
  const file = fileIn(config)
  if (file !== undefined) throw writesNoFileError(file)
  const own = await startGateway({ ...settle(config), host: '127.0.0.1', port: 0 }, log, prepare)
  return { address: own, own, config }
}

function hasUpstreamsError({ url, pid }: ConnectedServer): MinutebookError {
  return pid === undefined
    ? new MinutebookError('already_running', `The server at ${url} has its own upstreams.`, 'Leave --upstream out.')
    : new MinutebookError(
        'already_running',
        `A server runs on this data folder, at ${url}, and has its own upstreams.`,
        'Stop it, or leave --upstream out.',
      )
}
