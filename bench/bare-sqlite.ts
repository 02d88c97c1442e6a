import { DatabaseSync } from 'node:sqlite'
import { sqliteStore } from '@minutebook/sqlite'
import { makeWordTable } from '../packages/sqlite/src/word-table.ts'

/** An entry as a program without Minutebook would hand it to SQLite: all texts ready. */
export interface BareEntry {
  readonly id: string
  readonly chained: boolean
  readonly payload: string
  readonly checksum: string
  /** For the search index; empty where the entry is not searched. */
  readonly words: string
}

export interface Bare {
  append(entries: readonly BareEntry[]): void
  tail(count: number): unknown[]
  close(): void
}

/**
 * Plain node:sqlite on the very tables and settings of `sqliteStore`: the same rows, indexes, bytes and transactions,
 * and nothing else. It takes every append as it comes: no ids are looked up, no parents, no heads, no terms.
 * `indexEvery`: after how many entries the search index takes them in; `Infinity` for never.
 */
export function openBare(path: string, { indexEvery }: { readonly indexEvery: number }): Bare {
  sqliteStore(path).close()
  const database = new DatabaseSync(path)
  database.exec(
    `pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on; pragma temp_store = memory`,
  )
  database.exec(`insert into thread (number, name) values (1, '"bench"')`)
  const begin = database.prepare('begin immediate')
  const commit = database.prepare('commit')
  const standing = database.prepare('select length, head from thread where number = 1')
  const insert = database.prepare(
    'insert into entry (thread, seq, id, parent, chained, payload, checksum) values (1, ?, ?, ?, ?, ?, ?)',
  )
  makeWordTable(database, 0)
  const index = database.prepare(`insert into words_0 (rowid, thread, words) values (?, 't1', ?)`)
  const advance = database.prepare('update thread set head = ?, length = ?, written = ? where number = 1')
  const waiting: [number: number | bigint, words: string][] = []
  const tail = database.prepare('select seq, payload, checksum from entry where thread = 1 order by seq desc limit ?')

  return {
    append: (entries) => {
      begin.run()
      let { length, head } = standing.get() as { length: number; head: string | null }
      let written: number | bigint = 0
      for (const { id, chained, payload, checksum, words } of entries) {
        written = insert.run(
          length,
          id,
          length === 0 ? null : length - 1,
          chained ? 1 : 0,
          payload,
          checksum,
        ).lastInsertRowid
        waiting.push([written, words])
        if (chained) head = id
        length++
      }
      advance.run(head, length, written)
      if (waiting.length >= indexEvery)
        for (const [number, words] of waiting.splice(0)) if (words !== '') index.run(number, words)
      commit.run()
    },
    tail: (count) => tail.all(count).map(({ payload }) => JSON.parse(String(payload)) as unknown),
    close: () => database.close(),
  }
}
