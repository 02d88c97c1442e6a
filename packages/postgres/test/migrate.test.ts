import { entryOf } from 'minutebook/store'
import type { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { user } from '@minutebook/testing'
import { migrate, postgresStore } from '@minutebook/postgres'
import { migrations } from '../src/connection/migrate.ts'
import { servers, testDatabase } from '../../../tests/support/postgres/database.ts'
import { open } from '../../../tests/support/postgres/failing.ts'

const steps = migrations().map(({ name }) => name)
const newest = steps.length

test('steps are numbered from 1 without gaps', () => {
  expect(migrations().map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1))
  expect(steps.filter((name) => !/^\d{3}-[a-z-]+$/.test(name))).toEqual([])
})

describe.each(servers)('on Postgres %s', (server) => {
  const database = testDatabase({ server })

  test('every step is taken in order, and then none', async () => {
    const { pool } = await database.fresh()
    expect(await migrate(pool)).toEqual({ applied: steps, at: newest })
    expect(await migrate(pool)).toEqual({ applied: [], at: newest })
    expect(
      (await pool.query<{ name: string }>('select name from minutebook.migration order by number')).rows.map(
        ({ name }) => name,
      ),
    ).toEqual(steps)
  })

  test('up to a step is up to that step', async () => {
    const { pool } = await database.fresh()
    expect(await migrate(pool, { to: 1 })).toEqual({ applied: [steps[0]], at: 1 })
    expect(await migrate(pool, { to: 1 })).toEqual({ applied: [], at: 1 })
    expect(await migrate(pool)).toEqual({ applied: steps.slice(1), at: newest })
  })

  test.each([[0], [1]])('of five instances at once one does the work, from step %s on', async (to) => {
    const { url, pool } = await database.fresh()
    if (to > 0) await migrate(pool, { to })
    const pools = Array.from({ length: 5 }, () => open({ connectionString: url }))
    const done = await Promise.all(pools.map((each) => migrate(each)))
    expect(done.flatMap(({ applied }) => applied)).toEqual(steps.slice(to))
    expect(done.map(({ at }) => at)).toEqual(Array(5).fill(newest))
    expect(pools.map(held)).toEqual([0, 0, 0, 0, 0])
  })

  test('a database that is ahead is left alone, and works', async () => {
    const { pool } = await database.fresh()
    await migrate(pool)
    await pool.query(`insert into minutebook.migration (number, name) values (999, '999-later')`)
    await pool.query(
      `alter table minutebook.thread add column later text not null default 'later'; alter table minutebook.entry add column later text`,
    )
    expect(await migrate(pool)).toEqual({ applied: [], at: 999 })
    const store = postgresStore(pool)
    expect((await store.append('t', [entryOf(user('lamp'))])).ok).toBe(true)
    expect(
      [await store.read('t'), await store.search('lamp'), (await store.list()).threads].map(({ length }) => length),
    ).toEqual([1, 1, 1])
  })

  test('a step that fails leaves nothing of itself behind, and can be taken when it is mended', async () => {
    const { pool } = await database.fresh()
    await migrate(pool, { to: 1 })
    const columns = async (): Promise<unknown> =>
      (
        await pool.query(
          `select table_name, column_name from information_schema.columns where table_schema = 'minutebook' order by 1, 2`,
        )
      ).rows
    await pool.query('create table minutebook.word (stray text)')
    const before = await columns()
    await expect(migrate(pool)).rejects.toMatchObject({
      code: 'migration_failed',
      message:
        'The migration "002-words" failed: relation "word" already exists. It changed nothing. Fix the cause, and run the migration again.',
    })
    expect(await columns()).toEqual(before)
    expect((await pool.query('select number from minutebook.migration')).rows).toEqual([{ number: 1 }])
    expect(held(pool)).toBe(0)
    await pool.query('drop table minutebook.word')
    expect((await migrate(pool)).applied).toEqual(steps.slice(1))
  })

  test('a step that cannot be written down is not taken', async () => {
    const { pool } = await database.fresh()
    await migrate(pool, { to: 1 })
    await pool.query(`create unique index on minutebook.migration (name)`)
    await pool.query(`insert into minutebook.migration (number, name) values (50, '002-words')`)
    await expect(migrate(pool)).rejects.toMatchObject({ code: 'migration_failed' })
    expect((await pool.query(`select to_regclass('minutebook.word') as word`)).rows).toEqual([{ word: null }])
  })

  test('whoever writes meanwhile goes on writing', async () => {
    const { pool } = await database.fresh()
    await migrate(pool, { to: 1 })
    const store = postgresStore(pool)
    let migrated = false
    let after = 0
    const migrating = migrate(pool).finally(() => (migrated = true))
    let count = 0
    for (; after < 5; count++) {
      if (migrated) after++
      expect((await store.append('t', [entryOf(user(`message ${count}`))])).ok).toBe(true)
    }
    expect((await migrating).applied).toEqual(steps.slice(1))
    expect(await store.read('t')).toHaveLength(count)
  })
})

function held(pool: Pool): number {
  return pool.totalCount - pool.idleCount
}
