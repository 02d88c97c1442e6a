import { memoryStore, type Store } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import type { Pool } from 'pg'

/**
 * A store with the fault that a serial number as a place in the log has: numbers are given when an entry is written,
 * and the entry is seen only when its transaction ends, so that a reader sees a later one before it.
 */
export function serialStore(pool: Pool): Store {
  return {
    ...memoryStore(),
    append: async (thread, entries) => {
      const client = await pool.connect()
      try {
        const seqs: number[] = []
        await client.query('begin')
        for (const { id } of entries) {
          const { rows } = await client.query<{ seq: number }>(
            'insert into serial (thread, id) values ($1, $2) on conflict (thread, id) do update set thread = excluded.thread returning seq',
            [thread, id],
          )
          seqs.push(rows[0]!.seq)
        }
        await client.query('select pg_sleep(random() * 0.01)')
        await client.query('commit')
        const stored = entries.map((entry, index) => ({ ...entry, seq: seqs[index]!, checksum: '' }) as StoredEntry)
        return { ok: true, entries: stored, standing: { head: null, length: 0, term: 0, erasures: 0 } }
      } finally {
        client.release()
      }
    },
    read: async (thread) =>
      (await pool.query<StoredEntry>('select id, seq from serial where thread = $1 order by seq', [thread])).rows,
  }
}

export const serialTable = 'create table serial (seq serial, thread text, id text, unique (thread, id))'
