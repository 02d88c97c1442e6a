import { MinutebookError } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { Socket } from 'node:net'
import { Pool, type PoolConfig } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { user } from '@minutebook/testing'
import { migrate, postgresStore } from '@minutebook/postgres'
import { databaseOf } from '../src/connection/connection.ts'
import { failureOf } from '../src/connection/failure.ts'
import { createListener } from '../src/turns/listener.ts'
import { migrations } from '../src/connection/migrate.ts'
import { clusterDatabase } from '../../../tests/support/postgres/cluster-database.ts'
import { servers, testCluster, testDatabase } from '../../../tests/support/postgres/database.ts'
import { calls, canary, failuresOf, open, readAll } from '../../../tests/support/postgres/failing.ts'
import { within } from '../../../tests/support/patience.ts'
import { waiting } from './support/waiting.ts'

const pools: readonly PoolConfig[] = [{ pipeline: true }, { pipeline: false }]

describe.each(servers)('on Postgres %s', (server) => {
  const database = testDatabase({ server, prepare: (pool) => migrate(pool) })
  const bare = testDatabase({ server })

  describe.each(pools)('what cannot be done says what to do, pipeline: $pipeline', (config) => {
    const rows: readonly (readonly [
      why: string,
      code: string,
      text: string,
      prepare: () => Promise<PoolConfig & { readonly timeout?: number }>,
    ])[] = [
      ['there are no tables', 'store_outdated', 'Run migrate(pool)', async () => ({ connectionString: bare.url })],
      [
        'nobody listens',
        'store_unreachable',
        'Repeat the call when Postgres answers again',
        async () => ({ connectionString: changed(database.url, { port: '9' }) }),
      ],
      [
        'there is no such host',
        'store_unreachable',
        'Repeat the call when Postgres answers again',
        async () => ({ connectionString: changed(database.url, { hostname: 'nowhere.invalid' }) }),
      ],
      [
        'there is no such database',
        'store_refused',
        'Correct the user, password or database of the pool',
        async () => ({ connectionString: changed(database.url, { pathname: '/nowhere' }) }),
      ],
      [
        'the server only reads',
        'store_readonly',
        'Connect the pool to the primary',
        async () => ({ connectionString: database.url, options: '-c default_transaction_read_only=on' }),
      ],
      [
        'there is no connection left',
        'store_busy',
        'Use smaller pools',
        async () => {
          const { url, pool } = await database.fresh()
          await pool.query('select 1')
          await pool.query(`alter database ${new URL(url).pathname.slice(1)} connection limit 0`)
          return { connectionString: url }
        },
      ],
      [
        'a right is missing',
        'store_forbidden',
        'The right is missing on the table',
        async () => {
          const { url, pool } = await database.fresh()
          await pool.query('revoke all on all tables in schema minutebook from current_user')
          return { connectionString: url }
        },
      ],
      [
        'it takes longer than the pool waits',
        'store_unreachable',
        'Repeat the call when Postgres answers again',
        async () => {
          const { url, pool } = await database.fresh()
          await held(pool)
          return { connectionString: url, query_timeout: 50 }
        },
      ],
    ]
    test.each(rows)('because %s', async (why, code, text, prepare) => {
      const pool = open({ ...(await prepare()), ...config })
      const failures = await failuresOf(postgresStore(pool))
      const failing = calls.filter(([call, writes]) => {
        if (why === 'the server only reads') return writes
        // Segments can be lost: without tables for them, there are none.
        return why !== 'there are no tables' || !call.startsWith('segments.')
      })
      expect(failures.map(({ call }) => call)).toEqual(failing.map(([call]) => call))
      for (const { error } of failures) {
        expect(MinutebookError.isInstance(error) && error.code).toBe(code)
        expect((error as Error).message).toContain(text)
        expect(JSON.stringify([error, (error as Error).message, (error as MinutebookError).details])).not.toContain(
          canary,
        )
      }
      expect(pool.totalCount - pool.idleCount).toBe(0)
    })

    test('because another transaction keeps a lock for too long: that is said once, and the connection holds', async () => {
      const { url, pool: other } = await database.fresh()
      const pool = open({ connectionString: url, max: 3, ...config })
      const store = postgresStore(pool, { timeout: 1000 })
      await store.append('t', [entryOf(user('first'))])
      const { release } = await held(other)
      const asked = [
        store.claim('t'),
        store.read('t'),
        store.segments.list('u'),
        store.append('v', [entryOf(user('x'))]),
      ]
      for (const { reason } of (await Promise.allSettled(asked)) as PromiseRejectedResult[])
        expect((reason as MinutebookError).code).toBe('store_contended')
      await release()
      expect(pool.totalCount).toBe(3)
      expect(await readAll(store, 't')).toEqual(['first'])
    })

    const count = 'select count(*)::int as count from minutebook.thread'
    test.each<readonly [string, code: string, text: string, values: readonly unknown[] | undefined]>([
      ['one statement waits for a lock', '55P03', `${count} where tenant = $1`, ['t']],
      ['one statement takes too long', '57014', 'select pg_sleep(60) where $1 = 1', [1]],
      ['a text waits for a lock', '55P03', count, undefined],
      ['a text with a transaction waits for a lock', '55P03', `begin; select 1; ${count}; commit`, undefined],
    ])('because %s, without a transaction of ours: it ends in Postgres', async (_, code, text, values) => {
      const { url, pool: other } = await database.fresh()
      const pool = open({ connectionString: url, max: 3, ...config })
      const limited = databaseOf(pool, within(100))
      const pids = async (): Promise<readonly unknown[]> => {
        const asked = await Promise.all(
          [1, 2, 3].map(() => limited.query('select pg_backend_pid() as pid, pg_sleep(0.03)')),
        )
        return asked.map(({ rows: [row] }) => row?.['pid'])
      }
      const before = await pids()
      const { release } = await held(other)
      await expect(limited.query(text, values)).rejects.toMatchObject({ code })
      await waiting(other, 0)
      await release()
      // No connection was taken for a silent one. A text may have left a transaction open: its connection was closed.
      const after = await pids()
      expect(before.filter((pid) => after.includes(pid))).toHaveLength(values ? 3 : 2)
      const { rows } = await limited.query(text.startsWith('begin') ? text : count)
      expect(rows.at(-1)).toEqual({ count: 0 })
      // Its limits were its own.
      const { rows: limits } = await pool.query('show statement_timeout')
      expect(limits).toEqual([{ statement_timeout: '0' }])
    })

    test('what may run in no transaction runs', async () => {
      const { url } = await database.fresh()
      const unlimited = databaseOf(open({ connectionString: url, ...config }))
      expect(await unlimited.query('reindex table concurrently minutebook.thread')).toEqual({ rows: [] })
    })

    test('because the password is wrong', async (context) => {
      if (server === 'given') context.skip('a given server may let anyone in')
      const pool = open({ connectionString: changed(database.url, { password: canary }), ...config })
      const failures = await failuresOf(postgresStore(pool))
      expect(new Set(failures.map(({ error }) => (error as MinutebookError).code))).toEqual(new Set(['store_refused']))
      expect(JSON.stringify(failures.map(({ error }) => (error as Error).message))).not.toContain(canary)
    })

    test('because the pool was ended', async () => {
      const pool = new Pool({ connectionString: database.url, ...config })
      const store = postgresStore(pool)
      await pool.end()
      expect((await failuresOf(store)).map(({ error }) => (error as MinutebookError).code)).toEqual(
        calls.map(() => 'store_closed'),
      )
    })
  })

  test.each(pools)(
    'a connection that is cut in the middle of a call fails that call and no other, pipeline: $pipeline',
    async (config) => {
      const { url, pool: other } = await database.fresh()
      const pool = open({ connectionString: url, ...config })
      const store = postgresStore(pool)
      const first = entryOf(user('first'))
      await store.append('t', [first])
      const { release } = await held(other)
      const second = entryOf(user(canary), first)
      const cut = store.append('t', [second])
      const erasing = store.erase('t', [first.id])
      const told = Promise.allSettled([cut, erasing])
      await waiting(other, 2)
      await other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      for (const { status, reason } of (await told) as PromiseRejectedResult[]) {
        expect([status, (reason as MinutebookError).code]).toEqual(['rejected', 'store_unreachable'])
        expect((reason as Error).message).not.toContain(canary)
      }
      await release()
      expect((await store.append('t', [second])).ok).toBe(true)
      expect(await readAll(store, 't')).toEqual(['first', canary])
      expect(pool.totalCount - pool.idleCount).toBe(0)
    },
  )

  test.each(['nonsense', '[1]', '["2026-11-15"]', '["now","t"]', '["2026-11-15 12:00:00+00","t","u"]', '{}'])(
    'a page that goes on nowhere is refused: %s',
    async (after) => {
      const store = postgresStore(database.pool)
      await expect(store.list({ after })).rejects.toMatchObject({ code: 'invalid_page' })
      await expect(store.records.find({ name: 'lamp', after: after.replace(',"u"', '') })).rejects.toMatchObject({
        code: 'invalid_page',
      })
    },
  )

  test('a connection that is cut while nobody uses it is not missed', async () => {
    const { url, pool: other } = await database.fresh()
    const pool = open({ connectionString: url, pipeline: true })
    const store = postgresStore(pool)
    await Promise.all(['a', 'b', 'c'].map((thread) => store.append(thread, [entryOf(user('first'))])))
    expect(pool.idleCount).toBe(3)
    await other.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    while (pool.totalCount > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await readAll(store, 'a')).toEqual(['first'])
  })

  test.each([
    ['store_pool_busy', true],
    ['store_unreachable', false],
  ])('a pool without a free connection is %s; Postgres answers on one of them: %s', async (code, answers) => {
    const pool = open({ connectionString: database.url, max: 2, connectionTimeoutMillis: within(300) })
    // The listener asks for a sign of life four times in this time.
    const listener = createListener(databaseOf(pool, 400))
    if (answers) await listener.run('select 1')
    const clients = await Promise.all((answers ? [1] : [1, 2]).map(() => pool.connect()))
    const error: unknown = await postgresStore(pool)
      .read('t')
      .catch((error: unknown) => error)
    for (const client of clients) client.release()
    await listener.close()
    expect(error).toMatchObject({ code })
  })

  test('a listener that is closed while it connects leaves a connection that may be silent', async () => {
    const pool = open({ connectionString: database.url })
    const listener = createListener(databaseOf(pool))
    const listening = listener.run('select 1')
    await Promise.all([expect(listening).rejects.toMatchObject({ code: 'turns_closed' }), listener.close()])
    const client = await pool.connect()
    const { stream } = client.connection
    client.release()
    expect(stream instanceof Socket && (stream.timeout ?? 0)).toBe(0)
  })

  test('a migration that is cut off says so, and the next one does it', async () => {
    const { url, pool: other } = await bare.fresh()
    await migrate(other, { to: 1 })
    const { release } = await held(other, ['thread'])
    const cut = migrate(open({ connectionString: url })).catch((error: unknown) => error)
    await waiting(other, 1)
    await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    expect(await cut).toMatchObject({ code: 'store_unreachable' })
    await release()
    expect((await migrate(other)).applied).toEqual(
      migrations()
        .slice(1)
        .map(({ name }) => name),
    )
  })
})

