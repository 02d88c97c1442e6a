import { sqliteStore } from '@minutebook/sqlite'
import { postgresStore } from '@minutebook/postgres'
import { Pool } from 'pg'
import type { Store } from 'minutebook'

export const stores = ['SQLite', 'Postgres'] as const

/** Where the logs of one size are: the path of an SQLite file, or the address of a Postgres database. */
export interface KeptIn {
  readonly name: (typeof stores)[number]
  readonly address: string
}

/** The store, for as long as this process needs it. */
export function openStore({ name, address }: KeptIn): { readonly store: Store; readonly close: () => Promise<void> } {
  if (name === 'SQLite') {
    const store = sqliteStore(address)
    return { store, close: async () => store.close() }
  }
  const pool = new Pool({ connectionString: address, pipeline: true, max: 2 })
  return { store: postgresStore(pool, { tenant: 'scale' }), close: () => pool.end() }
}
