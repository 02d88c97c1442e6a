import { migrate } from '@minutebook/postgres'
import pg from 'pg'
import { startCluster, type Cluster } from '../../tests/support/postgres/cluster.ts'

/** A durable Postgres of our own, for as long as this process lives. */
export interface Server {
  readonly cluster: Cluster
  /** A migrated database: its address as the plain role, which row-level security holds, and as the superuser. */
  readonly database: (name: string) => Promise<Database>
}

export interface Database {
  readonly url: string
  readonly superuserUrl: string
}

/** What a small server of one's own would be given. Checkpoints are far apart, so that they do not fall on one side. */
export const settings = { shared_buffers: '2GB', max_wal_size: '8GB', checkpoint_timeout: '30min' } as const

export async function startServer(folder: string | undefined): Promise<Server> {
  const cluster = await startCluster({ version: 15, durable: true, settings, ...(folder !== undefined && { folder }) })
  return {
    cluster,
    database: async (name) => {
      await query(cluster.url, `create database ${name}`)
      const url = within(cluster.url, name)
      const pool = new pg.Pool({ connectionString: url, max: 1 })
      await migrate(pool)
      await pool.end()
      return { url, superuserUrl: within(cluster.superuserUrl, name) }
    },
  }
}

/** The rows of one statement, on a connection of its own. */
export async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

function within(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = database
  return address.href
}
