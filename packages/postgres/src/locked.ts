import type { Pool, PoolClient } from 'pg'
import { failureOf } from './failure.ts'
import { connect } from './session.ts'

/** Does something that only one instance may do at a time: the others wait. `lock` is any number, the same for all. */
export async function locked<T>(pool: Pool, lock: number, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool)
  let broken = false
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    try {
      return await work(client)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lock]).catch(() => (broken = true))
    }
  } catch (error) {
    throw failureOf(error)
  } finally {
    client.release(broken)
  }
}
