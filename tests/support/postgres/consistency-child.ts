import { Pool } from 'pg'
import { runWriters, type Operation } from '@minutebook/testing'
import { postgresStore } from '@minutebook/postgres'
import { serialStore } from './serial-store.ts'

/**
 * One of several processes that write to the same threads until the time is up, and then say what they saw, a line for
 * each thread. Arguments: database, name of the process, number of writers, seconds, `sound` or `serial` (a store with
 * a fault).
 */
const [url, name, writers, seconds, kind] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  'sound' | 'serial',
]
const pool = new Pool({ connectionString: url, pipeline: Number(name) % 2 === 0, max: 6 })
const store = kind === 'sound' ? postgresStore(pool, { tenant: 'consistency' }) : serialStore(pool)
const end = Date.now() + Number(seconds) * 1000

/** The machine's own clock, one for all processes. */
const now = (): number => Number(process.hrtime.bigint())

for (let round = 0; Date.now() < end; round++) {
  const linked = kind === 'sound' && round % 3 === 1
  const operations: readonly Operation[] = await runWriters(store, `round ${round}`, {
    name: `${name}.`,
    writers: Number(writers),
    appends: 20,
    batch: 1 + (round % 3),
    linked,
    retryEvery: 5,
    now,
    mayFail: true,
  })
  console.log(JSON.stringify({ round, operations }))
}
await pool.end()
