import type { Pool, PoolClient } from 'pg'

/** Runs `around` in place of what is asked on connections that are taken from a pool from now on, until it is ended. */
export function aroundQueries(pool: Pool, around: (asked: unknown, query: () => unknown) => unknown): () => void {
  const known = new WeakSet<PoolClient>()
  let isOver = false
  pool.on('acquire', (client) => {
    if (known.has(client)) return
    known.add(client)
    const query = client.query.bind(client) as (...asked: readonly unknown[]) => unknown
    Object.assign(client, {
      query: (...asked: readonly unknown[]) => (isOver ? query(...asked) : around(asked[0], () => query(...asked))),
    })
  })
  return () => void (isOver = true)
}
