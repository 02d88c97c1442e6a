import { Pool } from 'pg'
import { describe, onTestFinished, test } from 'vitest'
import { storeCases } from 'minutebook/testing'
import { migrate, postgresStore } from '@minutebook/postgres'
import { servers, testDatabase } from './support/database.ts'

const pools = servers.flatMap((server) => [true, false].map((pipeline) => ({ server, pipeline })))

describe.each(pools)('Postgres $server, pipelined: $pipeline', ({ server, pipeline }) => {
  const database = testDatabase({ server, prepare: (pool) => migrate(pool) })

  for (const [index, { name, run }] of storeCases.entries()) {
    test(name, async () => {
      // A tenant for each case: to it, the store is one that nobody has written to.
      const tenant = `case ${index}`
      let pool = new Pool({ connectionString: database.url, pipeline, max: 8 })
      onTestFinished(() => pool.end())
      const reopen = async (): Promise<ReturnType<typeof postgresStore>> => {
        await pool.end()
        pool = new Pool({ connectionString: database.url, pipeline, max: 8 })
        return postgresStore(pool, { tenant })
      }
      await run({ store: postgresStore(pool, { tenant }), reopen })
    })
  }
})
