import { setTimeout as pause } from 'node:timers/promises'
import { migrate, postgresTurns } from '@minutebook/postgres'
import type { TurnQueue } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../tests/support/postgres/database.ts'

const database = testDatabase({ prepare: (pool) => migrate(pool) })
const samples = Number(process.env['SAMPLES'] ?? 50)
/** Enough to last while the samples are taken: a run takes 100 ms, and four are at work. */
const long = 3 * samples

/**
 * Milliseconds from a wake to the beginning of its run, for threads that nobody has woken before: the median, since
 * single ones tell of whatever else the machine does.
 */
async function delay(queue: TurnQueue, begun: Map<string, number>, name: string): Promise<number> {
  const delays: number[] = []
  for (let count = 0; count < samples; count++) {
    const thread = `${name} ${count}`
    const woken = performance.now()
    await queue.wake(thread, [])
    while (!begun.has(thread)) await pause(1)
    delays.push(begun.get(thread)! - woken)
    await pause(10)
  }
  return delays.toSorted((one, other) => one - other)[Math.floor(samples / 2)]!
}

test('four threads with long queues do not keep another one waiting', async () => {
  const pool = new Pool({ connectionString: database.url, pipeline: true, max: 20 })
  const turns = await postgresTurns(pool)
  onTestFinished(async () => {
    await turns.close()
    await pool.end()
  })
  const queue = turns.tenant().queue
  const begun = new Map<string, number>()
  let busy = 0
  await queue.onWake(async (thread) => {
    begun.set(thread, performance.now())
    if (!thread.startsWith('busy')) return
    busy++
    await pause(100)
  })
  const ratios: number[] = []
  for (let attempt = 0; attempt < 5; attempt++) {
    const idle = await delay(queue, begun, `idle ${attempt}`)
    const queued = Array.from({ length: long }, (_, count) =>
      queue.wake(`busy ${count % 4}`, [entryOf({ role: 'user', content: `${attempt} ${count}` })]),
    )
    await Promise.all(queued)
    const before = busy
    const loaded = await delay(queue, begun, `loaded ${attempt}`)
    const meanwhile = busy - before
    console.log(
      `idle ${idle.toFixed(1)} ms, beside four long queues ${loaded.toFixed(1)} ms, ${meanwhile} of their runs meanwhile`,
    )
    while (busy < long * (attempt + 1)) await pause(50)
    // On a slow machine the long queues may be empty before the last wake is in. That says nothing.
    if (meanwhile <= 4) continue
    ratios.push(loaded / idle)
    if (loaded <= 2 * idle) break
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(2)
})
