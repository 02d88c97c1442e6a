import { PgBoss } from 'pg-boss'
import { locked, type Database } from '../connection/connection.ts'
import { failureOf } from '../connection/failure.ts'
import { alarmTable } from './alarms.ts'

/** Instances that make the tables of an empty database at the same moment would hinder each other. */
const startLock = 1_836_216_950

/** Seconds after its newest renewal when a job counts as left behind, and is handed to another instance. */
export const heartbeatSeconds = 10

/**
 * A failed job would block its thread, so that no job may fail for good; what fails in a turn is an entry of its log.
 */
const settings = {
  policy: 'key_strict_fifo',
  heartbeatSeconds,
  expireInSeconds: 86_399,
  retryLimit: 2 ** 31 - 1,
  retryDelay: 0,
  deleteAfterSeconds: 60,
}

export interface BossOptions {
  readonly schema: string
  readonly queue: string
  readonly onError: (error: unknown) => void
}

/** pg-boss with the queue of threads that need work. Makes its tables, and that of the alarms, if they are missing. */
export async function openBoss(database: Database, { schema, queue, onError }: BossOptions): Promise<PgBoss> {
  // Its own notifications have a channel that everybody knows: ours wake the workers.
  let limits = database.long
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.query(text, values, limits) },
    schema,
    useListenNotify: false,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    maintenanceIntervalSeconds: 60,
    schedule: false,
  })
  // It passes on copies of errors, too.
  boss.on('error', (error: unknown) =>
    onError(failureOf(error instanceof Error ? error : Object.assign(new Error('The queue of turns failed.'), error))),
  )
  try {
    // Any login of the database could hold the lock: if everything exists, no instance waits for it. On a read-only
    // server, creating the queue fails and says so.
    const {
      rows: [table],
    } = await database.query<{ usable: boolean }>(
      `select to_regclass('${schema}.job') is not null and to_regclass('${schema}.alarm') is not null and current_setting('transaction_read_only') = 'off' as usable`,
    )
    const isUsable = table?.usable === true
    const start = async (): Promise<void> => {
      await boss.start()
      if (!isUsable) await database.query(alarmTable(`${schema}.alarm`))
      if (!isUsable || (await boss.getQueue(queue)) === null) await boss.createQueue(queue, settings)
    }
    await (isUsable ? start() : locked(database, startLock, start))
    // The queue must be known by now: a caller that wakes a thread already holds a connection, and must not wait for a
    // second one.
    await boss.findJobs(queue, { key: '' })
    limits = database.usual
    return boss
  } catch (error) {
    await boss.stop({ graceful: false, close: false }).catch(() => undefined)
    throw failureOf(error)
  }
}
