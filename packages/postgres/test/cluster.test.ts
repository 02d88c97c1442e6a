import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gone, runs, userOf } from '../../../tests/support/postgres/cluster-processes.ts'
import type { Version } from '../../../tests/support/postgres/cluster-binaries.ts'
import { servers, testCluster, testDatabase } from '../../../tests/support/postgres/database.ts'

const versions: readonly Version[] = [15, 18]

describe.each(versions)('a cluster of version %s', (version) => {
  test('starts, answers, and comes back on its port after kill -9 with what was committed and nothing else', async (context) => {
    const cluster = await testCluster(context, { version })
    const { port } = cluster
    expect((await ask(cluster.url, 'show server_version_num'))['server_version_num']).toMatch(new RegExp(`^${version}`))

    const pool = new pg.Pool({ connectionString: cluster.superuserUrl })
    pool.on('error', () => undefined)
    await pool.query('create table kept (n int)')
    await pool.query('insert into kept values (1)')
    const open = await pool.connect()
    open.on('error', () => undefined)
    await open.query('begin')
    await open.query('insert into kept values (2)')

    const before = cluster.pids()
    expect(before.length).toBeGreaterThan(4)
    await cluster.kill()
    expect(before.filter(runs)).toEqual([])
    expect(cluster.pids()).toEqual([])
    await expect(ask(cluster.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    open.release(true)

    await cluster.restart()
    expect(cluster.port).toBe(port)
    expect(cluster.pids().filter((pid) => before.includes(pid))).toEqual([])
    expect((await pool.query('select n from kept')).rows).toEqual([{ n: 1 }])
    expect(cluster.log()).toContain('database system was interrupted')
    await pool.end()
  })

  test('is durable unless told, takes settings, is not root, has a role that row-level security holds for, and leaves nothing behind', async (context) => {
    const cluster = await testCluster(context, { version, settings: { work_mem: '5MB' } })
    expect(
      await ask(
        cluster.superuserUrl,
        `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('full_page_writes') as pages, current_setting('work_mem') as memory, current_setting('listen_addresses') as address,
      current_setting('unix_socket_directories') as socket`,
      ),
    ).toEqual({ fsync: 'on', commit: 'on', pages: 'on', memory: '5MB', address: '127.0.0.1', socket: '' })
    const role = 'select rolname, rolsuper, rolbypassrls from pg_roles where rolname = current_user'
    expect(await ask(cluster.url, role)).toEqual({ rolname: 'minutebook', rolsuper: false, rolbypassrls: false })
    expect(await ask(cluster.superuserUrl, role)).toMatchObject({ rolname: 'postgres', rolsuper: true })

    const pids = cluster.pids()
    const users = pids.map(userOf).filter((user) => user !== undefined)
    expect([users.length > 0, users.includes(0)]).toEqual([true, false])
    await cluster.stop()
    expect(pids.filter(runs)).toEqual([])
    expect(existsSync(cluster.data)).toBe(false)
  })

  test('ends when the process that started it is killed', async (context) => {
    if (!servers.includes(version)) context.skip('no cluster of ours where a server is given')
    const script = `const { startCluster } = await import(${JSON.stringify(new URL('../../../tests/support/postgres/cluster.ts', import.meta.url).href)})
      const { data, pids } = await startCluster({ version: ${version}, durable: false })
      console.log(JSON.stringify({ data, pids: pids() }))
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const { value } = (await createInterface(child.stdout)[Symbol.asyncIterator]().next()) as { value: string }
    const { data, pids } = JSON.parse(value) as { data: string; pids: readonly number[] }
    expect(pids.slice(0, 1).filter(runs)).toHaveLength(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await gone(pids)
    while (existsSync(data)) await pause(10)
  })
})

describe.each(servers)('databases of a file, on Postgres %s', (server) => {
  let prepared = 0
  const database = testDatabase({
    server,
    prepare: async (pool) => {
      prepared++
      await pool.query('create table kept (n int)')
      await pool.query('insert into kept values (0)')
    },
  })

  test('stand apart, and each starts as the template', async () => {
    await database.pool.query('insert into kept values (1)')
    const [one, two] = await Promise.all([database.fresh(), database.fresh()])
    await one.pool.query('insert into kept values (2)')
    const kept = async (pool: pg.Pool): Promise<readonly number[]> =>
      (await pool.query<{ n: number }>('select n from kept order by n')).rows.map(({ n }) => n)
    expect(await kept(database.pool)).toEqual([0, 1])
    expect(await kept(one.pool)).toEqual([0, 2])
    expect(await kept(two.pool)).toEqual([0])
    expect(prepared).toBe(1)
  })

  test('are gone when they are dropped', async () => {
    const { url, drop } = await database.fresh()
    expect(await ask(url, 'select 1 as one')).toEqual({ one: 1 })
    await drop()
    await expect(ask(url, 'select 1')).rejects.toMatchObject({ code: '3D000' })
  })

  test('tell of a connection that was taken and not given back', async () => {
    const { pool, drop } = await database.fresh()
    const taken = await pool.connect()
    taken.on('error', () => undefined)
    await expect(drop()).rejects.toThrow('1 connection(s) of the pool were taken and not released.')
  })

  test('belong to a role that row-level security holds for', async () => {
    await database.pool.query('alter table kept enable row level security; alter table kept force row level security')
    expect((await database.pool.query('select n from kept')).rows).toEqual([])
  })
})

async function ask(url: string, text: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows[0] ?? {}
  } finally {
    await client.end()
  }
}
