import type { DatabaseSync } from 'node:sqlite'
import { holdsPhrases, searchPhrases, searchText, searchWords, withoutImages } from 'minutebook/store'
import { dropWordTable, makeWordTable, openWordTable, wordTableOf, type WordTable } from './word-table.ts'

/**
 * Which entries contain which words, in several tables. It is derived from the entries, and indexing many at once costs a
 * fraction of indexing them one by one: so it lags behind and catches up before every search. `update`, `remove`, `stepBack` and
 * `rewrite` must run in a transaction.
 */
export interface WordIndex {
  /** Whether enough entries are missing from it to be worth indexing, now that there are `more`. */
  isBehind(more: number): boolean
  /** Takes in some of the entries that are not in it yet, for a few milliseconds. False if there are no more. */
  update(): boolean
  /** The entry is found no more. Traces of its words remain until `rewrite` has returned false. */
  remove(number: number): void
  /** After entries were removed: new entries may get their numbers, and are to be taken in. */
  stepBack(): void
  hasTraces(): boolean
  /** Rewrites it without the traces, for a few milliseconds. False if there are no traces. */
  rewrite(): boolean
  /** Numbers of entries, the newest first. */
  find(query: string, thread: number | undefined, limit: number): number[]
  /** The same for who may not update it: reads the entries that it does not have yet. */
  findAll(query: string, thread: number | undefined, limit: number): number[]
}

/** How many entries it may be behind, and how many it reads at once. */
const distance = 64
/** Characters that are taken in at once. */
const most = 1 << 18

interface EntryLine {
  readonly thread: number
  readonly number: number
  readonly payload: string
}

export function createWordIndex(database: DatabaseSync): WordIndex {
  const place = database.prepare('select number from indexed')
  const move = database.prepare('update indexed set number = ?')
  const newer = database.prepare('select thread, number, payload from entry where number > ? order by number limit 1')
  const newest = database.prepare('select max(number) as number from entry')
  const stepBack = database.prepare(
    'update indexed set number = min(number, (select ifnull(max(number), 0) from entry))',
  )
  const hasTable = database.prepare('select 1 from word_table where number = ?')
  const tables = database.prepare('select number from word_table where number between ? and ? order by number desc')
  const ends = database.prepare(`
    select entry.number as first, thread.written as last
    from thread cross join entry on entry.thread = thread.number and entry.seq = 0 where thread.number = ?
  `)
  const addTable = database.prepare('insert into word_table (number) values (?)')
  const removeTable = database.prepare('delete from word_table where number = ?')
  const trace = database.prepare('update word_table set traces = 1 where number = ?')
  const traced = database.prepare('select number from word_table where traces = 1 limit 1')
  const untrace = database.prepare('update word_table set traces = 0 where number = ?')
  const tail = database.prepare('select thread, number, payload from entry where number > ? order by number desc')
  const readPlace = (): number => Number(place.get()?.['number'])
  /** How many entries are not in it, at most. The file is asked only if they may be enough. */
  let missing = Infinity

  /** The table that was used last: mostly it is the next one, too. */
  let open: { readonly number: number; readonly table: WordTable } | undefined
  const tableAt = (number: number): WordTable => {
    if (open?.number !== number) open = { number, table: openWordTable(database, number) }
    return open.table
  }

  const tableFor = (number: number): WordTable => {
    const table = wordTableOf(number)
    if (!hasTable.get(table)) {
      makeWordTable(database, table)
      addTable.run(table)
    }
    return tableAt(table)
  }

  const update = (): boolean => {
    const before = readPlace()
    let at = before
    let characters = 0
    let table: WordTable | undefined
    for (let count = 0; count < distance && characters < most; count++) {
      const line = newer.get(at) as unknown as EntryLine | undefined
      if (!line) break
      const words = wordsOf(line.payload)
      // Another process may have removed the table, but not in the middle of this transaction.
      if (wordTableOf(line.number) !== wordTableOf(at)) table = undefined
      if (words !== '') (table ??= tableFor(line.number)).add(line.number, threadWord(line.thread), words)
      characters += line.payload.length
      at = line.number
    }
    if (at > before) move.run(at)
    return at > before
  }

  const remove = (number: number): void => {
    const table = wordTableOf(number)
    if (hasTable.get(table) && tableAt(table).remove(number)) trace.run(table)
  }

  const tracedTable = (): number | undefined => traced.get()?.['number'] as number | undefined

  const rewrite = (): boolean => {
    const number = tracedTable()
    if (number === undefined) return false
    const table = tableAt(number)
    if (table.rewrite()) return true
    untrace.run(number)
    if (table.isEmpty()) {
      dropWordTable(database, number)
      removeTable.run(number)
    }
    return tracedTable() !== undefined
  }

  /** The newest first. */
  const tablesOf = (thread: number | undefined): number[] => {
    const { first, last } =
      thread === undefined ? { first: 0, last: Infinity } : { first: 0, last: 0, ...ends.get(thread) }
    return tables.all(wordTableOf(Number(first)), wordTableOf(Number(last))).map(({ number }) => Number(number))
  }

  const findIn: WordIndex['find'] = (query, thread, limit) => {
    const phrases = searchPhrases(query).map((phrase) => `"${phrase.join(' ')}"`)
    const found: number[] = []
    if (phrases.length === 0) return found
    const within = thread === undefined ? '' : `thread : ${threadWord(thread)} AND `
    for (const table of tablesOf(thread)) {
      if (found.length >= limit) break
      found.push(...tableAt(table).find(`${within}words : (${phrases.join(' ')})`, limit - found.length))
    }
    return found
  }

  /** The newest first. */
  const findInTail = (query: string, thread: number | undefined, limit: number): number[] => {
    const phrases = searchPhrases(query)
    const found: number[] = []
    if (phrases.length === 0) return found
    for (const row of tail.iterate(readPlace())) {
      if (found.length >= limit) break
      const line = row as unknown as EntryLine
      if ((thread ?? line.thread) === line.thread && holdsPhrases(textOf(line.payload), phrases))
        found.push(line.number)
    }
    return found
  }

  return {
    isBehind: (more) => {
      missing += more
      if (missing < distance) return false
      missing = Number(newest.get()?.['number'] ?? 0) - readPlace()
      return missing >= distance
    },
    update,
    remove,
    stepBack: () => void stepBack.run(),
    hasTraces: () => tracedTable() !== undefined,
    rewrite,
    find: findIn,
    findAll: (query, thread, limit) =>
      [...findInTail(query, thread, limit), ...findIn(query, thread, limit)].slice(0, limit),
  }
}

/** The index splits and folds plain text by itself just as `searchWords` does, and faster. */
function wordsOf(payload: string): string {
  const text = textOf(payload)
  return isPlain(text) ? text : searchWords(text).join(' ')
}

/** A damaged entry has no words: it is an error for its reader, but must not be one for every writer. */
function textOf(payload: string): string {
  try {
    return searchText(withoutImages({ payload, seq: 0, checksum: '' }))
  } catch {
    return ''
  }
}

/** ASCII, without words of more than 64 characters. */
function isPlain(text: string): boolean {
  let gap = -1
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) return false
    if (code < 0x30) gap = index
    else if (index - gap > 64) return false
  }
  return true
}

function threadWord(number: number): string {
  return `t${number}`
}
