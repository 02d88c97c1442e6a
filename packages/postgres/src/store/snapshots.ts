import type { Snapshot, Snapshots } from 'minutebook/store'
import { together, type Database } from '../connection/connection.ts'
import { failureOf, isTimedOut, isUndone } from '../connection/failure.ts'
import { keyOf } from '../connection/key.ts'
import { statement, type Request } from '../connection/statement.ts'
import { bounded } from './threads.ts'

const saveSnapshot = statement('save-snapshot')
const loadSnapshot = statement('load-snapshot')

export function createSnapshots(ask: Ask, tenant: string): Snapshots {
  return {
    save: async (thread, name, { id, seq, value }, { erasures, only = false } = {}) => {
      await ask(thread, {
        statement: saveSnapshot,
        values: [keyOf(thread), tenant, keyOf(name), seq, JSON.stringify({ id, seq, value }), erasures ?? null, only],
      })
    },
    load: async (thread, name, to = Infinity) => {
      const [row] = await ask<{ value: string }>(thread, {
        statement: loadSnapshot,
        values: [keyOf(thread), tenant, keyOf(name), bounded(to)],
      })
      return row && (JSON.parse(row.value) as Snapshot)
    },
  }
}

/**
 * Sends requests about threads (null: about no single one). Requests about one thread that are made before any answer
 * is awaited go out together: on one connection, in one transaction. If one of them fails, each is tried alone, in
 * order; but not if one took too long, for then each of the others could take as long again.
 */
export type Ask = <Row>(thread: string | null, request: Request) => Promise<Row[]>

interface Batch {
  readonly requests: Request[]
  readonly answers: Promise<unknown[][]>
  /** The last of those that are tried alone; never fails. */
  alone: Promise<unknown>
}

export function createBatches(database: Database, tenant: string): Ask {
  const gathering = new Map<string | null, Batch>()

  const gather = (thread: string | null): Batch => {
    const requests: Request[] = []
    const answers = Promise.resolve().then(() => {
      gathering.delete(thread)
      return together(database, tenant, requests)
    })
    const batch = { requests, answers, alone: Promise.resolve() }
    gathering.set(thread, batch)
    return batch
  }
  return async <Row>(thread: string | null, request: Request): Promise<Row[]> => {
    const batch = gathering.get(thread) ?? gather(thread)
    const { requests, answers } = batch
    const place = requests.push(request) - 1
    try {
      return (await answers)[place] as Row[]
    } catch (error) {
      if (requests.length === 1 || !isUndone(error) || isTimedOut(error)) throw failureOf(error)
    }
    const trying = batch.alone.then(() => together(database, tenant, [request]))
    batch.alone = trying.catch(() => undefined)
    const [answer] = await trying.catch((error: unknown) => {
      throw failureOf(error)
    })
    return answer as Row[]
  }
}
