import { statSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openBook, type Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { assistant, call, ollamaPicture, picture, user } from '@minutebook/testing'
import { sqliteStore, type SqliteStore } from '@minutebook/sqlite'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()
const image = 'iVBORw0KGgo'.repeat(100_000)

afterEach(() => void vi.restoreAllMocks())

test('a file grows by an image once, however often a thread says it', async () => {
  const path = pathOf('grown.db')
  using store = sqliteStore(path)
  const entries: Entry[] = []
  for (let count = 0; count < 20; count++) {
    entries.push(
      entryOf(
        count % 2 === 0
          ? picture(`look ${count}`, image)
          : ollamaPicture(`look ${count}`, `data:image/png;base64,${image}`),
        entries.at(-1),
      ),
    )
    await store.append('t', entries.slice(-1))
  }
  store.close()
  expect(statSync(path).size / image.length).toBeLessThan(1.2)
})

test('a read looks up each image once', async () => {
  using store = sqliteStore(':memory:')
  await store.append(
    't',
    Array.from({ length: 50 }, (_, index) =>
      entryOf(picture(`look ${index}`, index % 2 === 0 ? image : image.toLowerCase())),
    ),
  )
  const all = vi.spyOn(StatementSync.prototype, 'all')
  expect((await store.read('t')).map(({ images }) => images.length)).toEqual(Array(50).fill(1))
  const found = all.mock.results.filter(({ value }) =>
    (value as readonly { content?: unknown }[]).some(({ content }) => typeof content === 'string'),
  )
  expect(found).toHaveLength(2)
})

describe.each([
  ['removed', 'delete from image'],
  ['changed', `update image set content = replace(content, 'iVBOR', 'iVBOS')`],
])('an image that was %s', (name, change) => {
  test('is an error for whoever reads its entry, and for nobody else', async () => {
    const path = pathOf(`${name}.db`)
    const first = entryOf(user('lamp'))
    const second = entryOf(picture('look', image), first)
    const third = entryOf(assistant('a lamp', call('c', 'look')), second)
    const writer = sqliteStore(path)
    await writer.append('t', [first, second, third])
    expect(await openBook({ store: writer }).thread('t').verify()).toMatchObject({ ok: true })
    writer.close()
    withDatabase(path, change)

    using store = sqliteStore(path)
    await expect(store.read('t')).rejects.toMatchObject({
      code: 'corrupt_entry',
      details: { seq: 1 },
      message:
        'Entry 1 of the log cannot be read: an image of it is missing or was changed. Restore it from a backup or an export; verify() lists all such entries.',
    })
    for (const range of [{ from: 1, to: 2 }, { last: 2 }, { head: second.id }])
      await expect(store.read('t', range)).rejects.toMatchObject({ code: 'corrupt_entry' })
    expect(await openBook({ store }).thread('t').verify()).toMatchObject({
      ok: false,
      problems: [
        { seq: 1, problem: 'cannot be read' },
        { seq: 2, problem: 'its parent is not before it' },
      ],
    })
    await expect(gathered(openBook({ store }).thread('t').export())).rejects.toMatchObject({ code: 'corrupt_entry' })
    expect([await store.read('t', { from: 2 }), await store.search('lamp')].map(({ length }) => length)).toEqual([1, 2])
    expect((await store.append('t', [entryOf(user('more'), third)], { head: third.id })).ok).toBe(true)
    expect((await store.erase('t', [second.id])).erased).toEqual([second.id])
    expect(await openBook({ store }).thread('t').verify()).toMatchObject({ ok: true, problems: [] })
  })
})

test.each([
  ['points to another image', `update entry set payload = replace(payload, '{"images":[[1,"', '{"images":[[1,"0')`],
  ['points nowhere', `update entry set payload = replace(payload, '{"images":[[1,', '{"images":[[7,')`],
  ['is no list', `update entry set payload = replace(payload, '{"images":[[1,', '{"images":[[null,')`],
  [
    'is gone',
    `update entry set payload = substr(payload, instr(payload, ',"entry":') + 9, length(payload) - instr(payload, ',"entry":') - 9)`,
  ],
])('verify finds an entry whose list of images %s', async (name, change) => {
  const path = pathOf(`${name}.db`)
  const writer = sqliteStore(path)
  await writer.append('t', [entryOf(picture('look', image))])
  writer.close()
  withDatabase(path, change)
  using store = sqliteStore(path)
  expect(await openBook({ store }).thread('t').verify()).toMatchObject({ ok: false, problems: [{ seq: 0 }] })
})

function withDatabase(path: string, sql: string): void {
  using database = new DatabaseSync(path)
  database.exec(sql)
}

async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

test('a long image is kept in pieces, and is of no harm if nobody holds it in the end', async () => {
  const long = 'iVBOR😀'.repeat(1_500_000)
  const path = pathOf('long.db')
  const store = sqliteStore(path)
  const entry = entryOf(picture('look', long))
  expect(await store.append('t', [entry], { head: 'another' })).toMatchObject({ ok: false, reason: 'conflict' })
  expect(piecesIn(path, store)).toBe(0)
  const again = sqliteStore(path)
  await again.append('t', [entry])
  const [read] = await again.read('t')
  expect(read?.images).toEqual(entry.images)
  expect(await again.erase('t')).toMatchObject({ images: 1 })
  expect(piecesIn(path, again)).toBe(0)
})

/** Closes the store: the file is for one alone. */
function piecesIn(path: string, store: SqliteStore): number {
  store.close()
  using database = new DatabaseSync(path)
  return Number(database.prepare('select count(*) as count from image').get()?.['count'])
}
