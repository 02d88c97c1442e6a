import type { Pool, PoolClient } from 'pg'
import { failureOf, isUndone } from './failure.ts'
import { roundTrip } from './round-trip.ts'
import { statement, type Request, type Statement } from './statement.ts'

/** A connection inside of a transaction, in which only rows of one tenant can be seen. */
export interface Session {
  readonly tenant: string
  readonly run: <Row>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>
  /** The connection itself, for what others do in the same transaction. */
  readonly client: PoolClient
}

/** What work answers that is to leave no trace. */
export interface Undo<T> {
  readonly undo: T
}

const setTenant = statement('tenant')
const findTable = statement('has-table')
const begin: Request = { statement: { name: 'minutebook begin', text: 'begin' }, values: [] }

/** Runs work in its own transaction. It is rolled back if the work throws, or returns `undo`. */
export async function transaction<T extends object>(
  pool: Pool,
  tenant: string,
  work: (session: Session) => Promise<T | Undo<T>>,
): Promise<T> {
  const client = await connect(pool)
  let broken = false
  try {
    await roundTrip(client, [begin, { statement: setTenant, values: [tenant] }])
    const answer = await work(sessionOf(client, tenant))
    if ('undo' in answer) {
      await client.query('rollback')
      return answer.undo
    }
    await client.query('commit')
    return answer
  } catch (error) {
    await client.query('rollback').catch(() => (broken = true))
    throw failureOf(error)
  } finally {
    client.release(broken)
  }
}

/** Runs statements in one transaction and one round trip: all of them or none. */
export async function together(pool: Pool, tenant: string, requests: readonly Request[]): Promise<unknown[][]> {
  const client = await connect(pool)
  let broken = false
  try {
    const [, ...answers] = await roundTrip(client, [{ statement: setTenant, values: [tenant] }, ...requests])
    return answers
  } catch (error) {
    broken = !isUndone(error)
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * A connection of the pool. One that breaks fails what is asked of it; it says so a second time, which would end the
 * process.
 */
export async function connect(pool: Pool): Promise<PoolClient> {
  try {
    const client = await pool.connect()
    if (!client.listeners('error').includes(ignore)) client.on('error', ignore)
    return client
  } catch (error) {
    throw failureOf(error)
  }
}

function ignore(): void {}

const survivors = new WeakSet<Pool>()

/** A connection that breaks while it is idle would end the process. The user of the next connection gets the error. */
export function surviveIdleFailures(pool: Pool): void {
  if (survivors.has(pool)) return
  survivors.add(pool)
  pool.on('error', ignore)
}

/** Whether the database has a table yet: one of a version before, which others still use, may lack it. */
export async function hasTable(session: Session, name: string): Promise<boolean> {
  const [row] = await session.run<{ there: boolean }>(findTable, [`minutebook.${name}`])
  return row?.there === true
}

function sessionOf(client: PoolClient, tenant: string): Session {
  return {
    tenant,
    client,
    run: async <Row>(asked: Statement, values: readonly unknown[]) => {
      const [rows] = await roundTrip(client, [{ statement: asked, values }])
      return rows as Row[]
    },
  }
}

/** Does something that only one instance may do at a time: the others wait. `lock` is any number, the same for all. */
export async function locked<T>(pool: Pool, lock: number, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool)
  let broken = false
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    try {
      return await work(client)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lock]).catch(() => (broken = true))
    }
  } catch (error) {
    throw failureOf(error)
  } finally {
    client.release(broken)
  }
}
