import { MinutebookError, type Engine, type Feed } from 'minutebook'
import type { Pool } from 'pg'
import { createDoorbell } from './doorbell.ts'
import { createEngine } from './engine.ts'
import { createFeed } from './feed.ts'
import { createListener } from './listener.ts'
import { surviveIdleFailures } from './session.ts'
import { postgresStore, type PostgresStore } from './store.ts'
import { tenantKey } from './tenant.ts'

/** How an instance takes part in running turns. */
export interface TurnsOptions {
  /** How many threads it runs at once: 10 unless told. */
  readonly slots?: number | undefined
  /** Which instances share their work: those that name the same group and work for the same tenants. `turn` unless told. */
  readonly group?: string | undefined
  /** Told of what fails in the background and is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Turns that outlive the instance that runs them. One for each process. */
export interface Turns {
  /** What `openBook` needs for the threads of a tenant, as `postgresStore` names it. */
  tenant(name?: string): { readonly store: PostgresStore; readonly engine: Engine; readonly feed: Feed }
  /** Waits for what runs here, and takes up nothing more. Close it before you end the pool. */
  close(): Promise<void>
}

/**
 * Lets several instances share the turns of one database. It keeps one connection of the pool for itself, which must lead
 * to Postgres itself: a proxy that hands connections on between transactions takes its notifications and locks away.
 *
 * @example
 * const turns = await postgresTurns(pool)
 * const book = openBook({ ...turns.tenant(), model, window, clock })
 * await book.work()
 */
export async function postgresTurns(pool: Pool, { slots = 10, group = 'turn', onError = () => undefined }: TurnsOptions = {}): Promise<Turns> {
  if (pool.options.max < 3) throw new MinutebookError('small_pool', 'Turns keep one connection of the pool for themselves and need others beside it; make the pool with max: 10 or more.', { max: pool.options.max })
  surviveIdleFailures(pool)
  const listener = createListener(pool)
  const doorbell = await createDoorbell(pool, listener, { slots, group, onError }).catch(async (error: unknown) => {
    await listener.close()
    throw error
  })
  const feeds: ReturnType<typeof createFeed>[] = []
  return {
    tenant: (name) => {
      const tenant = tenantKey(name)
      const feed = createFeed(pool, listener, tenant)
      feeds.push(feed)
      return { store: postgresStore(pool, { tenant: name }), engine: createEngine(pool, doorbell, tenant), feed }
    },
    close: async () => {
      await doorbell.close()
      await Promise.all(feeds.map((feed) => feed.flush()))
      await listener.close()
    },
  }
}