// STORES=all: every version both ways. Without it each version and each way once.
const killed = ([15, 18] as const).map((version, index) => ({
  version,
  ways: process.env['STORES'] === 'all' ? pools : [pools[index]!],
}))

describe.each(killed)('a server of version $version that is killed', ({ version, ways }) => {
  test.for(ways)(
    'in the middle of calls fails them, keeps what it acknowledged, and is used again when it is back, pipeline: $pipeline',
    async (config, context) => {
      const cluster = await testCluster(context, { version })
      const pool = open({ connectionString: (await clusterDatabase(cluster)).url, max: 4, ...config })
      await migrate(pool)
      const store = postgresStore(pool)
      const acknowledged: string[] = []
      const failed: unknown[] = []
      let going = true
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let count = 0; going; count++) {
          const text = `${canary} ${writer} ${count}`
          await store.append(`t${writer}`, [entryOf(user(text))]).then(
            () => acknowledged.push(text),
            (error: unknown) => {
              failed.push(error)
              going = false
            },
          )
        }
      })
      while (acknowledged.length < 50) await new Promise(setImmediate)
      await cluster.kill()
      await Promise.all(writers)
      expect(failed.length).toBeGreaterThan(0)
      expect(
        failed.map((error) => (error as MinutebookError).code).filter((code) => code !== 'store_unreachable'),
      ).toEqual([])
      expect(failed.map((error) => (error as Error).message).join('')).not.toContain(canary)
      expect((await failuresOf(store)).map(({ error }) => (error as MinutebookError).code)).toEqual(
        calls.map(() => 'store_unreachable'),
      )

      await cluster.restart()
      const kept = await Promise.all(writers.map((_, writer) => readAll(store, `t${writer}`)))
      expect(acknowledged.filter((text) => !kept.flat().includes(text))).toEqual([])
      expect(pool.totalCount - pool.idleCount).toBe(0)
    },
  )
})

