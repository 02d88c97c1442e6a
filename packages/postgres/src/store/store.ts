import type { Store } from 'minutebook'
import { erasureRemains, unknownEntry, type StoredEntry } from 'minutebook/store'
import type { Pool } from 'pg'
import { databaseOf, transaction, type Database } from '../connection/connection.ts'
import { isOutdated, isTaken } from '../connection/failure.ts'
import { keyOf, nameBeside, tenantKey } from '../connection/key.ts'
import { statement } from '../connection/statement.ts'
import { append, quickAppend } from './append.ts'
import { entryOfRow, idBytes, type EntryRow } from './entry-row.ts'
import { erase } from './erase.ts'
import { figuresOf } from './figures.ts'
import { readWhole, type AskThread } from './images.ts'
import { listThreads } from './listing.ts'
import { createRecords } from './records.ts'
import {
  pruneThreads,
  remains,
  removeThread,
  removeThreads,
  type RemovedThreads,
  type RemoveOptions,
} from './remove.ts'
import { createSegments } from './segments.ts'
import { createBatches, createSnapshots } from './snapshots.ts'
import { bounded, isPlace, readBranch, standingOf, type ThreadRow } from './threads.ts'
import { catchUp, findPhrases } from './word-index.ts'

const readLines = statement('read')
const readKeyed = statement('read-key')
const readSeqs = statement('read-seqs')
const findHead = statement('find-head')
const findStanding = statement('standing')
const claim = statement('claim')

/** Whose threads these are. */
export interface PostgresOptions {
  /** Threads of one tenant are never visible to another. Default: `default`. */
  readonly tenant?: string | undefined
  /**
   * Milliseconds that one statement may take. What grows with the size of a thread may take twelve times as long.
   * Default: 10,000.
   */
  readonly timeout?: number | undefined
}

export interface PostgresStore extends Store {
  /**
   * Removes all threads of the tenant for good, with their rows. It runs while it is iterated, and yields what was
   * removed. Old threads are removed with `prune` of a book.
   *
   * @example
   * for await (const { threads } of store.removeThreads({ all: true })) console.log(threads.length)
   */
  removeThreads(options: RemoveOptions): AsyncIterable<RemovedThreads>
}

/**
 * Keeps the threads of one tenant in Postgres, for as many processes as there are. The pool is yours: end it when you
 * are done. The tables are made by `migrate(pool)`.
 *
 * @example
 * const pool = new Pool({ connectionString })
 * await migrate(pool)
 * const store = postgresStore(pool, { tenant: 'garden' })
 */
export function postgresStore(pool: Pool, { tenant, timeout }: PostgresOptions = {}): PostgresStore {
  return storeIn(databaseOf(pool, timeout), tenantKey(tenant))
}

/** `tenant`: its key. */
export function storeIn(database: Database, tenant: string): PostgresStore {
  const ask = createBatches(database, tenant)
  return {
    append: async (thread, entries, terms = {}) => {
      const quick = quickAppend(tenant, thread, entries, terms)
      const answer =
        quick &&
        (await ask<ThreadRow>(thread, quick.request).then(quick.answer, (error: unknown) => {
          if (!isTaken(error) && !(terms.count && isOutdated(error))) throw error
        }))
      return answer ?? transaction(database, tenant, (session) => append(session, thread, entries, terms))
    },
    read: async (thread, { head, key, seqs, id, ...range } = {}) => {
      const { from = 0, to = Infinity, last = Infinity } = range
      const at = [keyOf(thread), tenant] as const
      const isLong = to === Infinity && last === Infinity && (key ?? id ?? seqs) === undefined
      const run: AskThread = (asked, values) => ask(thread, { statement: asked, values, isLong })
      return readWhole(run, at, async (entryOf) => {
        const readLog = async (start: number, end: number, most = Infinity): Promise<StoredEntry[]> =>
          (await run<EntryRow>(readLines, [...at, bounded(start), bounded(end), bounded(most)])).reverse().map(entryOf)
        if (seqs) return (await run<EntryRow>(readSeqs, [...at, seqs.filter(isPlace)])).map(entryOf)
        if (id !== undefined) return (await run<EntryRow>(findHead, [...at, idBytes(id)])).map(entryOf)
        if (key !== undefined)
          return (await run<EntryRow>(readKeyed, [...at, keyOf(key), bounded(from), bounded(to), bounded(last)]))
            .reverse()
            .map(entryOf)
        if (head === undefined) return readLog(from, to, last)
        const [row] = await run<EntryRow & { length: number }>(findHead, [...at, idBytes(head)])
        if (!row) throw unknownEntry(head)
        return readBranch(readLog, row.length, entryOfRow(row), range)
      })
    },
    standing: async (thread) => {
      const [row] = await ask<ThreadRow>(thread, { statement: findStanding, values: [keyOf(thread), tenant] })
      return standingOf(row)
    },
    claim: async (thread) => {
      const [row] = await ask<ThreadRow>(thread, {
        statement: claim,
        values: [keyOf(thread), tenant, nameBeside(thread)],
      })
      return standingOf(row)
    },
    list: (page) => listThreads(database, tenant, page),
    search: async (query, { thread, limit = 20 } = {}) => {
      await catchUp(database, tenant, thread)
      return transaction(database, tenant, (session) => findPhrases(session, query, thread, limit), database.long)
    },
    erase: async (thread, ids, options = {}) => {
      const erased = await transaction(
        database,
        tenant,
        (session) => erase(session, thread, ids, options),
        database.long,
      )
      return { thread, ...erased, remains: [...erasureRemains, ...remains] }
    },
    remove: (thread) => transaction(database, tenant, (session) => removeThread(session, thread), database.long),
    prune: (threads) => transaction(database, tenant, (session) => pruneThreads(session, threads), database.long),
    snapshots: createSnapshots(ask, tenant),
    segments: createSegments(database, ask, tenant),
    records: createRecords(database, ask, tenant),
    figures: (query) => figuresOf(ask, tenant, query),
    removeThreads: (removing) => removeThreads(database, tenant, removing),
  }
}
