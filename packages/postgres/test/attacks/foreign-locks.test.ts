// Finding 13: a login of the database without any right holds the locks by which instances start, and know which of
// them live.
import { migrate, postgresTurns } from '@minutebook/postgres'
import { openBook } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { describe, expect, test } from 'vitest'
import { scriptedModel } from '@minutebook/testing'
import { within } from '../../../../tests/support/patience.ts'
import { statement } from '../../src/connection/statement.ts'
import { servers } from '../../../../tests/support/postgres/database.ts'
import { open } from '../../../../tests/support/postgres/failing.ts'
import { strangerDatabase } from '../support/stranger.ts'

describe.each(servers.filter((server) => server !== 'given'))('on Postgres %s', (version) => {
  test('locks of a stranger keep no instance from starting and working', async (context) => {
    const { url, stranger } = await strangerDatabase(context, version)
    // Whoever waits for one of the locks fails.
    const pool = open({ connectionString: url, max: 12, lock_timeout: within(20_000) })
    await migrate(pool)
    await (await postgresTurns(pool)).close()
    const { client } = await stranger()
    // Those of migrations, of the first start, and of the queue's own making.
    await client.query('select pg_advisory_lock(1836216949), pg_advisory_lock(1836216950)')
    await client.query(
      `select pg_advisory_lock(('x' || encode(sha224((current_database() || '.pgboss.minutebook_turns' || key)::bytea), 'hex'))::bit(64)::bigint) from unnest(array['', 'create-queue']) as key`,
    )

    expect((await migrate(pool)).applied).toEqual([])
    const turns = await postgresTurns(pool)
    const book = openBook({ ...turns.tenant(), model: scriptedModel(['Here.']), window: 4096, clock: systemClock })
    const stop = await book.work()
    expect(await book.thread('t').send('Where?').done).toMatchObject({ status: 'complete', text: 'Here.' })
    await stop()
    await turns.close()
  })

  test('locks of a stranger count neither for a job that nobody runs, nor as an instance', async (context) => {
    const { url, stranger } = await strangerDatabase(context, version)
    const pool = open({ connectionString: url })
    await migrate(pool)
    await pool.query(
      `create table job as select id, 0 as retry_count, now() as started_on, 'active' as state, 'turn' as name from unnest(array['dead', 'alive']) as id`,
    )
    const hold = async (
      client: { query(text: string, values: readonly unknown[]): Promise<unknown> },
      job: string,
    ): Promise<void> => {
      await client.query(
        'select pg_advisory_lock(hashtextextended($1, 0)), pg_advisory_lock(hashtext($2), pg_backend_pid())',
        [`${job} 0`, 'turn'],
      )
    }
    const { client } = await stranger()
    await hold(client, 'dead')
    const own = await pool.connect()
    await hold(own, 'alive')
    const { rows: jobs } = await pool.query<{ id: string; isLocked: boolean }>(
      statement('running-jobs', { table: 'job' }).text,
      ['turn'],
    )
    const { rows: instances } = await pool.query(statement('present-instances').text, ['turn'])
    const { rows: ours } = await own.query('select pg_backend_pid()::text as instance')
    own.release(true)
    expect(jobs.map(({ id, isLocked }) => [id, isLocked])).toEqual([
      ['dead', false],
      ['alive', true],
    ])
    expect(instances).toEqual(ours)
  })
})
