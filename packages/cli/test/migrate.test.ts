import { expect, test } from 'vitest'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { dataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

const database = testDatabase()

test('migrate makes the tables, once, and those of the queue; then there is nothing to do', async () => {
  using data = dataFolder()
  const first = await runCommand(['migrate', '--database', database.url], data.path)
  expect(first).toMatchObject({
    code: 0,
    errors: '',
    output: expect.stringMatching(
      /^✓ 001-log\n[\s\S]*\d+ migrations applied; the database is at migration \d+\.\n$/,
    ) as string,
  })
  const { rows } = await database.pool.query<{ schema: string }>(
    `select distinct schemaname as schema from pg_tables where schemaname like 'minutebook%' order by 1`,
  )
  expect(rows.map(({ schema }) => schema)).toEqual(['minutebook', 'minutebook_turns'])
  expect((await runCommand(['migrate', '--database', database.url], data.path)).output).toMatch(
    /^Nothing to do: the database is at migration \d+\.\n$/,
  )
  expect(
    JSON.parse((await runCommand(['migrate', '--database', database.url, '--json'], data.path)).output),
  ).toMatchObject({ store: 'postgres', applied: [] })
})

test('a file needs no migration, and a database that is not there is told without its password', async () => {
  using data = dataFolder()
  expect(await runCommand(['migrate'], data.path)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Nothing to do') as string,
  })
  const gone = await runCommand(['migrate', '--database', 'postgres://me:canary-wxyzqvkw@127.0.0.1:1/x'], data.path)
  expect(gone.code).toBe(1)
  expect(gone.errors + gone.output).not.toContain('wxyzqvkw')
})
