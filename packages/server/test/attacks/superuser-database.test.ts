// Finding 7: a server that connects as a superuser serves several tenants, although nothing in the database keeps them
// apart.
import { hash } from 'node:crypto'
import { migrate, postgresStore } from '@minutebook/postgres'
import { entryOf } from 'minutebook/store'
import { user } from '@minutebook/testing'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { askAs, composeDatabase } from '../../../../tests/support/postgres/compose-roles.ts'
import { servers } from '../../../../tests/support/postgres/database.ts'
import { migrateDatabase, serve, type KeyConfig } from '../../src/index.ts'
import { paths, post } from '../gateway/support/post.ts'
import { gateway, gatewayBefore, testConfig } from '../../../../tests/support/server/gateway.ts'

const keyOf = (tenant: string): KeyConfig => ({
  name: tenant,
  sha256: hash('sha256', `key of ${tenant}`),
  tenant,
  scope: 'app',
})

describe.each(servers.filter((server) => server !== 'given'))('on Postgres %s', (version) => {
  test('instances of deploy/ connect as a role that can neither see past its tenant nor change an entry', async (context) => {
    const { superuser, owner, app, as } = await composeDatabase(context, version)
    await migrateDatabase(owner, { appRole: 'minutebook_app' })
    const { running } = await gatewayBefore({}, { database: app, keys: [keyOf('alpha'), keyOf('beta')] })
    for (const tenant of ['alpha', 'beta']) {
      const answer = await post(
        running.url,
        paths.openai,
        { model: 'strict', messages: [user(`hello from ${tenant}`)] },
        { authorization: `Bearer key of ${tenant}` },
      )
      expect(answer.status).toBe(200)
    }

    const roles = await askAs<{ name: string; can: boolean }>(
      superuser,
      `select rolname as name, rolsuper or rolbypassrls or rolcreatedb or rolcreaterole or rolreplication as can from pg_roles where rolname like 'minutebook\\_%' order by 1`,
    )
    expect(roles).toEqual([
      { name: 'minutebook_app', can: false },
      { name: 'minutebook_owner', can: false },
    ])
    const rights = await askAs<{ table: string; rights: string }>(
      superuser,
      `select relname as table, (select string_agg(lower(word), ' ') from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) as word where has_table_privilege('minutebook_app', pg_class.oid, word)) as rights
      from pg_class where relnamespace = 'minutebook'::regnamespace and relkind = 'r' order by 1`,
    )
    expect(Object.fromEntries(rights.map(({ table, rights: own }) => [table, own]))).toMatchObject({
      entry: 'select insert',
      migration: 'select',
      record: 'select insert update delete',
      secret: 'select',
      snapshot: 'select insert update delete',
      thread: 'select insert update',
      word: 'select insert',
    })

    const forbidden = [
      'update minutebook.entry set payload = payload',
      'delete from minutebook.entry',
      'truncate minutebook.thread',
      'alter table minutebook.entry disable row level security',
      'create schema other',
      'create temporary table other ()',
      'create table public.other ()',
      'create role other',
      'set role minutebook_owner',
      'set role postgres',
      `copy (select 1) to program 'true'`,
    ]
    for (const statement of forbidden)
      await expect(askAs(app, statement), statement).rejects.toMatchObject({ code: '42501' })
    for (const url of [app, owner]) expect(await askAs(url, 'select from minutebook.entry')).toEqual([])
    const client = new pg.Client({ connectionString: app })
    // The database is dropped while the connection may still be there.
    client.on('error', () => undefined)
    await client.connect()
    onTestFinished(() => client.end())
    await client.query(`select set_config('minutebook.tenant', 'alpha', false)`)
    const { rows } = await client.query<{ payload: string }>('select payload from minutebook.entry')
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ payload }) => payload.includes('beta'))).toEqual([])

    await askAs(superuser, `create role stranger login password 'stranger'`)
    await expect(askAs(as('stranger', 'stranger'), 'select 1')).rejects.toMatchObject({ code: '42501' })
  })

  test('as a superuser, with BYPASSRLS or as an owner without force, a server serves one tenant with a warning, and several not at all', async (context) => {
    const { superuser, owner, app, as } = await composeDatabase(context, version)
    await migrateDatabase(owner, { appRole: 'minutebook_app' })
    await askAs(
      superuser,
      `create role past login bypassrls password 'past' in role minutebook_app; grant connect on database minutebook to past`,
    )
    const tried: readonly (readonly [url: string, why: string, before?: string])[] = [
      [superuser, 'is a superuser'],
      [as('past', 'past'), 'has BYPASSRLS'],
      [
        owner,
        'owns tables without forced row-level security (entry)',
        'alter table minutebook.entry no force row level security',
      ],
    ]
    for (const [database, why, before] of tried) {
      if (before !== undefined) await askAs(owner, before)
      const lines: string[] = []
      const running = await serve(testConfig({ database }), { log: { write: (line) => void lines.push(line) } })
      await running.close({ patience: 0 })
      const warned = lines
        .map((line) => JSON.parse(line) as { code?: string; msg?: string })
        .filter(({ code }) => code === 'tenants_unguarded')
      expect(warned).toHaveLength(1)
      expect(warned[0]?.msg).toContain(
        `${why}, so row-level security does not keep tenants apart. Only the tenant "default" is served. Connect as`,
      )
      const refused = serve(testConfig({ database, keys: [keyOf('default'), keyOf('beta')] }), { log: 'silent' })
      await expect(refused).rejects.toMatchObject({
        code: 'tenants_unguarded',
        message: expect.stringMatching(/minutebook migrate --app-role/) as string,
      })
    }
    await askAs(owner, 'alter table minutebook.entry force row level security')

    const lines: string[] = []
    const bound = await serve(testConfig({ database: app, keys: [keyOf('default'), keyOf('beta')] }), {
      log: { write: (line) => void lines.push(line) },
    })
    await bound.close({ patience: 0 })
    expect(lines.join('')).not.toContain('tenants_unguarded')
  })

  test('tenants of keys and of threads on record count as well, and a key that is made later is refused', async (context) => {
    const { superuser } = await composeDatabase(context, version)
    await migrateDatabase(superuser)
    const running = await gateway({ database: superuser })
    const { key } = await running.services.keyRing.create({ name: 'late', tenant: 'late', scope: 'admin' })
    for (const path of ['/minutebook/v1/threads', '/v1/models', '/metrics']) {
      const answer = await fetch(running.url + path, { headers: { authorization: `Bearer ${key}` } })
      expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('tenants_unguarded')])
    }
    expect(() => running.services.stores.of('late')).toThrow(expect.objectContaining({ code: 'tenants_unguarded' }))
    await expect(serve(testConfig({ database: superuser }), { log: 'silent' })).rejects.toMatchObject({
      code: 'tenants_unguarded',
    })
    await running.services.keyRing.revoke('late')
    await (await serve(testConfig({ database: superuser }), { log: 'silent' })).close({ patience: 0 })

    const pool = new pg.Pool({ connectionString: superuser })
    onTestFinished(() => pool.end())
    await migrate(pool)
    await postgresStore(pool, { tenant: 'archive' }).append('t', [entryOf(user('old'))])
    await expect(serve(testConfig({ database: superuser }), { log: 'silent' })).rejects.toMatchObject({
      code: 'tenants_unguarded',
    })
  })
})
