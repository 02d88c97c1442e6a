import { Socket } from 'node:net'
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import { failureOf, isUndone, poolBusyError } from './failure.ts'
import { limitedQuery, type Limits } from './limited-query.ts'
import { roundTrip } from './round-trip.ts'
import { statement, type Request, type Statement } from './statement.ts'

/** A pool whose connections are waited for only so long. */
export interface Database {
  readonly pool: Pool
  /** What is asked in requests and loops. */
  readonly usual: Limits
  /** What grows with the size of a thread or a tenant: to erase, remove, prune, search, and read whole threads. */
  readonly long: Limits
  /**
   * A text as the driver sends it, in one round trip. With values it is one statement; without, it may be several, and
   * open and end a transaction. The limits count in Postgres, too, except for what may run in no transaction. Rejects
   * with the driver's error.
   */
  query<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
    limits?: Limits,
  ): Promise<{ readonly rows: Row[] }>
}

/** Milliseconds that a statement may take. */
const usualTimeout = 10_000

/** How many times longer long work may take. */
const longer = 12

/** Milliseconds for what Postgres answers at the end of a limit to arrive here. */
const grace = 2500

/** A statement that waits for a lock ends because of the lock: that limit is shorter. */
function limitsOf(timeout: number): Limits {
  return { statement: timeout, lock: Math.ceil(timeout * 0.8), silence: timeout + grace }
}

/** Of a migration: each of its steps may rewrite a table, and waits for other instances that migrate. */
const migrationLimits = limitsOf(3_600_000)

/** `timeout`: milliseconds that one statement may take. */
export function databaseOf(pool: Pool, timeout: number = usualTimeout): Database {
  const database: Database = {
    pool,
    usual: limitsOf(timeout),
    long: limitsOf(timeout * longer),
    query: async <Row extends QueryResultRow>(
      text: string,
      values: readonly unknown[] = [],
      limits = database.usual,
    ) => {
      const client = await connect(database, limits)
      let broken = false
      try {
        return { rows: await limitedQuery<Row>(client, limits, text, values) }
      } catch (error) {
        // A text without values may have left a transaction open.
        broken = values.length === 0 || !isUndone(error)
        throw error
      } finally {
        release(database, client, broken)
      }
    },
  }
  surviveIdleFailures(pool)
  return database
}

/** A connection inside of a transaction, in which only rows of one tenant can be seen. */
export interface Session {
  readonly tenant: string
  readonly run: <Row>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>
}

/** What work answers that is to leave no trace. */
export interface Undo<T> {
  readonly undo: T
}

const setTenant = statement('tenant')
const findTable = statement('has-table')
const begin: Request = { statement: { name: 'minutebook begin', text: 'begin' }, values: [] }

/** What a transaction must know first: whose rows it may see, and how long it may take. */
function opening(tenant: string, { statement: longest, lock }: Limits): Request {
  return { statement: setTenant, values: [tenant, String(longest), String(lock)] }
}

/** Runs work in its own transaction. It is rolled back if the work throws, or returns `undo`. */
export async function transaction<T extends object>(
  database: Database,
  tenant: string,
  work: (session: Session) => Promise<T | Undo<T>>,
  limits: Limits = database.usual,
): Promise<T> {
  const client = await connect(database)
  let broken = false
  try {
    // A dead connection shows itself here, however long the work may take.
    await roundTrip(client, [begin, opening(tenant, limits)])
    limitSilence(client, limits)
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
    release(database, client, broken)
  }
}

/** Runs statements in one transaction and one round trip: all of them or none. */
export async function together(database: Database, tenant: string, requests: readonly Request[]): Promise<unknown[][]> {
  const limits = requests.some(({ isLong }) => isLong) ? database.long : database.usual
  const client = await connect(database, limits)
  let broken = false
  try {
    const [, ...answers] = await roundTrip(client, [opening(tenant, limits), ...requests])
    return answers
  } catch (error) {
    broken = !isUndone(error)
    throw error
  } finally {
    release(database, client, broken)
  }
}

/** When a connection of a pool was last given up because of its silence, by `performance.now()`. */
const silences = new WeakMap<Pool, number>()
/** When one of the connections of a pool last answered. */
const signs = new WeakMap<Pool, number>()
/** When each connection was last seen to answer. By its stream, which is one object however its pool wraps it. */
const answers = new WeakMap<object, number>()

