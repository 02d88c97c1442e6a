import { Client } from 'pg'

export type Row = Readonly<Record<string, unknown>>

/** Asks once, on a connection of its own. */
export async function query(url: string, text: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000, query_timeout: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
