import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { localQueue, openBook, type Book, type Store } from 'minutebook'
import { migrate, postgresStore, postgresTurns } from '@minutebook/postgres'
import { sqliteStore } from '@minutebook/sqlite'
import pg from 'pg'
import { query, type Server } from '../postgres/server.ts'
import { countedCalls } from '../rounds/counted-calls.ts'
import { fill, settings, type LeftTurn } from './left-turns.ts'

/** A store with many threads, and the means to start a process on it. */
export interface Side {
  /** Writes these turns into the given number of threads. */
  prepare(turns: readonly LeftTurn[], threads: number): Promise<void>
  /** Starts what a process starts: the store, its queue, and a book that works. */
  start(): Promise<Instance>
}

/** A book that works. */
export interface Instance {
  readonly book: Book
  readonly store: Store
  /** The most that it asks of the store in a tenth of a second while it has nothing to do. */
  readonly idle: number
  /** What was asked of the store until now: calls of its methods, or statements. */
  asked(): number
  /** Rows that were read until now, by the tables that they are in. */
  rows(): Promise<ReadonlyMap<string, number>>
  stop(): Promise<void>
}

export function sqliteSide(folder: string, name: string): Side {
  const file = join(folder, `${name}.db`)
  return {
    prepare: async (turns, threads) => {
      // Without waiting for the disk.
      const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : folder, 'minutebook-waiting-'))
      const store = sqliteStore(join(scratch, 'scratch.db'))
      try {
        await fill(store, 'thread', turns, threads)
        store.close()
        copyFileSync(join(scratch, 'scratch.db'), file)
      } finally {
        rmSync(scratch, { recursive: true, force: true })
      }
    },
    start: async () => {
      const counts = new Map<string, number>()
      const opened = sqliteStore(file)
      const store: Store = countedCalls(opened, counts)
      const book = openBook({ ...settings, store, queue: localQueue(store, { pause }) })
      const stop = await book.work()
      return {
        book,
        store,
        idle: 0,
        asked: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
        rows: async () => new Map(),
        stop: async () => {
          await stop()
          opened.close()
        },
      }
    },
  }
}

export async function postgresSide(server: Server, name: string): Promise<Side> {
  const { url, superuserUrl } = await server.database(name)
  return {
    prepare: async (turns, threads) => {
      const pool = new pg.Pool({ connectionString: url, pipeline: true })
      await fill(postgresStore(pool), 'thread', turns, Math.min(threads, turns.length))
      await pool.end()
      for (const text of copies(turns.length, threads)) await query(superuserUrl, text)
    },
    start: async () => {
      let asked = 0
      class CountedClient extends pg.Client {
        constructor(...given: ConstructorParameters<typeof pg.Client>) {
          super(...given)
          const ask = this.query.bind(this) as (...values: unknown[]) => unknown
          Object.assign(this, { query: (...values: unknown[]) => (asked++, ask(...values)) })
        }
      }
      const pool = new pg.Pool({ connectionString: url, pipeline: true, Client: CountedClient })
      await migrate(pool)
      const turns = await postgresTurns(pool)
      const tenant = turns.tenant()
      const book = openBook({ ...settings, ...tenant })
      const stop = await book.work()
      return {
        book,
        store: tenant.store,
        idle: 30,
        asked: () => asked,
        rows: () => rowsRead(superuserUrl),
        stop: async () => {
          await stop()
          await turns.close()
          await pool.end()
        },
      }
    },
  }
}

/** Without the two tables that are read at each start: Postgres counts that up to ten seconds later. */
async function rowsRead(url: string): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ schema: string; rows: string }>(
    url,
    `select schemaname as schema, sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as rows
     from pg_stat_user_tables where relname not in ('migration', 'secret') group by schemaname`,
  )
  return new Map(rows.map(({ schema, rows: count }) => [schema, Number(count)]))
}

/** Copies the first threads until the store has the given number: row by row what the store wrote, each a moment later. */
function copies(first: number, threads: number): readonly string[] {
  const numbers = `generate_series(${first}, ${threads - 1}) as copy`
  const from = `thread = 'thread ' || copy % ${first}`
  const copy = (table: string, columns: string): string =>
    `insert into minutebook.${table} (thread, written, ${columns})
     select 'thread ' || copy, written + copy * interval '1 ms', ${columns} from ${numbers} join minutebook.${table} on ${from}`
  return [
    copy('thread', 'tenant, name, head, length, term, erasures, searched'),
    copy('entry', 'tenant, seq, id, payload, checksum, key'),
    copy('record', 'tenant, thread_name, name, key, key_name, value, version'),
    'vacuum (analyze)',
  ]
}
