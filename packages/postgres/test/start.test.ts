import { expect, test } from 'vitest'
import pg from 'pg'
import { migrate, postgresTurns } from '../src/index.ts'
import { testDatabase } from '../../../tests/support/postgres/database.ts'

const database = testDatabase()

test('instances that start at the same moment on an empty database all start', async () => {
  for (let round = 0; round < 3; round++) {
    const { url, drop } = await database.fresh()
    const starts = Array.from({ length: 6 }, async () => {
      const pool = new pg.Pool({ connectionString: url, max: 5 })
      pool.on('error', () => undefined)
      await migrate(pool)
      const turns = await postgresTurns(pool).catch((error: unknown) => error)
      if (turns instanceof Error) return turns
      await (turns as Awaited<ReturnType<typeof postgresTurns>>).close()
      await pool.end()
      return 'started'
    })
    expect(await Promise.all(starts)).toEqual(Array.from({ length: 6 }, () => 'started'))
    await drop()
  }
})
