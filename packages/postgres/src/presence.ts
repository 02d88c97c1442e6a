import type { Pool } from 'pg'
import type { Listener } from './listener.ts'
import { statement } from './statement.ts'

const findPresent = statement('present-instances')

/** Which instances there are: each holds a session lock for as long as it lives. */
export interface Presence {
  /** Looks, and says how many milliseconds ago an instance was last found gone; Infinity where none ever was. */
  goneFor(): Promise<number>
  stop(): void
}

export function createPresence(pool: Pool, listener: Listener, queue: string): Presence {
  const stop = listener.onConnect(() =>
    listener.run('select pg_try_advisory_lock(hashtext($1), pg_backend_pid())', [queue]),
  )
  let known = new Set<string>()
  let goneAt = -Infinity
  return {
    goneFor: async () => {
      const { rows } = await pool.query<{ readonly instance: string }>({ ...findPresent, values: [queue] })
      const present = new Set(rows.map(({ instance }) => instance))
      if ([...known].some((instance) => !present.has(instance))) goneAt = performance.now()
      known = present
      return performance.now() - goneAt
    },
    stop,
  }
}
