import { postgresTurns } from '@minutebook/postgres'
import { openBook, type Book } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { Pool } from 'pg'
import { onTestFinished } from 'vitest'

/** Where the instances of a fleet write down what they do, beside the log. */
export const traceTable = 'create table trace (number bigserial, instance text, what text, message text, at timestamptz default clock_timestamp())'

/** A book that sends and follows, and runs nothing: models and tools are where turns are run. */
export async function crashClient(url: string): Promise<Book> {
  const pool = new Pool({ connectionString: url, pipeline: true, max: 24 })
  const turns = await postgresTurns(pool)
  onTestFinished(async () => {
    await turns.close()
    await pool.end()
  })
  return openBook({ ...turns.tenant(), clock: systemClock })
}
