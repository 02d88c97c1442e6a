import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryOf } from 'minutebook/store'
import { user } from '@minutebook/testing'
import { sqliteStore } from '@minutebook/sqlite'
import { cases } from '../../../tests/support/runs.ts'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'
import { capacity } from '../src/word-table.ts'

// The index of words is in several tables, each for so many entries. These files have few entries, but with large numbers.

const pathOf = temporaryFolder()

/** Gives the newest entry the last number of its table, unless the index has it already: the next one begins another. */
function fillTable(path: string): void {
  using database = new DatabaseSync(path)
  database.exec(`
    update thread set written = (written / ${capacity} + 1) * ${capacity} - 1
      where written = (select max(number) from entry) and written > (select number from indexed);
    update entry set number = (number / ${capacity} + 1) * ${capacity} - 1
      where number = (select max(number) from entry) and number > (select number from indexed);
  `)
}

function tablesOf(path: string): string[] {
  using database = new DatabaseSync(path, { readOnly: true })
  const tables = database.prepare(`select name from sqlite_schema where sql like 'create virtual table%' order by name`)
  return tables.all().map(({ name }) => String(name))
}

const step = fc.record({
  act: fc.constantFrom('say', 'say', 'say', 'fill', 'search', 'erase', 'remove'),
  thread: fc.constantFrom('a', 'b', 'c'),
})

test('whatever is said, erased and removed in however many tables: the rest is found, and nothing else is there', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const path = pathOf(`tables ${count++}.db`)
      let store = sqliteStore(path)
      const said: { thread: string; word: string; id: string }[] = []
      const gone: string[] = []
      for (const [index, { act, thread }] of steps.entries()) {
        if (act === 'say') {
          const word = `${String.fromCharCode(97 + index)}qzx${index}y`
          const entry = entryOf(user(`all of ${word}`), (await store.read(thread, { last: 1 }))[0])
          await store.append(thread, [entry])
          said.unshift({ thread, word, id: entry.id })
        } else if (act === 'fill') {
          store.close()
          fillTable(path)
          store = sqliteStore(path)
        } else if (act === 'search') {
          const found = await store.search('all')
          expect(found.map(({ thread, id }) => [thread, id])).toEqual(said.map(({ thread, id }) => [thread, id]))
          const inThread = await store.search('all', { thread, limit: 2 })
          const expected = said.filter((each) => each.thread === thread).slice(0, 2)
          expect(inThread.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
        } else {
          await (act === 'erase' ? store.erase(thread) : store.remove(thread))
          for (const each of said.splice(0))
            // An index may keep a word without the letters with which the one before it begins.
            if (each.thread === thread) gone.push(each.word.slice(1))
            else said.push(each)
          const bytes = readFileSync(path)
          expect(gone.filter((word) => bytes.includes(word))).toEqual([])
        }
      }
      for (const { word, id } of said) expect((await store.search(word)).map((found) => found.id)).toEqual([id])
      const reader = sqliteStore(path, { readOnly: true })
      expect((await reader.search('all', { limit: 50 })).map(({ id }) => id)).toEqual(said.map(({ id }) => id))
      reader.close()
      store.close()
    }),
    { numRuns: cases('long') },
  )
})

test('a table goes when all that it had is removed', async () => {
  const path = pathOf('emptied.db')
  for (const thread of ['old', 'new']) {
    using store = sqliteStore(path)
    await store.append(thread, [entryOf(user(`words of the ${thread} thread`))])
    store.close()
    fillTable(path)
  }
  using store = sqliteStore(path)
  expect(await store.search('words')).toHaveLength(2)
  expect(tablesOf(path)).toEqual(['words_0', 'words_1'])
  await store.remove('old')
  expect(tablesOf(path)).toEqual(['words_1'])
  expect(await store.search('words')).toMatchObject([{ thread: 'new' }])
})
