import {
  type Address,
  type Archive,
  type Config,
  configuredCounters,
  createKeyRing,
  isAlive,
  keyRecord,
  type KeyRing,
  openArchive,
  openStores,
  readAddress,
  readSetup,
  removeAddress,
  type RunArchive,
} from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { Terminal } from '../terminal/terminal.ts'
import { configOf, namedServer, type Location } from './location.ts'
import { remoteArchive, remoteKeys, toolsOfThreadAt } from './remote-archive.ts'
import type { ServerAddress } from './server.ts'

/** A place where the record can be read and changed. */
export interface Connection {
  readonly archive: Archive
  readonly keys: KeyRing
  /** The runs of experiments. They are loaded when they are needed: few commands do. */
  readonly openRuns: () => Promise<RunArchive>
  /** The names of the tools that the setup of a thread gives it. */
  readonly toolsOfThread: (thread: string) => Promise<readonly string[]>
  readonly config: Config
  /** The server that answers; undefined where the store is opened here. */
  readonly server: ConnectedServer | undefined
  close(): Promise<void>
}

interface ConnectedServer extends ServerAddress {
  /** The process on this machine; undefined where the server was named by its address. */
  readonly pid?: number | undefined
}

/**
 * Goes to the server that was named or that runs on this data folder, and opens the store itself where there is none.
 */
export async function connect(terminal: Terminal, where: Location): Promise<Connection> {
  const config = await configOf(terminal, where)
  // Whoever names a database means that one, whatever serves here.
  const server =
    namedServer(terminal, where) ?? (where.database === undefined ? await runningServer(terminal, config) : undefined)
  if (server)
    return {
      archive: remoteArchive(server),
      keys: remoteKeys(server),
      openRuns: async () => (await import('./remote-runs.ts')).remoteRuns(server),
      toolsOfThread: (thread) => toolsOfThreadAt(server, thread),
      config,
      server,
      close: async () => undefined,
    }
  const stores = await namingDatabase(config.database, () => openStores(config, { turns: false }))
  const { store } = stores.of('default')
  const { states, policies } = config
  return {
    archive: openArchive(store, { counters: await configuredCounters(config), states, policies }),
    keys: createKeyRing(config.keys, keyRecord(store)),
    openRuns: async () => (await import('./offline-runs.ts')).offlineRuns(store),
    toolsOfThread: async (thread) => (await readSetup(store, thread)).tools ?? [],
    config,
    server,
    close: () => stores.close(),
  }
}

/** The server that left its address in the data folder. One that is gone has its address removed. */
export async function runningServer(terminal: Terminal, { data }: Config): Promise<Address | undefined> {
  // Behind one that is gone may stand another that shares the folder.
  for (let address = readAddress(data); address; address = readAddress(data)) {
    if (await isAlive(address)) return address
    removeAddress(data, address.token)
    terminal.remark(
      terminal.paintErrors.dim(`The server that was at ${address.url} is gone; its address file was removed.`),
    )
  }
  return undefined
}

/**
 * Opens something on a database; where that cannot be reached or lets nobody in, the error says at which host. Never
 * more of its address: that holds a password.
 */
export async function namingDatabase<T>(database: string | undefined, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (
      database === undefined ||
      !MinutebookError.isInstance(error) ||
      !named.has(error.code) ||
      !URL.canParse(database)
    )
      throw error
    throw new MinutebookError(
      error.code,
      error.problem.replace('Postgres', `Postgres at ${new URL(database).host}`),
      error.fix,
      error.details,
    )
  }
}

const named: ReadonlySet<string> = new Set(['store_unreachable', 'store_refused'])
