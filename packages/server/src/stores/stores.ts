import {
  localFeed,
  localQueue,
  MinutebookError,
  openBook,
  type Book,
  type Feed,
  type Store,
  type TurnQueue,
  type ThreadCache,
  threadCache,
} from 'minutebook'
import { basename } from 'node:path'
import { isTenant } from '../config/caller.ts'
import type { Config } from '../config/config.ts'
import { heapShares } from '../config/settings.ts'
import type { OpenOptions, StoreBackend, BackendFacts } from './backend.ts'
import { fileBackend, readerBackend, storeFile } from './files.ts'
import { createReadiness, createRoom, type Readiness, type Room } from './readiness.ts'

export { noFolderError, storeFile, storeFiles, tenantsIn } from './files.ts'
export type { OpenOptions } from './backend.ts'

/** The record of one tenant. One book for its turns in a process. */
export interface TenantStore {
  readonly store: Store
  readonly book: Book
  /** Opens threads for relays. It holds none, because chats and responses hold theirs: see gateway/thread-cache.ts. */
  readonly relays: Book
  readonly queue: TurnQueue
  readonly feed: Feed
}

/** The records of all tenants. */
export interface Stores extends BackendFacts {
  /** Opened at its first use. Throws `invalid_tenant` for an invalid name. */
  of(tenant: string): TenantStore
  /** The threads of all tenants that are kept open. */
  readonly held: ThreadCache
  /** Whether the store answers and this server takes up turns. */
  ready(): Promise<Readiness>
  close(): Promise<void>
}

/**
 * Opens the Postgres database and migrates its tables, or opens a file for each tenant in the data folder, or opens the
 * file of another program to read it.
 *
 * @example
 * const stores = await openStores(config)
 * const { book } = stores.of('default')
 */
export async function openStores(config: Config, options: OpenOptions = {}): Promise<Stores> {
  const { first = 'default', file } = options
  const isFolder = file === undefined && config.database === undefined
  const backend = await openBackend(config, options)
  const opened = new Map<string, TenantStore>()
  const held = threadCache({ threads: mostHeld, characters: heapShares().cache / perCharacter })
  const room = createRoom(() => of('default').store.records)
  const of = (tenant: string): TenantStore => {
    const found = opened.get(tenant) ?? openIn(backend, tenant, held, room)
    opened.set(tenant, found)
    return found
  }
  try {
    // What cannot be opened at all says so now.
    of(first)
  } catch (error) {
    await backend.close()
    throw isFolder ? located(error, storeFile(config.data, first)) : error
  }
  return {
    of,
    held,
    readOnly: backend.readOnly,
    tenants: () => backend.tenants(),
    turns: backend.turns,
    role: backend.role,
    connections: () => backend.connections(),
    ready: createReadiness({
      check: async () => {
        await of('default').store.standing('ready')
        await room.check()
      },
      lookedFor: () => backend.turns?.lookedFor(),
      longestQuiet: longestQuiet + config.databaseTimeout,
    }),
    close: () => backend.close(),
  }
}

/**
 * The store names its file without the folder, because clients may read that. Whoever starts a program needs the path of
 * a file to repair.
 */
function located(error: unknown, path: string): unknown {
  if (!MinutebookError.isInstance(error) || !isToRepair.has(error.code)) return error
  const { code, problem, fix, details } = error
  return new MinutebookError(code, problem.replace(`"${basename(path)}"`, `"${path}"`), fix, details)
}

const isToRepair: ReadonlySet<string> = new Set(['store_corrupt', 'not_a_store', 'store_unreachable', 'store_readonly'])

/** Milliseconds without a look for turns, in addition to what one look may take. */
const longestQuiet = 30_000

/** Threads of all tenants together that stay open between their turns, and the bytes of each of their characters. */
const mostHeld = 256
const perCharacter = 16

async function openBackend(config: Config, options: OpenOptions): Promise<StoreBackend> {
  if (options.file !== undefined) return readerBackend(options.file)
  if (config.database === undefined) return fileBackend(config, options)
  // Its packages are loaded only here: a command that needs no database starts without them.
  const { databaseBackend } = await import('./database.ts')
  return databaseBackend(config, config.database, options)
}

function openIn(backend: StoreBackend, tenant: string, heldThreads: ThreadCache, room: Room): TenantStore {
  if (!isTenant(tenant))
    throw new MinutebookError(
      'invalid_tenant',
      'This is not a valid name of a tenant.',
      'Use 1 to 63 small letters, digits, "_" or "-".',
    )
  const { feed = localFeed(), ...opened } = backend.open(tenant)
  const { store, queue } = room.watched({ store: opened.store, queue: opened.queue })
  const shared = { store, ...(queue && { queue }), feed }
  // Without turns, a command for a run is still recorded.
  return {
    store,
    queue: queue ?? localQueue(store),
    feed,
    book: openBook({ ...shared, heldThreads }),
    relays: openBook({ ...shared, heldThreads: 0 }),
  }
}

/** Which runs of experiments this process plays. Default: all that it finds. */
export interface HostedRuns {
  /**
   * From now on it runs only the turns that it is asked for. Those that others left unfinished in the data folder wait
   * until they are resumed, or for a server. Instances that share a database still share its work.
   */
  onlyAsked(): void
  /** Whether the process plays only the runs that it is asked for. */
  readonly isOnlyAsked: boolean
  /** The process is asked for a run. Returns true if it did not play the run until now. */
  host(tenant: string, run: string): boolean
  isHosted(tenant: string, run: string): boolean
}

export function createHostedRuns({ turns }: Pick<Stores, 'turns'>): HostedRuns {
  let asked: Set<string> | undefined
  const keyOf = (tenant: string, run: string): string => `${tenant} ${run}`
  return {
    onlyAsked: () => {
      if (!turns) asked = new Set()
    },
    get isOnlyAsked() {
      return asked !== undefined
    },
    host: (tenant, run) => {
      if (!asked || asked.has(keyOf(tenant, run))) return false
      asked.add(keyOf(tenant, run))
      return true
    },
    isHosted: (tenant, run) => asked?.has(keyOf(tenant, run)) ?? true,
  }
}