describe("each of Postgres's errors has its own", () => {
  test.each([
    ['53100', 'store_full'],
    ['53300', 'store_busy'],
    ['42P01', 'store_outdated'],
    ['42703', 'store_outdated'],
    ['3F000', 'store_outdated'],
    ['42501', 'store_forbidden'],
    ['28P01', 'store_refused'],
    ['28000', 'store_refused'],
    ['3D000', 'store_refused'],
    ['25006', 'store_readonly'],
    ['08006', 'store_unreachable'],
    ['57P01', 'store_unreachable'],
    ['57P03', 'store_unreachable'],
    ['58030', 'store_unreachable'],
    ['XX001', 'store_corrupt'],
    ['ECONNRESET', 'store_unreachable'],
    ['ENOTFOUND', 'store_unreachable'],
    ['40001', 'store_contended'],
    ['40P01', 'store_contended'],
    ['22021', 'store_failed'],
    ['57014', 'store_timeout'],
    ['55P03', 'store_contended'],
    ['25P03', 'store_timeout'],
    ['XX000', 'store_failed'],
  ])('%s is %s', (postgres, code) => {
    const error = failureOf(
      Object.assign(new Error(`value "${canary}"`), { code: postgres, detail: `Key (${canary})` }),
    ) as MinutebookError
    expect([error.code, error.details]).toEqual([code, { postgres }])
    expect(error.message).toMatch(/^[A-Z].+\. .+\.$/)
    expect(JSON.stringify([error.message, error.details, error.cause])).not.toContain(canary)
  })

  test.each([[new RangeError('too deep')], [new MinutebookError('mine', 'Mine.', '')], ['a text']])(
    'other errors stay as they are: %s',
    (error) => {
      expect(failureOf(error)).toBe(error)
    },
  )

  test("what Node says of a mistake is not taken for the network's", () => {
    const error = Object.assign(new TypeError('no string'), { code: 'ERR_INVALID_ARG_TYPE' })
    expect(failureOf(error)).toBe(error)
  })
})

