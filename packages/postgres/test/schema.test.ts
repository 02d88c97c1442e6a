import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { migrate, postgresStore } from '@minutebook/postgres'
import { entryOf } from 'minutebook/store'
import { statement } from '../src/connection/statement.ts'
import { servers, testDatabase } from '../../../tests/support/postgres/database.ts'

const golden = new URL('./golden/schema.sql', import.meta.url)
const program = '/usr/lib/postgresql/15/bin/pg_dump'

/** Tables that are of no tenant. */
const ofDatabase = ['migration', 'secret']
/** Tables that are of no thread: the figures of a tenant, which outlive its threads. */
const ofNoThread = [...ofDatabase, 'figure']

const fresh = testDatabase({ prepare: (pool) => migrate(pool) })

describe.each(servers)('the tables, on Postgres %s', (server) => {
  const database = testDatabase({ server, prepare: (pool) => migrate(pool) })
  const ask = async (text: string): Promise<readonly string[]> =>
    (await database.pool.query<{ found: string }>(text)).rows.map(({ found }) => found)

  // To write it anew after a change that is meant: GOLDEN=write.
  test('are those of the golden dump', (context) => {
    if (server !== 15) context.skip('a dump looks a little different in each version')
    if (!existsSync(program)) context.skip('pg_dump 15 is not installed')
    const dumped = schemaOf(database.url)
    if (process.env['GOLDEN'] === 'write') writeFileSync(golden, dumped)
    expect(dumped).toBe(readFileSync(golden, 'utf8'))
  })

  test('are these, and each but those of the database itself has a tenant', async () => {
    const tables = await ask(
      `select relname as found from pg_class where relnamespace = 'minutebook'::regnamespace and relkind in ('r', 'p') order by 1`,
    )
    expect(tables).toEqual([
      'entry',
      'figure',
      'image',
      'migration',
      'piece',
      'record',
      'secret',
      'segment',
      'snapshot',
      'thread',
      'word',
    ])
    expect(
      await ask(
        `select table_name as found from information_schema.columns where table_schema = 'minutebook' and column_name = 'tenant' and is_nullable = 'NO' order by 1`,
      ),
    ).toEqual(tables.filter((table) => !ofDatabase.includes(table)))
  })

  test('have the thread and then the tenant first in every key', async () => {
    const keys =
      await ask(`select pg_get_indexdef(indexrelid) as found from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = 'minutebook'::regnamespace and relname <> all ('{${ofNoThread.join()}}') and (indisprimary or indisunique) order by 1`)
    expect(keys.length).toBeGreaterThanOrEqual(5)
    expect(keys.filter((key) => !/USING btree \(thread, tenant[,)]/.test(key))).toEqual([])
    expect(
      await ask(`select attrelid::regclass || '.' || attname as found from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'minutebook'::regnamespace and relkind = 'r' and attname in ('thread', 'tenant') and attcollation <> '"C"'::regcollation`),
    ).toEqual([])
  })

  test.each([
    [
      'sequences',
      `select relname as found from pg_class where relnamespace = 'minutebook'::regnamespace and relkind = 'S'`,
    ],
    [
      'triggers',
      `select tgname as found from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace = 'minutebook'::regnamespace`,
    ],
    [
      'foreign keys',
      `select conname as found from pg_constraint where connamespace = 'minutebook'::regnamespace and contype = 'f'`,
    ],
    ['functions', `select proname as found from pg_proc where pronamespace = 'minutebook'::regnamespace`],
    [
      'partitions',
      `select relname as found from pg_class where relnamespace = 'minutebook'::regnamespace and (relkind = 'p' or relispartition)`,
    ],
    [
      'tables with a tenant and without forced row-level security',
      `select relname as found from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'tenant'
      where relnamespace = 'minutebook'::regnamespace and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)`,
    ],
    [
      "policies that are not the tenant's",
      `select tablename || '.' || policyname as found from pg_policies where schemaname = 'minutebook'
      and not (policyname = 'searched' and permissive = 'RESTRICTIVE') and (qual <> '(tenant = current_setting(''minutebook.tenant''::text, true))' or with_check is not null or cmd <> 'ALL' or permissive <> 'PERMISSIVE')`,
    ],
    [
      "samples of what was said in the planner's statistics",
      `select attrelid::regclass || '.' || attname as found from pg_attribute
      where attrelid in ('minutebook.secret'::regclass, 'minutebook.thread'::regclass, 'minutebook.entry'::regclass, 'minutebook.image'::regclass, 'minutebook.snapshot'::regclass, 'minutebook.segment'::regclass, 'minutebook.piece'::regclass, 'minutebook.record'::regclass, 'minutebook.word'::regclass, 'minutebook.figure'::regclass)
      and attname in ('name', 'thread_name', 'payload', 'checksum', 'key', 'key_name', 'value', 'words', 'content', 'hash') and not (attrelid in ('minutebook.snapshot'::regclass, 'minutebook.record'::regclass, 'minutebook.secret'::regclass) and attname = 'name') and attstattarget is distinct from 0`,
    ],
  ])('have no %s', async (_, text) => {
    expect(await ask(text)).toEqual([])
  })
})

