import type { DatabaseSync } from 'node:sqlite'
import { holdsPhrases, searchPhrases, searchText, searchWords, withoutImages } from 'minutebook/store'

/**
 * Which entries contain which words. It is derived from the entries, and indexing many at once costs a fraction of
 * indexing them one by one: so it lags behind and catches up before every search. `update`, `remove`, `stepBack` and
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
/** Pages that are rewritten at once. */
const pages = 16

/**
 * FTS5 records which rows were removed, by the segment that still contains their words, on separate pages among its
 * data. It drops these pages when the segment has been merged into another. They come after all others: the number of
 * their segment plus 2^16, 37 bits up.
 */
const firstTombstone = 2 ** 53

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
  const add = database.prepare('insert into word_index (rowid, thread, words) values (?, ?, ?)')
  const remove = database.prepare('delete from word_index where rowid = ?')
  const merge = database.prepare(`insert into word_index (word_index, rank) values ('merge', ?)`)
  const changes = database.prepare('select total_changes() as count')
  const traces = database.prepare(`select 1 from word_index_data where id >= ${firstTombstone} limit 1`)
  const find = database.prepare(
    'select rowid as number from word_index where word_index match ? order by rowid desc limit ?',
  )
  const tail = database.prepare('select thread, number, payload from entry where number > ? order by number desc')
  const readPlace = (): number => Number(place.get()?.['number'])
  /** How many entries are not in it, at most. The file is asked only if they may be enough. */
  let missing = Infinity

  const update = (): boolean => {
    const before = readPlace()
    let at = before
    let characters = 0
    for (let count = 0; count < distance && characters < most; count++) {
      const line = newer.get(at) as unknown as EntryLine | undefined
      if (!line) break
      const words = wordsOf(line.payload)
      if (words !== '') add.run(line.number, threadWord(line.thread), words)
      characters += line.payload.length
      at = line.number
    }
    if (at > before) move.run(at)
    return at > before
  }

  const hasTraces = (): boolean => traces.get() !== undefined
  const countChanges = (): number => Number(changes.get()?.['count'])

  const rewrite = (): boolean => {
    if (!hasTraces()) return false
    const before = countChanges()
    merge.run(pages)
    // It has come to its end, which is fewer than two changes, or has not begun: a negative number begins with all
    // there is.
    if (countChanges() - before < 2) merge.run(-pages)
    return hasTraces()
  }

  const findIn: WordIndex['find'] = (query, thread, limit) => {
    const phrases = searchPhrases(query).map((phrase) => `"${phrase.join(' ')}"`)
    if (phrases.length === 0) return []
    const within = thread === undefined ? '' : `thread : ${threadWord(thread)} AND `
    return find.all(`${within}words : (${phrases.join(' ')})`, limit).map(({ number }) => Number(number))
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
    remove: (number) => void remove.run(number),
    stepBack: () => void stepBack.run(),
    hasTraces,
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
