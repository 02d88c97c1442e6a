import { setTimeout as pause } from 'node:timers/promises'
import { migrate, postgresTurns } from '@minutebook/postgres'
import { entryOf } from 'minutebook/store'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { clusterDatabase } from '../../../tests/support/postgres/cluster-database.ts'
import { testCluster } from '../../../tests/support/postgres/database.ts'
import { deferred } from '../../../tests/support/deferred.ts'

test('runs that last while Postgres is killed and started again are not taken for dead', async (context) => {
  const cluster = await testCluster(context, { version: 18, durable: false })
  const { url } = await clusterDatabase(cluster)
  const ended = deferred<void>()
  const runs: string[] = []
  const engines = await Promise.all(
    [0, 1, 2].map(async () => {
      const pool = new Pool({ connectionString: url, pipeline: true, max: 14 })
      await migrate(pool)
      const turns = await postgresTurns(pool)
      onTestFinished(async () => {
        await turns.close()
        await pool.end()
      })
      const { queue } = turns.tenant()
      await queue.onWake(async (thread) => {
        runs.push(thread)
        await ended.promise
      })
      return queue
    }),
  )
  const threads = Array.from({ length: 12 }, (_, number) => `thread ${number}`)
  for (const thread of threads) await engines[0]!.wake(thread, [entryOf({ role: 'user', content: 'hello' })])
  while (runs.length < threads.length) await pause(10)
  await cluster.kill()
  // Long enough that all engines miss it, and short enough that no run counts as silent.
  await pause(600)
  await cluster.restart()
  await pause(3000)
  expect(runs.toSorted()).toEqual(threads.toSorted())
  ended.resolve()
  const last = 'one more'
  await engines[1]!.wake(last, [entryOf({ role: 'user', content: 'hello' })])
  while (!runs.includes(last)) await pause(10)
})
