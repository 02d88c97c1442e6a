import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { TestContext } from 'vitest'
import { startCluster } from './cluster.ts'
import type { Cluster, ClusterOptions } from './cluster.ts'
import type { Version } from './cluster-binaries.ts'

/** `given`: the server of MINUTEBOOK_TEST_DATABASE_URL, which then takes the place of all others. */
export type Server = Version | 'given'

const given = process.env['MINUTEBOOK_TEST_DATABASE_URL'] || undefined

/** What a suite for every server goes through: `describe.each(servers)('on Postgres %s', (server) => …)`. */
export const servers: readonly Server[] = given === undefined ? [15, 18] : ['given']

export interface Database {
  /** As the role that owns the database: neither superuser nor exempt from row-level security. */
  readonly url: string
  readonly pool: pg.Pool
  /** Ends the pool and drops the database. What is left is dropped after the last test. */
  readonly drop: () => Promise<void>
}

export interface TestDatabase extends Omit<Database, 'drop'> {
  readonly server: Server
  /** One more database like this one as it was before the first test. */
  readonly fresh: () => Promise<Database>
}

/**
 * A database for the tests of a file, or of a `describe`; to be called there, not in a test. `prepare` runs once and
 * makes the template, from which this database and all fresh ones are copied.
 *
 * @example
 * const database = testDatabase({ prepare: (pool) => migrate(pool) })
 * test('answers', async () => expect((await database.pool.query('select 1')).rowCount).toBe(1))
 */
export function testDatabase(
  options: { readonly server?: Server; readonly prepare?: (pool: pg.Pool, url: string) => unknown } = {},
): TestDatabase {
  const server = given === undefined ? (options.server ?? 18) : 'given'
  const alive = new Set<Database>()
  let template: Database | undefined
  let own: Database | undefined

  const open = async (from?: string): Promise<Database> => {
    const made = await createDatabase(await serverUrl(server), from)
    const database: Database = {
      ...made,
      drop: async () => {
        if (alive.delete(database)) await made.drop()
      },
    }
    alive.add(database)
    return database
  }
  const fresh = (): Promise<Database> => open(nameIn(ready(template).url))

  beforeAll(async () => {
    template = await open()
    await options.prepare?.(template.pool, template.url)
    await endPool(template.pool)
    own = await fresh()
  })
  afterAll(async () => {
    const dropped = await Promise.allSettled([...alive].map((database) => database.drop()))
    for (const result of dropped) if (result.status === 'rejected') throw result.reason
  })

  return {
    server,
    fresh,
    get url() {
      return ready(own).url
    },
    get pool() {
      return ready(own).pool
    },
  }
}

/** A cluster for one test, to be killed and restarted. Skips the test where the server is a given one. */
export async function testCluster(context: TestContext, options: ClusterOptions): Promise<Cluster> {
  if (given !== undefined) context.skip('the server of MINUTEBOOK_TEST_DATABASE_URL is not ours to kill')
  const cluster = await startCluster(options)
  onTestFinished(() => cluster.stop())
  return cluster
}

/** Shared by all test files of a process, and ended with it. Durability is not what their tests are about. */
const shared = new Map<Version, Promise<Cluster>>()

async function serverUrl(server: Server): Promise<string> {
  if (server === 'given') return checkGiven(given ?? '')
  const cluster = shared.get(server) ?? startCluster({ version: server, durable: false })
  shared.set(server, cluster)
  return (await cluster).url
}

async function checkGiven(url: string): Promise<string> {
  const { rows } = await run(
    url,
    'select rolcreatedb and not rolsuper and not rolbypassrls as fit from pg_roles where rolname = current_user',
  )
  if ((rows[0] as { fit: boolean }).fit) return url
  throw new Error(
    'MINUTEBOOK_TEST_DATABASE_URL must name a role that may create databases and is subject to row-level security: CREATE ROLE … LOGIN CREATEDB NOSUPERUSER NOBYPASSRLS.',
  )
}

async function createDatabase(serverUrl: string, template = 'template1'): Promise<Database> {
  const name = `minutebook_test_${randomBytes(6).toString('hex')}`
  await run(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = name
  const pool = new pg.Pool({ connectionString: url.href })
  // A server that is killed or a database that is dropped ends idle connections too.
  pool.on('error', () => undefined)
  const drop = async (): Promise<void> => {
    const leaked = pool.totalCount - pool.idleCount
    if (leaked === 0) await endPool(pool)
    await dropDatabase(serverUrl, name)
    if (leaked > 0) throw new Error(`${leaked} connection(s) of the pool were taken and not released.`)
  }
  return { url: url.href, pool, drop }
}

/** While the server itself vacuums in there, nobody may end that; it is done soon. */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (let tries = 100; ; tries--) {
    try {
      return void (await run(serverUrl, `drop database ${name} with (force)`))
    } catch (error) {
      if ((error as { code?: string }).code !== insufficientPrivilege || tries === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

const insufficientPrivilege = '42501'

async function endPool(pool: pg.Pool): Promise<void> {
  if (!pool.ended) await pool.end()
}

async function run(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

function nameIn(url: string): string {
  return new URL(url).pathname.slice(1)
}

function ready<T>(value: T | undefined): T {
  if (value === undefined)
    throw new Error(
      'The database is made before the first test: use it in a test or in a hook, not while the file is read.',
    )
  return value
}
