// Which threads does this instance run? One reader takes up as many jobs as there are free slots, for all of them in one
// statement, and tells the queue what became of them.
import type { Job, PgBoss } from 'pg-boss'
import { heartbeatSeconds } from './open-boss.ts'

export interface SlotOptions<Data> {
  readonly queue: string
  /** How many jobs run at once. */
  readonly slots: number
  /**
   * Runs a job. The signal aborts when the job is no longer this instance's, or may soon be another's because it could not
   * be renewed. If the run fails, the job is tried again.
   */
  readonly run: (job: Job<Data>, signal: AbortSignal) => Promise<void>
  /** Jobs with the same key run one after the other. */
  readonly keyOf: (job: Job<Data>) => string
  readonly onError: (error: unknown) => void
}

export interface Slots {
  /** A job with this key waits. Returns false if it did not begin here, so that others must be told. */
  rung(key: string): Promise<boolean>
  /** Something may wait. */
  look(): void
  start(): void
  /** Takes up nothing more, and waits for what runs. */
  rest(): Promise<void>
  readonly isAtWork: boolean
  /** Milliseconds since the queue was last looked into, or all slots were busy. Undefined: nothing is taken up. */
  lookedFor(): number | undefined
}

/** Milliseconds between two looks, for a lease that ran out rings no bell; and between two signs of life of all jobs. */
const lookEvery = 1000
const touchEvery = 3000
/** Milliseconds since its newest renewal after which a job is given up here. It is checked with every look. */
const lapse = heartbeatSeconds * 1000 - lookEvery

/** Keys for which rings are counted. What is beyond that is found by looking every second. */
const mostRings = 10_000

interface Running<Data> {
  readonly job: Job<Data>
  readonly key: string
  readonly controller: AbortController
  /** When the newest renewal that reached the queue was sent, by the clock of this process. */
  renewed: number
}

export function createSlots<Data>(boss: PgBoss, { queue, slots, run, keyOf, onError }: SlotOptions<Data>): Slots {
  const running = new Map<string, Running<Data>>()
  const active = new Set<Promise<void>>()
  /** The keys of what runs; and how many jobs of a key were rung for and not taken up: some wait for the one that runs. */
  const keys = new Set<string>()
  const rings = new Map<string, number>()
  let isAtWork = false
  /** Whether the last look found as many as it could take: then more may wait. */
  let isFull = false
  let looking: Promise<ReadonlySet<string>> | undefined
  let looks: NodeJS.Timeout | undefined
  /** What keeps jobs, or gives them up: for as long as one runs. */
  let keeping: NodeJS.Timeout[] = []
  let over: Job<Data>[] = []
  let settling: Promise<void> | undefined
  let lookedAt = 0

  const take = async (): Promise<ReadonlySet<string>> => {
    const free = slots - active.size
    isFull = free <= 0
    if (free <= 0) lookedAt = performance.now()
    if (!isAtWork || free <= 0) return new Set()
    const before = [...rings]
    const fetched = performance.now()
    let hasAnswered = true
    const jobs = await boss.fetch<Data>(queue, { batchSize: free }).catch((error: unknown) => {
      hasAnswered = false
      onError(error)
      return []
    })
    if (hasAnswered) lookedAt = performance.now()
    isFull = jobs.length >= free
    for (const job of jobs) begin(job, fetched)
    // A job that was rung for before, and is not here, runs elsewhere.
    if (!isFull) for (const [key, count] of before) if (!keys.has(key) && rings.get(key) === count) rings.delete(key)
    return new Set(jobs.map(keyOf))
  }
  const begin = (job: Job<Data>, renewed: number): void => {
    const each = { job, key: keyOf(job), controller: new AbortController(), renewed }
    running.set(job.id, each)
    keys.add(each.key)
    countRing(each.key, -1)
    const done = perform(each).finally(() => active.delete(done))
    active.add(done)
  }
  const perform = async ({ job, key, controller }: Running<Data>): Promise<void> => {
    try {
      // Fetched while the work ended: it goes back to the queue, to be taken up elsewhere.
      if (!isAtWork) throw new Error('This instance takes up no more work.')
      await run(job, controller.signal)
      await noted(job)
    } catch (error) {
      await boss.fail(queue, [job], error instanceof Error ? error : new Error('The run failed.')).catch(onError)
    }
    running.delete(job.id)
    keys.delete(key)
    if (rings.has(key) || isFull) setImmediate(look)
  }
  const countRing = (key: string, by: number): void => {
    const count = (rings.get(key) ?? 0) + by
    if (count > 0 && (rings.has(key) || rings.size < mostRings)) rings.set(key, count)
    else rings.delete(key)
  }
  /** Jobs that end in one turn of the event loop are noted in one statement, and so are those that end while it runs. */
  const noted = (job: Job<Data>): Promise<void> => {
    over.push(job)
    return (settling ??= new Promise(setImmediate).then(settleAll))
  }
  const settleAll = async (): Promise<void> => {
    const jobs = over
    over = []
    settling = undefined
    await boss.complete(queue, jobs).catch(onError)
  }
  /** One look at a time. What is rung meanwhile waits for the next look, which is one for all. */
  let following: Promise<ReadonlySet<string>> | undefined
  const lookOnce = (): Promise<ReadonlySet<string>> => {
    if (!looking) return (looking = take().finally(() => (looking = undefined)))
    return (following ??= looking
      .catch(() => undefined)
      .then(() => {
        following = undefined
        return lookOnce()
      }))
  }
  const look = (): void => {
    if (isAtWork) void lookOnce()
  }
  const touch = async (): Promise<void> => {
    const held = [...running.values()].filter(({ controller }) => !controller.signal.aborted)
    if (held.length === 0) return
    const sent = performance.now()
    const answer = await boss.touch(
      queue,
      held.map(({ job }) => job),
    )
    // pg-boss says which it touched, although its types do not.
    const { settled: kept } = answer as { readonly settled?: readonly string[] }
    for (const each of held)
      if (!kept || kept.includes(each.job.id)) each.renewed = sent
      else each.controller.abort()
  }
  const giveUpLapsed = (): void => {
    const now = performance.now()
    for (const { controller, renewed } of running.values()) if (now - renewed >= lapse) controller.abort()
  }
  return {
    rung: async (key) => {
      if (!isAtWork) return false
      countRing(key, 1)
      if (keys.has(key)) return true
      if (active.size < slots && (await lookOnce()).has(key)) return true
      // It may have begun with a look that was under way.
      return keys.has(key)
    },
    look,
    start: () => {
      isAtWork = true
      lookedAt = performance.now()
      looks = setInterval(look, lookEvery)
      keeping.push(
        setInterval(giveUpLapsed, lookEvery),
        setInterval(() => void touch().catch(onError), touchEvery),
      )
      look()
    },
    rest: async () => {
      isAtWork = false
      clearInterval(looks)
      const kept = keeping
      keeping = []
      await looking
      await Promise.allSettled(active)
      for (const timer of kept) clearInterval(timer)
    },
    lookedFor: () => (isAtWork ? performance.now() - lookedAt : undefined),
    get isAtWork() {
      return isAtWork
    },
  }
}
