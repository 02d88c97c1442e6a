import { MinutebookError, type Book, type Feed, type TurnQueue, type WorkOptions } from 'minutebook'
import type { Pool } from 'pg'
import { databaseOf } from '../connection/connection.ts'
import { tenantKey } from '../connection/key.ts'
import { storeIn, type PostgresStore } from '../store/store.ts'
import { openChannels } from './channels.ts'
import { openFeeds, type Feeds } from './feed.ts'
import { createListener } from './listener.ts'
import { createDoorbell, type Doorbell } from './queue.ts'
import { createQueue } from './wake.ts'

/** How an instance takes part in running turns. */
export interface TurnsOptions {
  /** How many threads it runs at once. Default: 10. */
  readonly slots?: number | undefined
  /** Which instances share their work: those with the same group and the same tenants. Default: `turn`. */
  readonly group?: string | undefined
  /** Milliseconds that one statement may take, as for `postgresStore`. Default: 10,000. */
  readonly timeout?: number | undefined
  /** Called with failures in the background that are retried. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Called when a turn continues here that was left unfinished, mostly by an instance that died. */
  readonly onTakeOver?: (() => void) | undefined
}

/** Turns that outlive the instance that runs them. One for each process. */
export interface Turns {
  /** What `openBook` needs for the threads of a tenant, as `postgresStore` names it. */
  tenant(name?: string): Tenant
  /**
   * From now on this instance runs the turns of all tenants. The book of a tenant without a worker here is opened when
   * one of its threads is woken, and works with `options`. The returned function stops that, and waits for running
   * turns.
   *
   * @example
   * const stop = await turns.work((tenant) => openBook({ ...turns.tenant(tenant), model, window, clock }))
   */
  work(
    open: (tenant: string) => Book | Promise<Book>,
    options?: (tenant: string) => WorkOptions,
  ): Promise<() => Promise<void>>
  /**
   * Milliseconds since this instance last looked for work and the database answered, or had no slot free. Undefined: it
   * takes up none. It looks once a second: after half a minute, take it for dead.
   */
  lookedFor(): number | undefined
  /** Waits for what runs here, and takes up nothing more. Close it before you end the pool. */
  close(): Promise<void>
}

/** What the book of a tenant is opened with. */
export interface Tenant {
  readonly store: PostgresStore
  readonly queue: TurnQueue
  readonly feed: Feed
}

/**
 * Lets several instances share the turns of one database. It keeps one connection of the pool for itself, which must
 * lead to Postgres itself: a proxy that reassigns connections between transactions would lose its notifications and
 * locks.
 *
 * @example
 * const turns = await postgresTurns(pool)
 * const book = openBook({ ...turns.tenant(), model, window, clock })
 * await book.work()
 */
export async function postgresTurns(
  pool: Pool,
  { slots = 10, group = 'turn', timeout, onError = () => undefined, onTakeOver = () => undefined }: TurnsOptions = {},
): Promise<Turns> {
  if (pool.options.max < 3)
    throw new MinutebookError(
      'small_pool',
      'The pool is too small: turns hold one of its connections all the time and need at least two more.',
      'Make the pool with max: 10 or more.',
      { max: pool.options.max },
    )
  const database = databaseOf(pool, timeout)
  const listener = createListener(database)
  const opening = async (): Promise<{ readonly feeds: Feeds; readonly doorbell: Doorbell }> => {
    const channels = await openChannels(database, listener)
    const doorbell = await createDoorbell(database, listener, channels, { slots, group, onError, onTakeOver })
    return { doorbell, feeds: await openFeeds(database, listener, channels) }
  }
  const { feeds, doorbell } = await opening().catch(async (error: unknown) => {
    await listener.close()
    throw error
  })
  const tenants = new Map<string, Tenant>()
  return {
    tenant: (name = 'default') => {
      const tenant = tenantKey(name)
      const known = tenants.get(tenant)
      if (known) return known
      const opened = {
        store: storeIn(database, tenant),
        queue: createQueue(database, doorbell, { tenant, name }),
        feed: feeds.of(tenant),
      }
      tenants.set(tenant, opened)
      return opened
    },
    work: (open, options = () => ({})) => doorbell.onStranger(async (name) => (await open(name)).work(options(name))),
    lookedFor: () => doorbell.lookedFor(),
    close: async () => {
      await doorbell.close()
      await feeds.close()
      await listener.close()
    },
  }
}
