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
import { configOf, fileIn, namedServer, writesNoFileError, type Location } from './location.ts'
import { remoteArchive, remoteKeys, toolsOfThreadAt } from './remote-archive.ts'
import type { ServerAddress } from './server.ts'

/** Access to the record, at a server or in this process. */
export interface Connection {
  readonly archive: Archive
  readonly keys: KeyRing
  /** Opens the runs of experiments. They are loaded on demand, because few commands need them. */
  readonly openRuns: () => Promise<RunArchive>
  /** The names of the tools in the setup of a thread. */
  readonly toolsOfThread: (thread: string) => Promise<readonly string[]>
  readonly config: Config
  /** Writes the commands of hints. */
  readonly command: Terminal['command']
  /** The file that is read, if it is not the record of a data folder or database. */
  readonly file: string | undefined
  /** The server that is used. Undefined if this process opened the store. */
  readonly server: ConnectedServer | undefined
  close(): Promise<void>
}

export interface ConnectedServer extends ServerAddress {
  /** The process on this machine. Undefined if the server was named by its address. */
  readonly pid?: number | undefined
}

/**
 * Connects to the named server, or to the one on this data folder. If there is none, opens the store here. A file is
 * only read, next to the program that writes to it.
 */
export async function connect(terminal: Terminal, where: Location): Promise<Connection> {
  const config = await configOf(terminal, where)
  const file = fileIn(config)
  const server = await serverFor(terminal, where, config)
  if (server)
    return {
      archive: remoteArchive(server),
      keys: remoteKeys(server),
      openRuns: async () => (await import('./remote-runs.ts')).remoteRuns(server),
      toolsOfThread: (thread) => toolsOfThreadAt(server, thread),
      config,
      command: terminal.command,
      file: undefined,
      server,
      close: async () => undefined,
    }
  const stores = await namingDatabase(config.database, () => openStores(config, { turns: false, file }))
  const { store } = stores.of('default')
  const { states, policies, prices } = config
  const archive = openArchive(store, { counters: await configuredCounters(config), states, policies, prices })
  return {
    archive: { ...archive, ...(file !== undefined && refusing(file)) },
    keys: createKeyRing(config.keys, keyRecord(store)),
    openRuns: async () => (await import('./offline-runs.ts')).offlineRuns(store),
    toolsOfThread: async (thread) => (await readSetup(store, thread)).tools ?? [],
    config,
    command: terminal.command,
    file,
    server,
    close: () => stores.close(),
  }
}

/** What cannot be done with a file. */
function refusing(file: string): Pick<Archive, 'fork' | 'import' | 'pin' | 'rate' | 'erase' | 'remove'> {
  const refuse = (): Promise<never> => Promise.reject(writesNoFileError(file))
  return { fork: refuse, import: refuse, pin: refuse, rate: refuse, erase: refuse, remove: refuse }
}

/** The named server, or else the one on this data folder. A database that was named is used even if a server runs here. */
export async function serverFor(
  terminal: Terminal,
  location: Location,
  config: Config,
): Promise<ConnectedServer | undefined> {
  return (
    namedServer(terminal, location) ??
    (location.database === undefined && fileIn(config) === undefined
      ? await runningServer(terminal, config)
      : undefined)
  )
}

/** The server that left its address in the data folder. Removes the address of a server that is gone. */
export async function runningServer(terminal: Terminal, { data }: Config): Promise<Address | undefined> {
  // Another server that shares the folder may have left its address, too.
  for (let address = readAddress(data); address; address = readAddress(data)) {
    if (await isAlive(address)) return address
    removeAddress(data, address.token)
    terminal.remark(
      terminal.paintErrors.dim(`The server at ${address.url} is no longer running. Its address file was removed.`),
    )
  }
  return undefined
}

/**
 * Opens something on a database. If the database cannot be reached or refuses access, the error names the host, but
 * not the rest of the address, which holds a password.
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
