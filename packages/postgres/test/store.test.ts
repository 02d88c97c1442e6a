import { Pool } from 'pg'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import { storeCases, type StorePart } from '@minutebook/testing'
import { migrate, postgresStore } from '@minutebook/postgres'
import { servers, testDatabase } from '../../../tests/support/postgres/database.ts'

const tables: Readonly<Record<StorePart, string>> = { entries: 'entry', records: 'record', images: 'image' }
// STORES=all: every server both ways. Without it each server and each way once, as far as there are servers.
const ways = (index: number): readonly boolean[] =>
  process.env['STORES'] === 'all' || servers.length === 1 ? [true, false] : [index % 2 === 0]
const pools = servers.flatMap((server, index) => ways(index).map((pipeline) => ({ server, pipeline })))

describe.each(pools)('Postgres $server, pipelined: $pipeline', ({ server, pipeline }) => {
  const database = testDatabase({ server, prepare: (pool) => migrate(pool) })
  const connected = (): Pool => new Pool({ connectionString: database.url, pipeline, max: 8 })
  // One for all cases, since connections take longer than most of them: whoever reopens has one of its own from then
  // on.
  let shared: Pool
  beforeAll(() => void (shared = connected()))
  afterAll(() => shared.end())

  for (const [index, { name, run }] of storeCases.entries()) {
    test(name, async () => {
      // A tenant for each case: to it, the store is one that nobody has written to.
      const tenant = `case ${index}`
      const reopen = async (): Promise<ReturnType<typeof postgresStore>> => {
        const pool = connected()
        onTestFinished(() => pool.end())
        return postgresStore(pool, { tenant })
      }
      const failing = async (part: StorePart): Promise<() => Promise<void>> => {
        const [table, fault] = [tables[part], `fault_${index}`]
        await shared.query(`
          create function ${fault}() returns trigger language plpgsql as $$ begin raise exception 'a fault'; end $$;
          create trigger ${fault} before insert on minutebook.${table} for each row when (new.tenant = '${tenant}') execute function ${fault}()
        `)
        return async () => void (await shared.query(`drop trigger ${fault} on minutebook.${table}`))
      }
      const images = async (): Promise<number> => {
        const [
          ,
          {
            rows: [row],
          },
        ] = (await shared.query(
          `select set_config('minutebook.tenant', '${tenant}', true); select count(*)::integer as count from minutebook.image where tenant = '${tenant}'`,
        )) as unknown as [unknown, { rows: [{ count: number }] }]
        return row.count
      }
      await run({ store: postgresStore(shared, { tenant }), reopen, failing, images })
    })
  }
})
