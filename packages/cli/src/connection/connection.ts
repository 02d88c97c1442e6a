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
  storeFile,
  type Stores,
  type TenantStore,
  tenantsIn,
} from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { existsSync } from 'node:fs'
import type { Terminal } from '../terminal/terminal.ts'
import { databaseHost, someOf } from '../terminal/text.ts'
import { configOf, fileIn, namedServer, writesNoFileError, type Location } from './location.ts'
import { remoteArchive, remoteKeys, toolsOfThreadAt } from './remote-archive.ts'
import type { ServerAddress } from './server.ts'

/** Access to the record, at a server or in this process. */
export interface Connection {
  /** Of the tenant that was named, or `default`. At a server: of the tenant of the key. */
  readonly archive: Archive
  /** The tenant that was named; else those that are known and that this process can read. At a server: that of the key. */
  readonly records: () => Promise<readonly TenantRecord[]>
  /** Tenants that are known, but are not among the records: a server writes to them, and they need a key. */
  readonly others: () => Promise<readonly string[]>
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

/** What a tenant has in the store. */
export interface TenantRecord {
  /** Undefined if the key or the file decides. */
  readonly tenant: string | undefined
  readonly archive: Archive
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
  if (where.tenant !== undefined && (server || file !== undefined)) throw oneTenantError(server)
  if (server) {
    const [archive, keys] = [remoteArchive(server), remoteKeys(server)]
    return {
      archive,
      records: async () => [{ tenant: undefined, archive }],
      others: async () => (server.pid === undefined ? [] : othersIn(config, await tenantsOf(keys))),
      keys,
      openRuns: async () => (await import('./remote-runs.ts')).remoteRuns(server),
      toolsOfThread: (thread) => toolsOfThreadAt(server, thread),
      config,
      command: terminal.command,
      file: undefined,
      server,
      close: async () => undefined,
    }
  }
  // A record that is not asked for may be damaged.
  const isThere =
    where.tenant !== undefined && config.database === undefined && existsSync(storeFile(config.data, where.tenant))
  const stores = await namingDatabase(config.database, () =>
    openStores(config, { turns: false, file, ...(isThere && { first: where.tenant }) }),
  )
  try {
    return await opened(terminal, where, config, stores)
  } catch (error) {
    await stores.close()
    throw error
  }
}

/** A connection to stores that this process has opened. */
async function opened(
  { command }: Terminal,
  { tenant: named, addsTenant = false }: Location,
  config: Config,
  stores: Stores,
): Promise<Connection> {
  const file = fileIn(config)
  const { states, policies, prices } = config
  const counters = await configuredCounters(config)
  const archiveOf = ({ store }: TenantStore): Archive => ({
    ...openArchive(store, { counters, states, policies, prices }),
    ...(file !== undefined && refusing(file)),
  })
  if (named !== undefined && !addsTenant && config.database === undefined && !stores.tenants().includes(named))
    throw noTenantError(stores.tenants())
  const chosen = stores.of(named ?? 'default')
  const archive = archiveOf(chosen)
  // The keys of all tenants are kept together.
  const keys = createKeyRing(
    config.keys,
    keyRecord({
      get records() {
        return stores.of('default').store.records
      },
    }),
  )
  // Postgres has no list of its tenants. Those with a key are known.
  const known = async (): Promise<ReadonlySet<string>> =>
    new Set(['default', ...(config.database === undefined ? stores.tenants() : await tenantsOf(keys))])
  return {
    archive,
    records: async () =>
      named !== undefined || file !== undefined
        ? [{ tenant: named, archive }]
        : [...(await known())].map((tenant) => ({ tenant, archive: archiveOf(stores.of(tenant)) })),
    others: async () => [],
    keys,
    openRuns: async () => (await import('./offline-runs.ts')).offlineRuns(chosen.store),
    toolsOfThread: async (thread) => (await readSetup(chosen.store, thread)).tools ?? [],
    config,
    command,
    file,
    server: undefined,
    close: () => stores.close(),
  }
}

/** The tenants that have a key, or had one. Not every key may list the keys. */
async function tenantsOf(keys: KeyRing): Promise<readonly string[]> {
  return (await keys.list().catch(() => [])).map(({ tenant }) => tenant)
}

/** Tenants other than `default`, which is that of the local token. */
function othersIn({ data, database }: Config, withKeys: readonly string[]): readonly string[] {
  const withFiles = database === undefined ? tenantsIn(data) : []
  return [...new Set([...withFiles, ...withKeys])].filter((tenant) => tenant !== 'default')
}

function oneTenantError(server: ConnectedServer | undefined): MinutebookError {
  if (!server) return new MinutebookError('bad_address', 'A file has the threads of one tenant.', 'Leave --tenant out.')
  return new MinutebookError(
    'bad_address',
    `The command asks the server at ${server.url}, and there the key decides the tenant.`,
    `Pass a key of that tenant instead of --tenant: set MINUTEBOOK_KEY, and name the server with --server ${server.url}.`,
  )
}

function noTenantError(tenants: readonly string[]): MinutebookError {
  return new MinutebookError(
    'tenant_missing',
    'The data folder has no file of this tenant.',
    tenants.length > 0 ? `Name one of these: ${someOf(tenants)}.` : 'Set --data to the folder with its record.',
  )
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
      error.problem.replace('Postgres', `Postgres at ${databaseHost(database)}`),
      error.fix,
      error.details,
    )
  }
}

const named: ReadonlySet<string> = new Set(['store_unreachable', 'store_refused'])
