import { together, transaction, type Database, type Session } from '../connection/connection.ts'
import { failureOf } from '../connection/failure.ts'
import { keyOf, nameBeside, nameFrom } from '../connection/key.ts'
import { requestOf, statement, type Request } from '../connection/statement.ts'

/**
 * Threads that are to be woken at a time. They have a table of their own, with its times in order: the queue would look
 * at each of them every few seconds, however far away their times are.
 */
export interface Alarms {
  /** Keeps an alarm. The returned function takes it back. */
  set(tenant: string, thread: string, time: number): Promise<() => Promise<void>>
  /** From now on, this instance rings for alarms that are due. The returned function ends that. */
  start(): () => void
}

export interface AlarmOptions {
  /** The name of the table. */
  readonly table: string
  readonly queue: string
  /** Rings for a thread in the transaction that takes its alarm. Both are names. Returns what must be called after the commit. */
  readonly ring: (session: Session, tenant: string, thread: string) => Promise<(() => void) | undefined>
  readonly onError: (error: unknown) => void
}

/** What makes the table. */
export function alarmTable(table: string): string {
  return statement('create-alarms', { table }).text
}

interface TakenAlarm {
  readonly tenant: string
  readonly thread: string
  readonly tenant_name: string | null
  readonly thread_name: string | null
}

export function createAlarms(database: Database, { table, queue, ring, onError }: AlarmOptions): Alarms {
  const [setAlarm, clearAlarm, takeAlarms] = ['set-alarm', 'clear-alarm', 'take-alarms'].map((name) =>
    statement(name, { table }),
  )
  const take = async (): Promise<{ readonly count: number }> => {
    const calls: ((() => void) | undefined)[] = []
    const taken = await transaction(database, '', async (session) => {
      const { statement: taking, values } = requestOf(takeAlarms!, { queue })
      const taken = await session.run<TakenAlarm>(taking, values)
      for (const { tenant, thread, tenant_name: tenantName, thread_name: threadName } of taken)
        calls.push(await ring({ ...session, tenant }, nameFrom(tenant, tenantName), nameFrom(thread, threadName)))
      return { count: taken.length }
    })
    for (const call of calls) call?.()
    return taken
  }
  const takeAll = async (isOver: () => boolean): Promise<void> => {
    for (let count = 1; count > 0 && !isOver();) ({ count } = await take())
  }
  return {
    set: async (tenant, thread, time) => {
      const values = {
        queue,
        at: new Date(time),
        tenant: keyOf(tenant),
        thread: keyOf(thread),
        tenant_name: nameBeside(tenant),
        thread_name: nameBeside(thread),
      }
      await run(database, requestOf(setAlarm!, values))
      return () => run(database, requestOf(clearAlarm!, values))
    },
    start: () => {
      let isOver = false
      let timer: NodeJS.Timeout | undefined
      const look = (): void => {
        timer = setTimeout(() => {
          takeAll(() => isOver)
            .catch(onError)
            .finally(() => isOver || look())
        }, lookEvery)
      }
      look()
      return () => {
        isOver = true
        clearTimeout(timer)
      }
    },
  }
}

/** Milliseconds. */
const lookEvery = 1000

async function run(database: Database, request: Request): Promise<void> {
  await together(database, '', [request]).catch((error: unknown) => {
    throw failureOf(error)
  })
}
