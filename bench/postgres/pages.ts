import type { Pool } from 'pg'
import { query } from './server.ts'

/**
 * How many pages of our tables and their indexes are touched by work on this pool, which must have one connection only.
 */
export async function pagesOf(pool: Pool, superuserUrl: string, work: () => Promise<void>): Promise<number> {
  const before = await touched(pool, superuserUrl)
  await work()
  return (await touched(pool, superuserUrl)) - before
}

async function touched(pool: Pool, superuserUrl: string): Promise<number> {
  // A connection tells what it has counted only now and then, unless it is asked to.
  await pool.query('select pg_stat_force_next_flush()')
  const [row] = await query<{ pages: string }>(superuserUrl, sum)
  return Number(row!.pages)
}

const columns = ['heap_blks', 'idx_blks', 'toast_blks', 'tidx_blks'].flatMap((name) => [`${name}_read`, `${name}_hit`])
const sum = `select sum(${columns.map((column) => `coalesce(${column}, 0)`).join(' + ')}) as pages from pg_statio_user_tables where schemaname = 'minutebook'`