test("no error holds what was to be written, nor does the server's log", async (context) => {
  const cluster = await testCluster(context, { version: 18, durable: false })
  const pool = open({ connectionString: (await clusterDatabase(cluster)).url })
  await migrate(pool)
  const store = postgresStore(pool)
  const entry = entryOf(user(canary), undefined, { key: canary })
  await store.append('t', [entry])
  const errors = [
    await store.append('t', [{ ...entry, kind: canary as 'user' }]).catch((error: unknown) => error),
    await store
      .append('t', [{ ...entry, raw: { role: 'user', content: { [canary]: true } } as never }])
      .catch((error: unknown) => error),
    await store.read('t', { head: 'x' }).catch((error: unknown) => error),
  ]
  expect(errors.map((error) => MinutebookError.isInstance(error))).toEqual([true, true, true])
  expect(errors.map((error) => (error as Error).message).join(' ')).not.toContain(canary)
  // The same entry again is a unique violation, which Postgres writes down with the key.
  await store.append('t', [entry, entryOf(user('more'), entry)])
  expect(cluster.log()).toContain('duplicate key')
  expect(cluster.log()).not.toContain(canary)
})

function changed(
  url: string,
  parts: Readonly<Partial<Record<'port' | 'hostname' | 'pathname' | 'password', string>>>,
): string {
  return Object.assign(new URL(url), parts).href
}

/** What every call needs one of. */
const everyTable = ['thread', 'entry', 'snapshot', 'segment', 'piece']

/** Holds tables against reading, until it is released or the test ends. */
async function held(pool: Pool, tables = everyTable): Promise<{ readonly release: () => Promise<void> }> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query(`lock table ${tables.map((table) => `minutebook.${table}`).join()} in access exclusive mode`)
  let released = false
  const release = async (): Promise<void> => {
    if (released) return
    released = true
    await client.query('rollback')
    client.release()
  }
  onTestFinished(release)
  return { release }
}
