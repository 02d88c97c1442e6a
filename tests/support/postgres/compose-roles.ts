import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestContext } from 'vitest'
import type { Version } from './cluster-binaries.ts'
import { testCluster } from './database.ts'

const script = fileURLToPath(new URL('../../../deploy/roles.sql', import.meta.url))
const psql = '/usr/lib/postgresql/15/bin/psql'

/** A database as `deploy/` makes it, before anybody has migrated it. */
export interface ComposeDatabase {
  readonly superuser: string
  readonly owner: string
  readonly app: string
  /** As another role of the server. */
  readonly as: (user: string, password: string) => string
}

/** Runs the script of `deploy/` as the image of Postgres does, on a cluster of its own. */
export async function composeDatabase(context: TestContext, version: Version): Promise<ComposeDatabase> {
  if (!existsSync(psql)) context.skip('psql 15 is not installed')
  const cluster = await testCluster(context, { version, durable: false })
  await askAs(cluster.superuserUrl, 'create database minutebook')
  const at = new URL(cluster.superuserUrl)
  const environment = {
    PATH: '/usr/bin:/bin',
    PGPASSWORD: at.password,
    PGHOST: at.hostname,
    PGPORT: at.port,
    OWNER_PASSWORD: `owner's "own"`,
    APP_PASSWORD: 'app',
  }
  const { status, stderr } = spawnSync(
    psql,
    ['--no-psqlrc', '--quiet', '--username', at.username, '--dbname', 'minutebook', '--file', script],
    { env: environment, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`deploy/roles.sql failed: ${stderr}`)
  const as = (user: string, password: string): string =>
    Object.assign(new URL(cluster.superuserUrl), { username: user, password, pathname: 'minutebook' }).href
  return {
    superuser: as(at.username, at.password),
    owner: as('minutebook_owner', environment.OWNER_PASSWORD),
    app: as('minutebook_app', environment.APP_PASSWORD),
    as,
  }
}

/** One statement on a connection of its own. */
export async function askAs<Row extends object>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
