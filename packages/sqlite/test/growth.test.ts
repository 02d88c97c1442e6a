import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as others } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { assistant, system, user } from '@minutebook/testing'
import { sqliteStore, type SqliteStore } from '@minutebook/sqlite'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()

test('a file grows with the turns, not with their square', async () => {
  const path = pathOf('grown.db')
  const sizes: number[] = []
  let turns = 0
  let after: Entry | undefined
  for (const goal of [250, 500, 1000]) {
    using store = sqliteStore(path)
    for (; turns < goal; turns++) after = await turn(store, turns, after)
    store.close()
    sizes.push(statSync(path).size)
  }
  const [quarter, half, whole] = sizes as [number, number, number]
  // 2, but for free pages and for words that are not in the index yet: it has its turns when others have had theirs. With
  // the square of the turns, it would be 4.
  expect((whole - half) / (half - quarter)).toBeGreaterThan(1.4)
  expect((whole - half) / (half - quarter)).toBeLessThan(3)
  // About 200 characters of text and 150 of receipt a turn, in three entries with ids, parents, checksums and words.
  expect(whole / 1000).toBeLessThan(6000)
})

test('the search index is never far behind, searched or not', async () => {
  const path = pathOf('followed.db')
  const store = sqliteStore(path)
  const entries: Entry[] = []
  for (let index = 0; index < 300; index++) {
    entries.push(entryOf(user(`message ${index}`), entries.at(-1)))
    await store.append('t', entries.slice(-1))
  }
  // It has its turns when others have had theirs.
  for (let turn = 0; turn < 20; turn++) await others()
  store.close()
  using database = new DatabaseSync(path)
  const number = Number(database.prepare('select number from indexed').get()?.['number'])
  expect(number).toBeGreaterThan(300 - 64)
  expect(database.prepare(`select count(*) as count from words_0 where words_0 match 'message'`).get()).toEqual({
    count: number,
  })
})

async function turn(store: SqliteStore, count: number, after: Entry | undefined): Promise<Entry> {
  const question = entryOf(user(`Question ${count}: ${sentence(count)}`), after)
  await store.append('t', [question], { head: after?.id ?? null })
  const answer = entryOf(assistant(`Answer ${count}: ${sentence(count * 7)} ${sentence(count * 13)}`), question)
  const receipt = entryOf(system(JSON.stringify({ head: answer.id, policy: 'default@1', tokens: count })), answer, {
    kind: 'receipt',
  })
  await store.append('t', [answer, receipt], { head: question.id })
  return answer
}

function sentence(seed: number): string {
  const words = [
    'lamp',
    'storm',
    'garden',
    'letter',
    'window',
    'river',
    'number',
    'answer',
    'yellow',
    'winter',
    'table',
  ]
  return Array.from(
    { length: 10 },
    (_, index) => `${words[(seed + index * 3) % words.length]}${(seed * (index + 1)) % 97}`,
  ).join(' ')
}

describe('a tail', () => {
  afterEach(() => void vi.restoreAllMocks())

  test.each<[string, { last?: number; from?: number; branch?: boolean }]>([
    ['of the log', { last: 10 }],
    ['of a branch', { last: 10, branch: true }],
    ['of the log by seq', { from: 1990 }],
    ['of a branch by seq', { from: 1990, branch: true }],
  ])('%s reads ten texts of 2,000', async (_, { branch, ...range }) => {
    using store = sqliteStore(':memory:')
    const entries: Entry[] = []
    for (let index = 0; index < 2000; index++) entries.push(entryOf(user(`message ${index}`), entries.at(-1)))
    await store.append('t', entries)
    // The index has taken them in, and reads no more.
    await store.search('message')
    const parse = vi.spyOn(JSON, 'parse')
    const read = await store.read('t', { ...range, ...(branch && { head: entries[1999]!.id }) })
    expect(read.map(({ seq }) => seq)).toEqual([1990, 1991, 1992, 1993, 1994, 1995, 1996, 1997, 1998, 1999])
    expect(parse).toHaveBeenCalledTimes(10)
  })

  test('of a long branch takes no longer than that of a short one', async () => {
    using store = sqliteStore(':memory:')
    const entries: Entry[] = []
    for (let index = 0; index < 20_000; index++) entries.push(entryOf(user(`message ${index}`), entries.at(-1)))
    await store.append('t', entries)
    const timed = async (head: string): Promise<number> => {
      const times: number[] = []
      for (let round = 0; round < 30; round++) {
        const began = performance.now()
        await store.read('t', { head, last: 10 })
        times.push(performance.now() - began)
      }
      return Math.min(...times)
    }
    const short = await timed(entries[50]!.id)
    expect(await timed(entries[19_999]!.id)).toBeLessThan(short * 10)
  })
})

test('no query walks a whole table or looks through a whole thread', () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const path = pathOf('planned.db')
  sqliteStore(path).close()
  const asked = prepare.mock.calls.map(([sql]) => sql)
  prepare.mockRestore()
  using database = new DatabaseSync(path)
  const slow = asked
    .filter((sql) => /^\s*(?:select|with|update|delete)/.test(sql))
    .filter((sql) => {
      const details = database
        .prepare(`explain query plan ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
      return details.some(
        (detail) =>
          /^SCAN (?!word_table|branch|indexed|sqlite_master|json_each|having_all|CONSTANT ROW)/.test(detail) ||
          /^SEARCH entry .*\(thread=\?\)$/.test(detail) ||
          // Metadata is found by its value, not among all threads that have such a key.
          (sql.includes('having_all') && /^SEARCH record (?!.*(?:value=\?|thread=\?))/.test(detail)),
      )
    })
  expect(slow).toEqual([])
})
