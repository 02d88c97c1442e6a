import { entryOf, type StoredSegment } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { user } from '@minutebook/testing'
import { migrate, postgresStore } from '@minutebook/postgres'
import { statement } from '../src/connection/statement.ts'
import { servers, testDatabase } from '../../../tests/support/postgres/database.ts'
import { waiting } from './support/waiting.ts'

describe.each(servers)('segments, on Postgres %s', (server) => {
  const database = testDatabase({ server, prepare: (pool) => migrate(pool) })

  test('are not stored if they wait for an erasure that comes first', async () => {
    const { pool } = await database.fresh()
    const store = postgresStore(pool)
    await store.append('t', [entryOf(user('lamp'))])
    const eraser = await pool.connect()
    await eraser.query(`begin; select set_config('minutebook.tenant', 'default', true)`)
    await eraser.query(statement('lock-thread').text, ['t', 'default'])
    const storing = store.segments.change('t', { stored: [filled('a', 1, 1)], removed: [] }, 0)
    await waiting(pool, 1)
    await eraser.query(statement('count-erasure').text, ['t', 'default'])
    await eraser.query('commit')
    eraser.release()
    await storing
    expect(await store.segments.list('t')).toEqual([])
  })

  test('of one name that several store at once are from one of them, whole', async () => {
    const { pool } = await database.fresh()
    const store = postgresStore(pool)
    await store.append('t', [entryOf(user('lamp'))])
    const writers = Array.from({ length: 6 }, (_, writer) => writer + 1)
    await Promise.all(
      writers.map((writer) =>
        store.segments.change(
          't',
          { stored: [filled('a', writer, writer), filled('b', 9 - writer, writer)], removed: [] },
          0,
        ),
      ),
    )
    const [a, b] = [await store.segments.load('t', 'a'), await store.segments.load('t', 'b')]
    const winner = a![0]![0]!
    expect([a, b]).toEqual([filled('a', winner, winner).pieces, filled('b', 9 - winner, winner).pieces])
  })

  test('are stored whole if they are larger than what is sent at once', async () => {
    const { pool } = await database.fresh()
    const store = postgresStore(pool)
    await store.append('t', [entryOf(user('lamp'))])
    const segment = { name: 'a', pieces: [3, 6, 9, 0, 1].map((size) => new Uint8Array(size * 1_000_000).fill(size)) }
    await store.segments.change('t', { stored: [segment], removed: [] }, 0)
    const pieces = await store.segments.load('t', 'a')
    expect(pieces?.map((piece, number) => Buffer.compare(piece, segment.pieces[number]!))).toEqual([0, 0, 0, 0, 0])
  })

  test('are found by their keys, and pieces of up to 4 kB stay in their rows', async () => {
    const { pool } = await database.fresh()
    const store = postgresStore(pool)
    await store.append('t', [entryOf(user('lamp'))])
    const stored = Array.from({ length: 20 }, (_, number) => filled(`segment ${number}`, 200, 1, 4000))
    await store.segments.change('t', { stored, removed: [] }, 0)
    const client = await pool.connect()
    await client.query(`select set_config('minutebook.tenant', 'default', false)`)
    await client.query('analyze minutebook.piece')
    const plan = async (name: string, values: string): Promise<string> => {
      await client.query(`set plan_cache_mode = force_generic_plan; prepare reading as ${statement(name).text}`)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) execute reading (${values})`)
      await client.query('deallocate reading')
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    const read = await plan('read-pieces', `'t', 'default', '{segment 1,segment 2}', '{3,4}'`)
    expect(read).toContain('Index Scan using piece_pkey')
    expect(read).not.toMatch(/Seq Scan|Sort/)
    expect(await plan('load-segment', `'t', 'default', 'segment 1'`)).not.toMatch(/Seq Scan|Sort/)
    const { rows } = await client.query(
      `select pg_relation_size(reltoastrelid)::integer as moved from pg_class where oid = 'minutebook.piece'::regclass`,
    )
    await client.query('reset all')
    client.release()
    expect(rows).toEqual([{ moved: 0 }])
  })
})

/** A segment of that many pieces, all of the same byte. */
function filled(name: string, count: number, byte: number, size = 10): StoredSegment {
  return { name, pieces: Array.from({ length: count }, () => new Uint8Array(size).fill(byte)) }
}
