import fc from 'fast-check'
import type { Job, PgBoss } from 'pg-boss'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cases } from '../../../tests/support/runs.ts'
import { createSlots } from '../src/turns/slots.ts'

interface Data {
  readonly key: string
  readonly number: number
}

/** A queue that hands out the first job of each key of which none is active, and counts its statements. */
function createFakeBoss(): {
  readonly boss: PgBoss
  readonly jobs: Job<Data>[]
  readonly counts: Record<string, number>
} {
  const jobs: Job<Data>[] = []
  const active = new Set<Job<Data>>()
  const counts = { fetch: 0, complete: 0, fail: 0 }
  const counted = async (what: keyof typeof counts): Promise<void> => {
    counts[what]++
    await new Promise(setImmediate)
  }
  const settle = (settled: readonly Job<Data>[]): void => settled.forEach((job) => void active.delete(job))
  const boss = {
    fetch: async (_: string, { batchSize }: { readonly batchSize: number }) => {
      await counted('fetch')
      const busy = new Set([...active].map(({ data: { key } }) => key))
      const found: Job<Data>[] = []
      for (const job of jobs.slice()) {
        if (found.length === batchSize || busy.has(job.data.key)) continue
        busy.add(job.data.key)
        found.push(job)
        jobs.splice(jobs.indexOf(job), 1)
        active.add(job)
      }
      return found
    },
    complete: async (_: string, done: readonly Job<Data>[]) => {
      await counted('complete')
      settle(done)
    },
    fail: async (_: string, failed: readonly Job<Data>[]) => {
      await counted('fail')
      settle(failed)
      jobs.unshift(...failed)
    },
    touch: async (_: string, held: readonly Job<Data>[]) => renewedOf(held.map(({ id }) => id)),
  } as unknown as PgBoss
  return { boss, jobs, counts }
}

/** What pg-boss answers to `touch`: its types leave out which jobs it renewed. */
function renewedOf(settled: readonly string[]): Awaited<ReturnType<PgBoss['touch']>> {
  const answer = { jobs: [], requested: 1, affected: settled.length, settled }
  return answer
}

function jobOf(key: string, number: number): Job<Data> {
  return { id: String(number), data: { key, number }, retryCount: 0 } as Job<Data>
}

test('every job runs once and in the order of its key, and never more at once than there are slots', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(3)), { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 3 }),
      async (rings, count) => {
        const { boss, jobs } = createFakeBoss()
        const ran: Data[] = []
        let [atOnce, most] = [0, 0]
        const slots = createSlots<Data>(boss, {
          queue: 'turn',
          slots: count,
          keyOf: ({ data: { key } }) => key,
          run: async ({ data }) => {
            most = Math.max(most, ++atOnce)
            for (let step = 0; step <= data.number % 4; step++) await new Promise(setImmediate)
            ran.push(data)
            atOnce--
          },
          onError: (error) => expect.unreachable(String(error)),
        })
        slots.start()
        for (const [number, [key, steps]] of rings.entries()) {
          jobs.push(jobOf(key, number))
          void slots.rung(key)
          for (let step = 0; step < steps; step++) await new Promise(setImmediate)
        }
        // Without the look that comes every second.
        for (let step = 0; ran.length < rings.length && step < 2000; step++) await new Promise(setImmediate)
        await slots.rest()
        expect(most).toBeLessThanOrEqual(count)
        for (const key of ['a', 'b', 'c', 'd', 'e'])
          expect(ran.filter((data) => data.key === key).map(({ number }) => number)).toEqual(
            [...rings.entries()].filter(([, [own]]) => own === key).map(([number]) => number),
          )
      },
    ),
    { numRuns: cases('long') },
  )
})

test('what is rung and what ends in one turn of the event loop takes one statement', async () => {
  const { boss, jobs, counts } = createFakeBoss()
  const slots = createSlots<Data>(boss, {
    queue: 'turn',
    slots: 50,
    keyOf: ({ data: { key } }) => key,
    run: async () => undefined,
    onError: (error) => expect.unreachable(String(error)),
  })
  slots.start()
  const begun = Array.from({ length: 40 }, (_, number) => {
    jobs.push(jobOf(`key ${number}`, number))
    return slots.rung(`key ${number}`)
  })
  expect(await Promise.all(begun)).toEqual(begun.map(() => true))
  await slots.rest()
  expect(counts).toEqual({ fetch: 2, complete: 1, fail: 0 })
})

test('an instance without a free slot says that others must be told, and one that rests gives back what it fetched', async () => {
  const { boss, jobs } = createFakeBoss()
  let finish: () => void = () => undefined
  const slots = createSlots<Data>(boss, {
    queue: 'turn',
    slots: 1,
    keyOf: ({ data: { key } }) => key,
    run: () => new Promise<void>((resolve) => (finish = resolve)),
    onError: (error) => expect.unreachable(String(error)),
  })
  expect(await slots.rung('a')).toBe(false)
  slots.start()
  jobs.push(jobOf('a', 1))
  expect(await slots.rung('a')).toBe(true)
  jobs.push(jobOf('b', 2))
  expect(await slots.rung('b')).toBe(false)
  finish()
  await slots.rest()
  expect(jobs.map(({ id }) => id)).toEqual(['2'])
})

interface Renewal {
  readonly why: string
  readonly touch?: PgBoss['touch']
  /** After 7, 9.9 and 29.9 seconds. */
  readonly isGivenUp: readonly boolean[]
}

const renewals: readonly Renewal[] = [
  { why: 'keeps its signal while it is renewed', isGivenUp: [false, false, false] },
  {
    why: 'is given up at once if it is renewed for another',
    touch: async () => renewedOf([]),
    isGivenUp: [true, true, true],
  },
  {
    why: 'is given up before the queue hands it out again, if renewals fail',
    touch: () => Promise.reject(new Error('away')),
    isGivenUp: [false, true, true],
  },
  {
    why: 'is given up then, too, if renewals get no answer',
    touch: () => new Promise(() => undefined),
    isGivenUp: [false, true, true],
  },
]
const states = [false, true].flatMap((isResting) => renewals.map((renewal) => ({ ...renewal, isResting })))

test.each(states)('a job $why; the instance rests: $isResting', async ({ touch, isGivenUp, isResting }) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { boss, jobs } = createFakeBoss()
  const renewing = vi.spyOn(boss, 'touch')
  if (touch) renewing.mockImplementation(touch)
  const slots = createSlots<Data>(boss, {
    queue: 'turn',
    slots: 1,
    keyOf: ({ data: { key } }) => key,
    run: (_job, signal) =>
      new Promise<void>((resolve) => {
        finish = resolve
        given = signal
      }),
    onError: () => undefined,
  })
  let finish = (): void => undefined
  let given: AbortSignal | undefined
  slots.start()
  jobs.push(jobOf('a', 1))
  await slots.rung('a')
  const resting = isResting ? slots.rest() : undefined
  const after = async (milliseconds: number): Promise<boolean | undefined> => {
    await vi.advanceTimersByTimeAsync(milliseconds)
    return given?.aborted
  }
  expect([await after(7000), await after(2900), await after(20_000)]).toEqual(isGivenUp)
  if (!touch) expect(renewing).toHaveBeenCalledTimes(9)
  finish()
  await (resting ?? slots.rest())
  // At the end, nothing is looked for or renewed any more.
  expect(vi.getTimerCount()).toBe(0)
})
