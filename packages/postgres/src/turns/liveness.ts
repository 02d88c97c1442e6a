import { together, type Database } from '../connection/connection.ts'
import { statement } from '../connection/statement.ts'
import type { Listener } from './listener.ts'

/** A job that was taken up, and how often it was before. */
export interface Attempt {
  readonly id: string
  readonly retryCount: number
}

interface Running extends Attempt {
  readonly age: number
  readonly isLocked: boolean
}

/**
 * Tells dead processes from living ones: a process holds a session lock for each job that it runs, and Postgres
 * releases the locks when the process is gone. So a running job without its lock has no process.
 */
export interface Liveness {
  /** Call it when this job begins to run here, and the returned function at its end. */
  hold(job: Attempt): () => void
  stop(): void
}

/** Milliseconds between two checks; the second number if a job was seen without its lock. */
const lookEvery = 400
const lookAgain = 150

/**
 * Milliseconds from taking a job up to locking it, at most: a busy instance needs some. A lock that was seen and is
 * gone counts at once. If an instance is gone, a job that was taken up before that must be locked within the second
 * number.
 */
const takingUp = 3000
const takingUpElsewhere = 300

/**
 * Milliseconds for which a lock outlasts its run, at least: until then the queue has noted that the job is done. No
 * process waits for it.
 */
const lingering = 2000

/**
 * Milliseconds that all instances have to come back after Postgres was away, since all locks went with it. Before that,
 * no process counts as dead.
 */
const comingBack = 1500

export function createLiveness(
  database: Database,
  listener: Listener,
  { table, queue }: { readonly table: string; readonly queue: string },
  onDead: (jobs: readonly Attempt[]) => Promise<void>,
): Liveness {
  const held = new Set<string>()
  // Each attempt has its own lock: a process that is frozen in an earlier attempt keeps that one. So no process ever
  // waits for a lock.
  const lock = (attempts: Iterable<string>): Promise<void> =>
    listener.run('select pg_try_advisory_lock(hashtextextended(attempt, 0)) from unnest($1::text[]) as attempt', [
      [...attempts],
    ])
  const unlock = (attempts: Iterable<string>): Promise<void> =>
    listener.run('select pg_advisory_unlock(hashtextextended(attempt, 0)) from unnest($1::text[]) as attempt', [
      [...attempts],
    ])
  const stopHolding = listener.onConnect(() => lock(held))
  /** What begins in one turn of the event loop is locked in one statement. */
  const beginning: string[] = []
  const lockSoon = (attempt: string): void => {
    if (beginning.push(attempt) > 1) return
    setImmediate(() => void lock(beginning.splice(0)).catch(() => undefined))
  }
  /** What has ended, since the last two times that locks were released. */
  let [ended, endedBefore]: [string[], string[]] = [[], []]
  const releasing = setInterval(() => {
    const attempts = endedBefore
    ;[ended, endedBefore] = [[], ended]
    for (const attempt of attempts) held.delete(attempt)
    if (attempts.length > 0) void unlock(attempts).catch(() => undefined)
  }, lingering).unref()
  const finding = { statement: statement('running-jobs', { table }), values: [queue] }
  const presence = createPresence(database, listener, queue)
  let seenLocked = new Set<string>()
  let suspects = new Set<string>()
  let wasAway = false
  let backSince = -Infinity
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const look = async (): Promise<void> => {
    const gone = await presence.goneFor()
    const [rows = []] = (await together(database, '', [finding])) as Running[][]
    const isOrphan = ({ age }: Running): boolean => age > takingUp || (gone > takingUpElsewhere && age > gone)
    if (wasAway) backSince = performance.now()
    wasAway = false
    if (performance.now() - backSince < comingBack) return
    const alone = rows.filter(
      (job) => !job.isLocked && !held.has(nameOf(job)) && (seenLocked.has(nameOf(job)) || isOrphan(job)),
    )
    const dead = alone.filter((job) => suspects.has(nameOf(job)))
    seenLocked = new Set(rows.map(nameOf).filter((name, index) => rows[index]!.isLocked || seenLocked.has(name)))
    suspects = new Set(alone.map(nameOf))
    if (dead.length > 0) await onDead(dead.map(({ id, retryCount }) => ({ id, retryCount })))
  }
  const lookedInVain = (): void => {
    wasAway = true
    suspects.clear()
  }
  const goOn = (): void => {
    if (stopped) return
    timer = setTimeout(
      () => {
        void look().catch(lookedInVain).finally(goOn)
      },
      suspects.size > 0 ? lookAgain : lookEvery,
    )
  }
  goOn()
  return {
    hold: (job) => {
      const attempt = nameOf(job)
      held.add(attempt)
      lockSoon(attempt)
      return () => void ended.push(attempt)
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
      clearInterval(releasing)
      stopHolding()
      presence.stop()
    },
  }
}

function nameOf({ id, retryCount }: Attempt): string {
  return `${id} ${retryCount}`
}

interface Present {
  readonly instance: string
}

const findPresent = statement('present-instances')

/** Which instances there are: each holds a session lock for as long as it lives. */
export interface Presence {
  /** Checks, and returns how many milliseconds ago an instance was last found gone; Infinity if none ever was. */
  goneFor(): Promise<number>
  stop(): void
}

function createPresence(database: Database, listener: Listener, queue: string): Presence {
  const stop = listener.onConnect(() =>
    listener.run('select pg_try_advisory_lock(hashtext($1), pg_backend_pid())', [queue]),
  )
  let known = new Set<string>()
  let goneAt = -Infinity
  return {
    goneFor: async () => {
      const [rows = []] = (await together(database, '', [{ statement: findPresent, values: [queue] }])) as Present[][]
      const present = new Set(rows.map(({ instance }) => instance))
      if ([...known].some((instance) => !present.has(instance))) goneAt = performance.now()
      known = present
      return performance.now() - goneAt
    },
    stop,
  }
}
