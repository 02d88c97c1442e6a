import type { Engine, Feed } from 'minutebook'
import type { Pool } from 'pg'
import { createDoorbell } from './doorbell.ts'
import { createEngine } from './engine.ts'
import { createFeed } from './feed.ts'
import { createListener } from './listener.ts'
import { tenantKey } from './tenant.ts'

/** How an instance takes part in running turns. */
export interface TurnsOptions {
  /** How many threads it runs at once: 10 unless told. */
  readonly slots?: number | undefined
  /** Told of what fails in the background and is tried again. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Turns that outlive the instance that runs them: what `openBook` needs for it. One for each process. */
export interface Turns {
  /** For the threads of a tenant, as of `postgresStore`. */
  engine(tenant?: string): Engine
  feed(tenant?: string): Feed
  /** Waits for what runs here, and takes up nothing more. Close it before you end the pool. */
  close(): Promise<void>
}

/**
 * Lets several instances share the turns of one database. It keeps one connection of the pool for itself, which must lead
 * to Postgres itself: a proxy that hands connections on between transactions takes its notifications and locks away.
 *
 * @example
 * const turns = await postgresTurns(pool)
 * const book = openBook({ store: postgresStore(pool), engine: turns.engine(), feed: turns.feed(), model, window, clock })
 * await book.work()
 */
export async function postgresTurns(pool: Pool, { slots = 10, onError = () => undefined }: TurnsOptions = {}): Promise<Turns> {
  const listener = createListener(pool)
  const doorbell = await createDoorbell(pool, listener, { slots, onError }).catch(async (error: unknown) => {
    await listener.close()
    throw error
  })
  return {
    engine: (tenant) => createEngine(pool, doorbell, tenantKey(tenant)),
    feed: (tenant) => createFeed(pool, listener, tenantKey(tenant)),
    close: async () => {
      await doorbell.close()
      await listener.close()
    },
  }
}
