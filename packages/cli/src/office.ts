import {
  configuredCounters,
  createKeyRing,
  isAlive,
  keyRecord,
  openArchive,
  offlineRuns,
  openStores,
  readAddress,
  readSetup,
  removeAddress,
  type Address,
  type Config,
  type Archive,
  type KeyRing,
  type RunArchive,
} from '@minutebook/server'
import { namingDatabase } from './naming-database.ts'
import { remoteDesk, remoteKeys, toolsOfThreadAt } from './remote-desk.ts'
import { remoteRuns } from './runs/remote-runs.ts'
import type { ServerAddress } from './server-call.ts'
import type { Terminal } from './terminal.ts'
import { configOf, namedServer, type Whereabouts } from './whereabouts.ts'

/** A place where the record can be read and changed. */
export interface Office {
  readonly desk: Archive
  readonly keys: KeyRing
  /** Of experiments. */
  readonly runs: RunArchive
  /** The names of the tools that the setup of a thread gives it. */
  readonly toolsOfThread: (thread: string) => Promise<readonly string[]>
  readonly config: Config
  /** The server that answers; undefined where the store is opened here. */
  readonly server: OfficeServer | undefined
  close(): Promise<void>
}

export interface OfficeServer extends ServerAddress {
  /** The process on this machine; undefined where the server was named by its address. */
  readonly pid?: number | undefined
}

/**
 * Goes to the server that was named or that runs on this data folder, and opens the store itself where there is none.
 */
export async function openOffice(terminal: Terminal, where: Whereabouts): Promise<Office> {
  const config = await configOf(terminal, where)
  // Whoever names a database means that one, whatever serves here.
  const server =
    namedServer(terminal, where) ?? (where.database === undefined ? await runningServer(terminal, config) : undefined)
  if (server)
    return {
      desk: remoteDesk(server),
      keys: remoteKeys(server),
      runs: remoteRuns(server),
      toolsOfThread: (thread) => toolsOfThreadAt(server, thread),
      config,
      server,
      close: async () => undefined,
    }
  const stores = await namingDatabase(config.database, () => openStores(config, { turns: false }))
  const { store } = stores.of('default')
  const { states, policies } = config
  return {
    desk: openArchive(store, { counters: await configuredCounters(config), states, policies }),
    keys: createKeyRing(config.keys, keyRecord(store)),
    runs: offlineRuns(store),
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
