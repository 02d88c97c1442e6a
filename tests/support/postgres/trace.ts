import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { MinutebookError } from 'minutebook'
import type { Pool } from 'pg'
import { failureOf } from '../../../packages/postgres/src/connection/failure.ts'

/** What an instance did. */
export interface Deed {
  readonly id: string
  readonly what: string
  readonly message: string
}

/** Where instances write down what they do, beside the log. */
export const traceTable =
  'create table trace (id uuid primary key, number bigserial unique, instance text, what text, message text, at timestamptz default clock_timestamp())'

/** Writes down what is done, once, however often that must be tried; resolves when it is acknowledged. */
export async function trace(pool: Pool, instance: string, what: string, message: string): Promise<Deed> {
  const id = randomUUID()
  for (;;) {
    try {
      await pool.query(
        'insert into trace (id, instance, what, message) values ($1, $2, $3, $4) on conflict (id) do nothing',
        [id, instance, what, message],
      )
      return { id, what, message }
    } catch (error) {
      if (!isPassing(failureOf(error))) throw error
      await pause(100)
    }
  }
}

function isPassing(error: unknown): boolean {
  return MinutebookError.isInstance(error) && (error.code === 'store_unreachable' || error.code === 'store_readonly')
}
