import { Client } from 'pg'
import type { Cluster } from './cluster.ts'

/** A database on a cluster of one's own. */
export interface ClusterDatabase {
  /** As the role that owns it. */
  readonly url: string
  readonly superuserUrl: string
  /** Asks as the superuser. */
  readonly administer: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
}

export async function clusterDatabase(cluster: Cluster, name = 'book'): Promise<ClusterDatabase> {
  await ask(cluster.url, `create database ${name}`)
  const at = (url: string): string => Object.assign(new URL(url), { pathname: name }).href
  return {
    url: at(cluster.url),
    superuserUrl: at(cluster.superuserUrl),
    administer: (text) => ask(at(cluster.superuserUrl), text),
  }
}

async function ask(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
