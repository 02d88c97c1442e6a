import { migrate, postgresTurns } from '@minutebook/postgres'
import { Pool } from 'pg'
import { describe, onTestFinished, test } from 'vitest'
import { queueCases } from '../../../tests/support/queue-cases.ts'
import { servers, testDatabase } from '../../../tests/support/postgres/database.ts'

describe.each(servers)('the queue on Postgres %s', (server) => {
  const database = testDatabase({ server, prepare: (pool) => migrate(pool) })

  test.each(Object.entries(queueCases))('%s', async (_, run) => {
    const { url } = await database.fresh()
    const pool = new Pool({ connectionString: url, pipeline: true, max: 12 })
    const turns = await postgresTurns(pool)
    onTestFinished(async () => {
      await turns.close()
      await pool.end()
    })
    await run(turns.tenant())
  })
})
