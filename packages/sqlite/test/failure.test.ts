import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { MinutebookError } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { user } from '@minutebook/testing'
import { sqliteStore } from '@minutebook/sqlite'
import { failureOf } from '../src/failure.ts'
import { refusal } from '../../../tests/support/refusal.ts'
import { fromSources, mustRun, root } from '../../../tests/support/workshop.ts'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('It did not fail.')
}

describe('a file that cannot be used says what to do', () => {
  test.each<[string, (path: string) => void, string, string]>([
    [
      'is not a database',
      (path) => writeFileSync(path, 'Dear diary, '.repeat(100)),
      'not_a_store',
      'is not a database. Pass the path of a Minutebook file',
    ],
    [
      'belongs to another program',
      (path) => withDatabase(path, 'create table diary (page text)'),
      'not_a_store',
      'is a database of another program',
    ],
    [
      'was made by a newer version',
      (path) => {
        sqliteStore(path).close()
        withDatabase(path, 'pragma user_version = 99')
      },
      'store_newer',
      'Update @minutebook/sqlite',
    ],
    [
      'is damaged',
      (path) => {
        sqliteStore(path).close()
        // Its first page begins as it should, and then makes no sense.
        const bytes = readFileSync(path)
        bytes.fill(0xff, 100, 4096)
        writeFileSync(path, bytes)
      },
      'store_corrupt',
      'Restore it from a backup',
    ],
  ])('because it %s', (name, prepare, code, text) => {
    const path = pathOf(`${name}.db`)
    prepare(path)
    const error = refusal(() => sqliteStore(path))
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(text)])
    expect(error.message.startsWith(`"${name}.db" `)).toBe(true)
    expect(JSON.stringify([error.message, error.details])).not.toContain(pathOf(''))
  })

  test('because its folder is not there', () => {
    const error = refusal(() => sqliteStore(pathOf('no/such/folder/a.db')))
    expect([error.code, error.message]).toEqual([
      'store_unreachable',
      '"a.db" cannot be opened. Create the folder "folder" first.',
    ])
  })

  test('because it is a folder', () => {
    mkdirSync(pathOf('folder'))
    const error = refusal(() => sqliteStore(pathOf('folder')))
    expect([error.code, error.message]).toEqual([
      'store_unreachable',
      '"folder" is a folder. Pass the path of a file in it.',
    ])
  })

  test.each([[''], [undefined], [null], [7]])('because its path is %s', (path) => {
    expect(refusal(() => sqliteStore(path as never))).toMatchObject({
      code: 'store_unreachable',
      message: `The path is not a text. Pass the path of a file, or ':memory:'.`,
    })
  })

  test('and is let go, so that it can be used once it is put right', () => {
    const path = pathOf('put-right.db')
    writeFileSync(path, 'Dear diary, '.repeat(100))
    refusal(() => sqliteStore(path))
    writeFileSync(path, '')
    sqliteStore(path).close()
  })
})

describe("each of SQLite's errors has its own", () => {
  test.each<[string, (database: DatabaseSync) => void, string]>([
    [
      'a full disk',
      (database) =>
        database.exec(`pragma max_page_count = 3; create table a (b); insert into a values (zeroblob(100000))`),
      'store_full',
    ],
    [
      'a file that may only be read',
      (database) => database.exec('pragma query_only = on; create table a (b)'),
      'store_readonly',
    ],
    ['something unforeseen', (database) => database.exec('select * from nowhere'), 'store_failed'],
  ])('%s', (_, provoke, code) => {
    using database = new DatabaseSync(':memory:')
    const error = failureOf(
      thrownBy(() => provoke(database)),
      'a.db',
    ) as MinutebookError
    expect(error.code).toBe(code)
    expect(error.message).toMatch(/^"a\.db" .+\. .+\.$/)
  })

  test('other errors stay as they are', () => {
    const error = new RangeError('too deep')
    expect(failureOf(error, 'a.db')).toBe(error)
  })
})

test('a file that may not grow any more fails with an error of ours and keeps what was acknowledged', async () => {
  const script = new URL('./support/filler.ts', import.meta.url).pathname
  const limited = [
    '-c',
    `trap '' XFSZ; ulimit -f 4000; exec "$0" "$@"`,
    process.execPath,
    '--no-warnings',
    '--import',
    fromSources,
    script,
    pathOf('limited.db'),
  ]
  expect(await mustRun('sh', limited, root)).toMatch(/^store_(?:failed|full)\nall there\n$/)
})

test('a damaged entry is an error for who reads it, and for nobody else', async () => {
  const path = pathOf('damaged-entry.db')
  const writer = sqliteStore(path)
  const entries = Array.from({ length: 10 }, (_, index) => entryOf(user(`lamp ${index}`)))
  await writer.append('t', entries)
  writer.close()
  withDatabase(path, `update entry set payload = replace(payload, '"version":2', '"version":"x') where seq = 3`)
  using store = sqliteStore(path)
  for (let count = 0; count < 100; count++)
    expect((await store.append('t', [entryOf(user(`chair ${count}`))])).ok).toBe(true)
  await expect(store.read('t')).rejects.toMatchObject({ code: 'corrupt_entry', details: { seq: 3 } })
  expect(await store.read('t', { from: 4 })).toHaveLength(106)
  expect(await store.search('chair', { limit: 1000 })).toHaveLength(100)
  expect(await store.search('lamp')).toHaveLength(9)
})

test('a closed store says so, and can be closed twice', async () => {
  const store = sqliteStore(':memory:')
  store.close()
  store.close()
  const calls = [
    () => store.append('t', [entryOf(user('late'))]),
    () => store.read('t'),
    () => store.claim('t'),
    () => store.list(),
    () => store.search('late'),
    () => store.erase('t'),
    () => store.snapshots.load('t', 'state'),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'store_closed' })
})

test('no error holds what was to be written', async () => {
  using store = sqliteStore(':memory:')
  const entry = entryOf(user('the canary'), undefined, { key: 'canary' })
  const errors = [
    await store.append('t', [{ ...entry, kind: 'canary' as 'user' }]).catch((error: unknown) => error),
    await store
      .append('t', [{ ...entry, raw: { role: 'user', content: { canary: true } } }])
      .catch((error: unknown) => error),
    await store.read('t', { head: 'x' }).catch((error: unknown) => error),
  ]
  expect(errors.map((error) => error instanceof Error)).toEqual([true, true, true])
  expect(errors.map((error) => (error as Error).message).join(' ')).not.toContain('canary')
})

function withDatabase(path: string, sql: string): void {
  using database = new DatabaseSync(path)
  database.exec(sql)
}