/**
 * A connection of the pool. One that breaks fails what is asked of it; it says so a second time, which would end the
 * process. It is closed if it is silent for too long: see `limitSilence`. Give it back with `release`.
 */
export async function connect({ pool, usual }: Database, limits: Limits = usual): Promise<PoolClient> {
  for (;;) {
    const client = await take(pool, usual.silence)
    const { stream } = client.connection
    if (!client.listeners('error').includes(ignore)) client.on('error', ignore)
    const answered = answers.get(stream)
    if (answered === undefined) introduce(pool, client)
    if (answered === undefined || answered > (silences.get(pool) ?? -Infinity)) {
      limitSilence(client, limits)
      return client
    }
    // Where one connection fell silent, those that were idle then are most likely dead, too: none is waited for again.
    stream.destroy()
    client.release(true)
  }
}

/** The pool may have no limit of its own for a connection to be made or to become free. */
async function take(pool: Pool, patience: number): Promise<PoolClient> {
  const began = performance.now()
  const taking = pool.connect()
  let timer: NodeJS.Timeout | undefined
  let isLate = false
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true
      reject(silenceError())
    }, patience)
  })
  try {
    return await Promise.race([taking, late])
  } catch (error) {
    if (isLate) void taking.then((client) => client.release()).catch(ignore)
    // Postgres answers on others: they are only in use.
    const isBusy = isLate || (error instanceof Error && error.message === waitedInVain)
    throw isBusy && (signs.get(pool) ?? -Infinity) > began ? poolBusyError() : failureOf(error)
  } finally {
    clearTimeout(timer)
  }
}

/** What the driver's pool says, without a code, if no connection became free. */
const waitedInVain = 'timeout exceeded when trying to connect'

/** Postgres has answered on a connection of this pool just now. */
export function noteAnswer(pool: Pool): void {
  signs.set(pool, performance.now())
}

function introduce(pool: Pool, { connection: { stream } }: PoolClient): void {
  answers.set(stream, performance.now())
  if (!(stream instanceof Socket)) return
  stream.on('timeout', () => {
    const { bytesRead } = stream
    // This process may have been busy or frozen itself: what came meanwhile is read before this is called.
    setImmediate(() => {
      if (stream.bytesRead > bytesRead || !stream.timeout) return
      silences.set(pool, performance.now())
      stream.destroy(silenceError())
    })
  })
}

/** As the system says it of a connection. */
function silenceError(): Error {
  return Object.assign(new Error('Postgres was silent for too long.'), { code: 'ETIMEDOUT' })
}

/**
 * From now on the connection is closed once nothing was sent or received on it for so long: then what was asked on it
 * fails, and its pool makes another one. Undefined: it may be silent.
 */
export function limitSilence({ connection: { stream } }: PoolClient, limits: Limits | undefined): void {
  if (stream instanceof Socket) stream.setTimeout(limits?.silence ?? 0)
}

/** Gives a connection back to its pool, which closes a broken one. */
export function release({ pool }: Pick<Database, 'pool'>, client: PoolClient, broken: boolean): void {
  limitSilence(client, undefined)
  if (!broken) {
    answers.set(client.connection.stream, performance.now())
    noteAnswer(pool)
  }
  client.release(broken)
}

function ignore(): void {}

const survivors = new WeakSet<Pool>()

/** A connection that breaks while it is idle would end the process. The user of the next connection gets the error. */
function surviveIdleFailures(pool: Pool): void {
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
    run: async <Row>(asked: Statement, values: readonly unknown[]) => {
      const [rows] = await roundTrip(client, [{ statement: asked, values }])
      return rows as Row[]
    },
  }
}

/**
 * Does something that only one instance may do at a time: the others wait. `lock` is any number, the same for all. It
 * has the limits of a migration; `begin` opens a transaction with them.
 */
export async function locked<T>(
  database: Database,
  lock: number,
  work: (client: PoolClient, begin: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const client = await connect(database, migrationLimits)
  const openTransaction = async (): Promise<void> => {
    await roundTrip(client, [begin, opening('', migrationLimits)])
  }
  let broken = false
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    try {
      return await work(client, openTransaction)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lock]).catch(() => (broken = true))
    }
  } catch (error) {
    throw failureOf(error)
  } finally {
    release(database, client, broken)
  }
}
