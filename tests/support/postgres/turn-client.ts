import { postgresTurns } from '@minutebook/postgres'
import { openBook, type Book } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { Pool } from 'pg'

/** Whoever sends and follows, and runs nothing. */
export interface TurnClient extends AsyncDisposable {
  readonly book: Book
  readonly pool: Pool
}

export async function openClient(url: string): Promise<TurnClient> {
  const pool = new Pool({ connectionString: url, pipeline: true, max: 24 })
  const turns = await postgresTurns(pool)
  return {
    book: openBook({ ...turns.tenant(), clock: systemClock }),
    pool,
    [Symbol.asyncDispose]: async () => {
      await turns.close()
      await pool.end()
    },
  }
}
