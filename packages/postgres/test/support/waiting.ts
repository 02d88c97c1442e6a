import type { Pool } from 'pg'

/** Resolves when so many connections to the database wait for a lock. */
export async function waiting(pool: Pool, count: number): Promise<void> {
  const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  for (let tries = 0; tries < 2000; tries++) {
    if ((await pool.query(text)).rowCount === count) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`There are no ${count} connections that wait for a lock.`)
}
