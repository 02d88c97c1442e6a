import {
  localQueue,
  localFeed,
  MinutebookError,
  openBook,
  type Book,
  type TurnQueue,
  type Feed,
  type Store,
} from 'minutebook'
import type { Config } from './config.ts'
import { fileRoom } from './store/file-room.ts'
import type { OpenOptions, Room, Turning } from './store/room.ts'
import { isTenant } from './tenant.ts'

export { storeFile } from './store/file-room.ts'
export type { OpenOptions } from './store/room.ts'

/** The record of one tenant. One book for each in a process. */
export interface Opened {
  readonly store: Store
  readonly book: Book
  readonly queue: TurnQueue
  readonly feed: Feed
}

/** The records of all tenants. */
export interface Stores extends Turning {
  /** Opened when it is first asked for. Throws `invalid_tenant` for what is no name. */
  of(tenant: string): Opened
  /** Rejects where the store does not answer. */
  ready(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the Postgres database, whose tables it makes or brings up to date, or a file for each tenant in the data
 * folder.
 *
 * @example
 * const stores = await openStores(config)
 * const { book } = stores.of('default')
 */
export async function openStores(config: Config, options: OpenOptions = {}): Promise<Stores> {
  const room =
    config.database === undefined ? fileRoom(config, options) : await roomIn(config, config.database, options)
  const opened = new Map<string, Opened>()
  const of = (tenant: string): Opened => {
    const found = opened.get(tenant) ?? openIn(room, tenant)
    opened.set(tenant, found)
    return found
  }
  try {
    // What cannot be opened at all says so now.
    of('default')
  } catch (error) {
    await room.close()
    throw error
  }
  return {
    of,
    tenants: () => room.tenants(),
    turns: room.turns,
    role: room.role,
    connections: () => room.connections(),
    ready: async () => void (await of('default').store.standing('ready')),
    close: () => room.close(),
  }
}

/** Its packages are read only here: a command that needs no database starts without them. */
async function roomIn(config: Config, database: string, options: OpenOptions): Promise<Room> {
  const { databaseRoom } = await import('./store/database-room.ts')
  return databaseRoom(config, database, options)
}

function openIn(room: Room, tenant: string): Opened {
  if (!isTenant(tenant))
    throw new MinutebookError(
      'invalid_tenant',
      'This is no name of a tenant.',
      'Use 1 to 63 small letters, digits, "_" or "-".',
    )
  const { store, queue, feed = localFeed() } = room.open(tenant)
  // Where no turns are run, what somebody wants of a run is still put on record.
  return {
    store,
    queue: queue ?? localQueue(store),
    feed,
    book: openBook({ store, ...(queue && { queue }), feed }),
  }
}
