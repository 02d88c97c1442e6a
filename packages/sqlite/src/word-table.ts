import type { DatabaseSync, StatementSync } from 'node:sqlite'

/**
 * A part of the index of words: that of entries whose numbers follow each other. What is removed from an FTS5 table has to
 * be merged away, which takes as long as the table is large. So the index is in several tables.
 */
export interface WordTable {
  add(number: number, thread: string, words: string): void
  /** Returns false if it is not there. Traces of its words remain until `rewrite` has returned false. */
  remove(number: number): boolean
  /** Numbers of entries, the newest first. */
  find(query: string, limit: number): number[]
  /** Rewrites it without the traces, for a few milliseconds. False if there are no traces. */
  rewrite(): boolean
  isEmpty(): boolean
}

/**
 * Entries of a table. It is rewritten in less than a second, and a million threads of two entries have some thirty of
 * them: a word that few entries have is looked for in each.
 */
export const capacity: number = 1 << 16
/** Pages that are rewritten at once. */
const pages = 16

/**
 * FTS5 records which rows were removed, by the segment that still contains their words, on separate pages among its
 * data. It drops these pages when the segment has been merged into another. They come after all others: the number of
 * their segment plus 2^16, 37 bits up.
 */
const firstTombstone = 2 ** 53

/** The number of the table of an entry. */
export function wordTableOf(number: number): number {
  return Math.floor(number / capacity)
}

/** It keeps words, but no texts; all but ASCII comes folded and separated by spaces. */
export function makeWordTable(database: DatabaseSync, number: number): void {
  const options = `content = '', contentless_delete = 1, tokenize = 'ascii'`
  database.exec(`create virtual table ${nameOf(number)} using fts5 (thread, words, ${options})`)
}

export function dropWordTable(database: DatabaseSync, number: number): void {
  database.exec(`drop table ${nameOf(number)}`)
}

/** A statement is prepared when it is needed first: a search looks through many tables, and does nothing else there. */
export function openWordTable(database: DatabaseSync, number: number): WordTable {
  const table = nameOf(number)
  const prepared = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    const found = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, found)
    return found
  }
  const hasTraces = (): boolean =>
    statement(`select 1 from ${table}_data where id >= ${firstTombstone} limit 1`).get() !== undefined
  const merge = (most: number): void =>
    void statement(`insert into ${table} (${table}, rank) values ('merge', ?)`).run(most)
  const countChanges = (): number => Number(statement('select total_changes() as count').get()?.['count'])

  return {
    add: (number, thread, words) =>
      void statement(`insert into ${table} (rowid, thread, words) values (?, ?, ?)`).run(number, thread, words),
    remove: (number) => Number(statement(`delete from ${table} where rowid = ?`).run(number).changes) > 0,
    find: (query, limit) =>
      statement(`select rowid as number from ${table} where ${table} match ? order by rowid desc limit ?`)
        .all(query, limit)
        .map(({ number }) => Number(number)),
    rewrite: () => {
      if (!hasTraces()) return false
      const before = countChanges()
      merge(pages)
      // It has come to its end, which is fewer than two changes, or has not begun: a negative number begins with all
      // there is.
      if (countChanges() - before < 2) merge(-pages)
      return hasTraces()
    },
    isEmpty: () => statement(`select 1 from ${table}_docsize limit 1`).get() === undefined,
  }
}

function nameOf(number: number): string {
  return `words_${number}`
}
