import { MinutebookError } from 'minutebook'
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db, Job } from 'pg-boss'
import { together, type Database, type Session } from '../connection/connection.ts'
import { keyOf, nameBeside } from '../connection/key.ts'
import { statement, type Request } from '../connection/statement.ts'
import { createAlarms } from './alarms.ts'
import type { Address, Channels } from './channels.ts'
import type { Listener } from './listener.ts'
import { createLiveness } from './liveness.ts'
import { createStrangers } from './new-tenants.ts'
import { openBoss } from './open-boss.ts'
import { createSlots } from './slots.ts'

/**
 * Rings for threads that need work: pg-boss, as a queue with a lease. It holds names of threads, and nothing that was
 * said.
 */
export interface Doorbell {
  /**
   * What rings for a thread: a request to run in a transaction, and a function to call once that is committed. The
   * function has the thread run here or elsewhere; otherwise that takes up to a second. `key`: of the tenant.
   */
  bell(key: string, tenant: string, thread: string): Promise<Bell>
  /** Rings with the session's transaction. Returns what to call after the commit. */
  ring(session: Session, ringing: Ringing): Promise<(() => void) | undefined>
  /** Rings at that time, or soon after it. The returned function takes it back. `tenant`: its name. */
  ringAt(tenant: string, thread: string, time: number): Promise<() => Promise<void>>
  /**
   * Handles wake-ups for a tenant's threads, one at a time for each thread. The returned function stops that, and waits
   * for what runs.
   */
  onRing(tenant: string, run: Run): Promise<() => Promise<void>>
  /**
   * Introduces a tenant without a worker here by its name, so that its wake-ups are handled. The returned function
   * stops that, and waits for what runs.
   */
  onStranger(introduce: (tenant: string) => Promise<() => Promise<void>>): Promise<() => Promise<void>>
  /** Aborts the run of a thread, wherever that is. */
  cancel(tenant: string, thread: string, turn: string): Promise<void>
  /** Milliseconds since this instance last looked for threads that need work. Undefined: it takes up none. */
  lookedFor(): number | undefined
  close(): Promise<void>
}

export interface Bell {
  readonly request: Request
  readonly call: () => void
}

export interface Ringing {
  readonly thread: string
  /** The name of the tenant. */
  readonly tenant: string
  /** Whether everything to do was recorded before this: then a run that waits to begin will do it. */
  readonly isReminder: boolean
}

type Run = (thread: string, signal: AbortSignal) => Promise<void>

/** A book that works, and what it is at. */
interface Worker {
  readonly run: Run
  readonly active: Set<Promise<void>>
}

interface Ring {
  /** Its key; and its name as JSON, if the key does not contain it. */
  readonly tenant: string
  readonly called?: string
  /** As JSON, since jsonb takes fewer texts than a name may be. */
  readonly thread: string
}

export interface DoorbellOptions {
  readonly slots: number
  readonly group: string
  readonly onError: (error: unknown) => void
  readonly onTakeOver: () => void
}

const schema = 'minutebook_turns'
const cancelAddress: Address = ['cancel']
const notify = statement('notify')
const findWaiting = statement('waiting-ring', { table: `${schema}.job` })