test('a search finds its way through the index, under row-level security', async () => {
  const { pool } = await fresh.fresh()
  const store = postgresStore(pool)
  const entries = Array.from({ length: 20_000 }, (_, index) =>
    entryOf({ role: 'user', content: `word${index} said ${index % 7}` }),
  )
  await store.append('thread', entries)
  expect((await store.search('word2345')).map(({ seq }) => seq)).toEqual([2345])
  const plan = await planOf(
    pool,
    'search',
    ["'default'", "'{word2345}'", '20', '0'],
    [
      'analyze minutebook.word',
      'set local enable_seqscan = off',
      "select set_config('minutebook.words', 'word2345 =default', true)",
    ],
  )
  expect(plan).toContain('Bitmap Index Scan on word_words')
})

test('a search reads only the threads that are not indexed yet, and a bounded number of entries of a common word', async () => {
  const { pool } = await fresh.fresh()
  await fill(pool, [
    `insert into minutebook.thread (thread, tenant, length, searched, written)
    select 'thread ' || n, 'default', 1, (n <> 7)::int, now() - n * interval '1 second' from generate_series(1, 20000) n`,
    `insert into minutebook.word (thread, tenant, seq, written, words)
    select 'thread ' || n, 'default', 0, now() - n * interval '1 second', '{harbour,=default}' from generate_series(1, 20000) n`,
    'analyze minutebook.thread; analyze minutebook.word',
  ])
  const behind = await planOf(pool, 'unsearched', ["'default'"])
  expect([behind.includes('thread_unsearched'), mostRows(behind)]).toEqual([true, 1])
  const newest = await planOf(pool, 'search-newest', ["'default'", "'{harbour,=default}'", '200', '20'])
  expect(newest).not.toContain('Seq Scan on word')
  expect(mostRows(newest)).toBeLessThanOrEqual(200)
})

test('threads with a pair of metadata are found through the index, however many others there are', async () => {
  const { pool } = await fresh.fresh()
  const store = postgresStore(pool)
  await fill(pool, [
    `insert into minutebook.thread (thread, tenant, length, written)
    select 'thread ' || n, 'default', 1, now() - n * interval '1 second' from generate_series(1, 20000) n`,
    `insert into minutebook.record (thread, tenant, name, key, value, version, written)
    select 'thread ' || n, 'default', 'metadata', pair.key, '"' || pair.value || '"', 1, now()
    from generate_series(1, 20000) n, lateral (values ('owner', 'user ' || n % 4000), ('project', 'p' || n % 2)) as pair (key, value)`,
    'analyze minutebook.record; analyze minutebook.thread',
  ])
  const metadata = { owner: 'user 7', project: 'p1' }
  expect((await store.list({ metadata })).threads.map(({ thread }) => thread)).toEqual(
    [7, 4007, 8007, 12007, 16007].map((n) => `thread ${n}`),
  )
  const given: Readonly<Record<string, string>> = {
    tenant: "'default'",
    written: "'infinity'",
    thread: "''",
    most: '101',
    keys: "'{owner}'",
    values: `array['"user 7"']`,
  }
  const plan = await planOf(
    pool,
    'list-having',
    statement('list-having').parameters.map((name) => given[name]!),
  )
  expect(plan).toContain('Index Only Scan using record_metadata')
  expect(plan).not.toContain('Seq Scan')
  // Only those that match are read, in any step.
  expect(mostRows(plan)).toBeLessThanOrEqual(5)
})

/** Runs statements as the owner of the tables, for the tenant `default`. */
async function fill(pool: Pool, statements: readonly string[]): Promise<void> {
  const client = await pool.connect()
  await client.query("select set_config('minutebook.tenant', 'default', false)")
  for (const text of statements) await client.query(text)
  await client.query('reset all')
  client.release()
}

/** How Postgres runs a statement of ours on a connection that has often run it, after these preparations. */
async function planOf(
  pool: Pool,
  name: string,
  values: readonly string[],
  preparations: readonly string[] = [],
): Promise<string> {
  const client = await pool.connect()
  await client.query("begin; select set_config('minutebook.tenant', 'default', true)")
  for (const text of preparations) await client.query(text)
  await client.query(`set local plan_cache_mode = force_generic_plan; prepare planned as ${statement(name).text}`)
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, timing off, costs off) execute planned (${values.join()})`,
  )
  await client.query('deallocate planned; rollback')
  client.release()
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

/** The most rows that any step of a plan has returned. */
function mostRows(plan: string): number {
  return Math.max(...[...plan.matchAll(/ rows=(\d+)/g)].map(([, count]) => Number(count)))
}

/** What the schema is made of, without what differs from run to run. */
function schemaOf(url: string): string {
  const dumped = execFileSync(program, ['--schema-only', '--schema=minutebook', '--no-owner', '--no-privileges', url], {
    encoding: 'utf8',
  })
  const lines = dumped.split('\n').filter((line) => !/^(--|SET |SELECT pg_catalog|\\)/.test(line))
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
