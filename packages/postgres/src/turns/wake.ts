// How is a thread woken? Entries are appended and the bell is rung in one transaction: both, or neither.
import type { TurnQueue } from 'minutebook'
import type { AppendResult } from 'minutebook/store'
import { together, transaction, type Database } from '../connection/connection.ts'
import { failureOf, isRefused, isTaken } from '../connection/failure.ts'
import { keyOf } from '../connection/key.ts'
import { statement } from '../connection/statement.ts'
import { append, quickAppend } from '../store/append.ts'
import type { ThreadRow } from '../store/threads.ts'
import type { Doorbell } from './queue.ts'

const wasWritten = statement('was-written')

/** The queue for one tenant's threads. `tenant`: its key. */
export function createQueue(
  database: Database,
  doorbell: Doorbell,
  { tenant, name }: { readonly tenant: string; readonly name: string },
): TurnQueue {
  /** All in one round trip. Undefined if nothing was written: entries are there already, or the terms do not hold. */
  const wakeAtOnce = async (...given: Parameters<TurnQueue['wake']>): Promise<AppendResult | undefined> => {
    const [thread, entries, terms = {}] = given
    const quick = quickAppend(tenant, thread, entries, terms)
    if (!quick) return undefined
    const { request, call } = await doorbell.bell(tenant, name, thread)
    const check = { statement: wasWritten, values: [keyOf(thread), tenant] }
    try {
      const [rows = []] = await together(database, tenant, [quick.request, check, request])
      call()
      return quick.answer(rows as ThreadRow[])
    } catch (error) {
      if (isTaken(error) || isRefused(error)) return undefined
      throw failureOf(error)
    }
  }
  return {
    wake: async (thread, entries, terms = {}) => {
      const woken = await wakeAtOnce(thread, entries, terms)
      if (woken) return woken
      let call: (() => void) | undefined
      const appended = await transaction(database, tenant, async (session) => {
        const done = await append(session, thread, entries, terms)
        if ('ok' in done && done.ok)
          call = await doorbell.ring(session, { thread, tenant: name, isReminder: entries.length === 0 })
        return done
      })
      call?.()
      return appended
    },
    wakeAt: (thread, time) => doorbell.ringAt(name, thread, time),
    onWake: (run) => doorbell.onRing(tenant, run),
    cancel: (thread, turn) => doorbell.cancel(tenant, thread, turn),
  }
}