export async function createDoorbell(
  database: Database,
  listener: Listener,
  channels: Channels,
  { slots: count, group: queue, onError, onTakeOver }: DoorbellOptions,
): Promise<Doorbell> {
  const boss = await openBoss(database, { schema, queue, onError })
  const ringName = `minutebook ring ${createHash('sha256').update(queue).digest('hex').slice(0, 16)}`
  const runs = new Map<string, Worker[]>()
  const running = new Map<string, AbortController>()
  const strangers = createStrangers((tenant) => runs.has(tenant))
  let closed = false
  const slots = createSlots<Ring>(boss, {
    queue,
    slots: count,
    run: (job, signal) => answer(job, signal),
    keyOf: ({ data: { tenant, thread } }) => addressOf(tenant, keyOf(JSON.parse(thread) as string)),
    onError,
  })
  const liveness = createLiveness(database, listener, { table: `${schema}.job`, queue }, async (dead) => {
    await boss.fail(queue, [...dead])
    // The next to run them may be here; others look by themselves within a second.
    slots.look()
  })
  const wakeAddress: Address = ['wake', queue]
  const ears = [
    await channels.listen(cancelAddress, (message) => {
      if (!isCancel(message)) return
      const [tenant, thread, turn] = message
      running.get(addressOf(tenant, thread))?.abort(turn)
    }),
    await channels.listen(wakeAddress, (key) => {
      if (typeof key === 'string') void slots.rung(key)
    }),
  ]
  // Wake-ups that were sent while no instance listened.
  const stopTelling = listener.onConnect(async () => slots.look())

  const answer = async (job: Job<Ring>, claimed: AbortSignal): Promise<void> => {
    const { tenant, thread, called } = job.data
    const name = JSON.parse(thread) as string
    const address = addressOf(tenant, keyOf(name))
    const controller = new AbortController()
    const letGo = liveness.hold(job)
    if (job.retryCount > 0) onTakeOver()
    running.set(address, controller)
    try {
      if (!runs.has(tenant)) await strangers.introduce(tenant, called)
      const worker = runs.get(tenant)?.at(-1)
      if (!worker)
        throw new MinutebookError(
          'no_worker',
          'No book of this tenant works on this instance, although the instance belongs to the group.',
          'Let each instance of a group work for the same tenants.',
          { tenant },
        )
      const run = worker.run(name, AbortSignal.any([controller.signal, claimed]))
      worker.active.add(run)
      await run.finally(() => worker.active.delete(run))
    } catch (error) {
      onError(error)
      // It is tried again at once, here or elsewhere: not too often.
      await pause(1000, undefined, { ref: false })
      throw error
    } finally {
      if (running.get(address) === controller) running.delete(address)
      letGo()
    }
  }
  let endAlarms = (): void => undefined
  const work = (): void => {
    if (closed)
      throw new MinutebookError('turns_closed', 'These turns were closed.', 'Make new ones with postgresTurns(pool).')
    slots.start()
    endAlarms = alarms.start()
  }
  const rest = async (): Promise<void> => {
    endAlarms()
    await slots.rest()
  }
  const bell: Doorbell['bell'] = async (key, tenant, thread) => {
    const singletonKey = addressOf(key, keyOf(thread))
    const ring: Ring = {
      tenant: key,
      thread: JSON.stringify(thread),
      ...(nameBeside(tenant) !== null && { called: JSON.stringify(tenant) }),
    }
    let request: Request | undefined
    // pg-boss writes the statement. The caller runs it, together with its own.
    const db: Db = {
      executeSql: async (text, values = []) => {
        request = { statement: { name: ringName, text }, values }
        return { rows: [{}] }
      },
    }
    await boss.send(queue, ring, { singletonKey, db })
    return { request: request!, call: () => void called(singletonKey).catch(onError) }
  }
  const ring: Doorbell['ring'] = async (session, { thread, tenant, isReminder }) => {
    const place = [queue, addressOf(session.tenant, keyOf(thread))]
    if (isReminder && (await session.run<{ waits: boolean }>(findWaiting, place))[0]?.waits) return undefined
    const { request, call } = await bell(session.tenant, tenant, thread)
    await session.run(request.statement, request.values)
    return call
  }
  const tell = async (sealed: readonly [channel: string, payload: string]): Promise<void> => {
    await together(database, '', [{ statement: notify, values: sealed }])
  }
  /** This instance first: it has read the thread just now, and who asked follows it here. */
  const called = async (key: string): Promise<void> => {
    if (closed || (await slots.rung(key))) return
    await tell(channels.sealed(wakeAddress, key))
  }
  const alarms = createAlarms(database, {
    table: `${schema}.alarm`,
    queue,
    ring: (session, tenant, thread) => ring(session, { tenant, thread, isReminder: true }),
    onError,
  })
  return {
    bell,
    ring,
    ringAt: (tenant, thread, time) => alarms.set(tenant, thread, time),
    onRing: async (tenant, run) => {
      const worker: Worker = { run, active: new Set() }
      runs.set(tenant, [...(runs.get(tenant) ?? []), worker])
      if (!slots.isAtWork) work()
      return async () => {
        const others = (runs.get(tenant) ?? []).filter((each) => each !== worker)
        if (others.length > 0) runs.set(tenant, others)
        else runs.delete(tenant)
        if (runs.size === 0 && !strangers.areWelcome) await rest()
        await Promise.allSettled(worker.active)
      }
    },
    onStranger: async (introduce) => {
      const bidFarewell = strangers.welcome(introduce)
      if (!slots.isAtWork) work()
      return async () => {
        // Nothing more is taken up for them before they go.
        if ([...runs.keys()].every((tenant) => strangers.has(tenant))) await rest()
        await bidFarewell()
      }
    },
    cancel: async (tenant, thread, turn) => {
      await tell(channels.sealed(cancelAddress, [tenant, keyOf(thread), turn]))
    },
    lookedFor: () => slots.lookedFor(),
    close: async () => {
      closed = true
      await rest()
      liveness.stop()
      stopTelling()
      for (const stop of ears) await stop()
      await boss.stop({ graceful: true, close: false })
    },
  }
}

function addressOf(tenant: string, key: string): string {
  return JSON.stringify([tenant, key])
}

function isCancel(message: unknown): message is readonly [tenant: string, thread: string, turn: string] {
  return Array.isArray(message) && message.length === 3 && message.every((part) => typeof part === 'string')
}
