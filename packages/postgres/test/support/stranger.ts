import { Client } from 'pg'
import { onTestFinished, type TestContext } from 'vitest'
import type { Version } from '../../../../tests/support/postgres/cluster-binaries.ts'
import { clusterDatabase, type ClusterDatabase } from '../../../../tests/support/postgres/cluster-database.ts'
import { testCluster } from '../../../../tests/support/postgres/database.ts'

/** A login of the database that was granted nothing, until the test is over. */
export interface Stranger {
  readonly client: Client
  /** What it was notified of, as channel and payload. */
  readonly heard: readonly string[]
}

/** A database of a cluster of its own: strangers are roles, which a cluster has for all of its databases. */
export async function strangerDatabase(
  context: TestContext,
  version: Version,
): Promise<ClusterDatabase & { readonly stranger: () => Promise<Stranger> }> {
  const database = await clusterDatabase(await testCluster(context, { version, durable: false }))
  await database.administer(`create role stranger login nosuperuser nobypassrls password 'stranger'`)
  const stranger = async (): Promise<Stranger> => {
    const client = new Client({
      connectionString: Object.assign(new URL(database.url), { username: 'stranger', password: 'stranger' }).href,
    })
    const heard: string[] = []
    client.on('error', () => undefined)
    client.on('notification', ({ channel, payload = '' }) => void heard.push(`${channel} ${payload}`))
    await client.connect()
    onTestFinished(() => client.end())
    return { client, heard }
  }
  return { ...database, stranger }
}
