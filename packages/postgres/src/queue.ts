import type { TurnQueue } from 'minutebook'
import type { Pool } from 'pg'
import { appendIn, append } from './append.ts'
import type { Doorbell } from './doorbell.ts'
import { isTaken } from './failure.ts'
import { transaction } from './session.ts'

/** The queue for one tenant's threads. `tenant`: its key. */
export function createQueue(
  pool: Pool,
  doorbell: Doorbell,
  { tenant, name }: { readonly tenant: string; readonly name: string },
): TurnQueue {
  return {
    wake: async (thread, entries, terms = {}) => {
      const wake = (appending: typeof append): ReturnType<TurnQueue['wake']> =>
        transaction(pool, tenant, async (session) => {
          const appended = await appending(session, thread, entries, terms)
          if ('ok' in appended && appended.ok)
            await doorbell.ring(session, { thread, tenant: name, isReminder: entries.length === 0 })
          return appended
        })
      try {
        return await wake(appendIn)
      } catch (error) {
        if (!isTaken(error)) throw error
        return wake(append)
      }
    },
    onWake: (run) => doorbell.onRing(tenant, run),
    cancel: (thread, turn) => doorbell.cancel(tenant, thread, turn),
  }
}
