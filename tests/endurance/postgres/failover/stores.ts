import { postgresStore, type PostgresStore } from '@minutebook/postgres'
import { Pool } from 'pg'

export interface Stores extends AsyncDisposable {
  readonly at: (url: string) => PostgresStore
}

export function openStores(): Stores {
  const pools: Pool[] = []
  return {
    at: (url) => {
      const pool = new Pool({ connectionString: url, pipeline: true, max: 12, connectionTimeoutMillis: 3000 })
      pools.push(pool)
      return postgresStore(pool)
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all(pools.map((pool) => pool.end()))),
  }
}
