import type { DatabaseSync } from 'node:sqlite'
import { searchPhrases, searchText, searchWords } from 'minutebook'
import { storedOf, type NumberedLine } from './line.ts'

/**
 * Which entries hold which words. It is worked out from the entries, and taking in many at once costs a fraction of
 * what they cost one by one: so it follows them at a distance and catches up before every search.
 * All but `find` are to be run in a transaction.
 */
export interface WordIndex {
  /** Tells it the number of the newest entry; it catches up once that is worth the while. */
  follow(written: number): void
  /** Takes in all entries that are not in it yet. */
  update(): void
  remove(number: number): void
  /** Writes it anew without the words of what was removed, of which else traces remain. */
  rewrite(): void
  /** Numbers of entries, the newest first. */
  find(query: string, thread: number | undefined, limit: number): number[]
}

/** How many entries it may be behind, and how many it reads at once. */
const distance = 64

export function createWordIndex(database: DatabaseSync): WordIndex {
  const place = database.prepare('select number from indexed')
  const move = database.prepare('update indexed set number = ?')
  const newer = database.prepare(`select thread, number, seq, payload, checksum from entry where number > ? order by number limit ${distance}`)
  const add = database.prepare('insert into word_index (rowid, thread, words) values (?, ?, ?)')
  const remove = database.prepare('delete from word_index where rowid = ?')
  const rewrite = database.prepare(`insert into word_index (word_index) values ('optimize')`)
  const find = database.prepare('select rowid as number from word_index where word_index match ? order by rowid desc limit ?')
  const readPlace = (): number => Number(place.get()?.['number'])
  // Only a hint when to look: where a transaction came to nothing, the table knows better.
  let hint = readPlace()

  const update = (): void => {
    const before = readPlace()
    hint = before
    for (;;) {
      const lines = newer.all(hint) as unknown as (NumberedLine & { thread: number })[]
      for (const line of lines) {
        const words = wordsOf(searchText(storedOf(line)))
        if (words !== '') add.run(line.number, threadWord(line.thread), words)
      }
      hint = lines.at(-1)?.number ?? hint
      if (lines.length < distance) break
    }
    if (hint > before) move.run(hint)
  }

  return {
    follow: (written) => {
      if (written - hint >= distance) update()
    },
    update,
    remove: (number) => void remove.run(number),
    rewrite: () => void rewrite.run(),
    find: (query, thread, limit) => {
      const phrases = searchPhrases(query).map((phrase) => `"${phrase.join(' ')}"`)
      if (phrases.length === 0) return []
      const within = thread === undefined ? '' : `thread : ${threadWord(thread)} AND `
      return find.all(`${within}words : (${phrases.join(' ')})`, limit).map(({ number }) => Number(number))
    },
  }
}

/** The index splits and folds plain ASCII by itself just as `searchWords` does, and faster. */
function wordsOf(text: string): string {
  return notAscii.test(text) || longWord.test(text) ? searchWords(text).join(' ') : text
}

const notAscii = /\P{ASCII}/u
const longWord = /[a-z0-9]{65}/i

function threadWord(number: number): string {
  return `t${number}`
}
