import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openBook } from 'minutebook'
import { entryOf, type StoredEntry } from 'minutebook/store'
import { user } from '@minutebook/testing'
import { sqliteStore } from '@minutebook/sqlite'
import { refusal } from '../../../tests/support/refusal.ts'
import { startScript } from '../../../tests/support/process/script-of-test.ts'
import { nextLine } from '../../../tests/support/process/script.ts'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()

describe('a reader beside the writer', () => {
  test('sees each append as soon as it is acknowledged, and no half of one', async () => {
    const path = pathOf('beside.db')
    const writer = startScript('sqlite/writer.ts', path)
    expect(await nextLine(writer)).toBe('open')
    await nextLine(writer)
    using reader = sqliteStore(path, { readOnly: true })
    let before = 0
    for (let round = 0; round < 40; round++) {
      const [, acknowledged] = (await nextLine(writer)).split(' ')
      const [entries, { length }] = [await reader.read('t'), await reader.standing('t')]
      expect(entries.map(({ id }) => id)).toContain(acknowledged)
      expect([entries.length % 2, isChain(entries), entries.length >= before]).toEqual([0, true, true])
      expect(length).toBeGreaterThanOrEqual(entries.length)
      before = entries.length
    }
    expect((await reader.list()).threads.map(({ thread }) => thread)).toEqual(['t'])
  })

  test('reads turns of a running program, verifies them, and keeps no second writer in', async () => {
    const path = pathOf('app.db')
    const app = startScript('sqlite/app.ts', path)
    expect(await nextLine(app)).toBe('1')
    using reader = sqliteStore(path, { readOnly: true })
    const thread = openBook({ store: reader }).thread('garden')
    for (let round = 0; round < 10; round++) {
      await nextLine(app)
      expect(await thread.verify()).toMatchObject({ ok: true, problems: [] })
      const receipt = (await thread.receipts()).at(-1)!.id
      expect((await thread.dump({ receipt })).same).toBe(true)
    }
    expect(refusal(() => sqliteStore(path)).code).toBe('store_locked')
    const second = startScript('sqlite/app.ts', path)
    expect(await nextLine(second)).toContain('To read it next to that process')
    expect(Number(await nextLine(app))).toBeGreaterThan(10)
  })

  test('stays while the writer comes and goes, also if that is killed', async () => {
    const path = pathOf('comes-and-goes.db')
    sqliteStore(path).close()
    using reader = sqliteStore(path, { readOnly: true })
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const writer = startScript('sqlite/writer.ts', path)
      await nextLine(writer)
      const [, acknowledged] = (await nextLine(writer)).split(' ')
      writer.process.kill(signal)
      await writer.ended
      expect((await reader.read('t')).map(({ id }) => id)).toContain(acknowledged)
    }
  })

  test('leaves the newest entries in the file when the writer closes, so that a copy of it has all', async () => {
    const path = pathOf('copied.db')
    const writer = sqliteStore(path)
    using reader = sqliteStore(path, { readOnly: true })
    await writer.append('t', [entryOf(user('said'))])
    expect(await reader.read('t')).toHaveLength(1)
    writer.close()
    copyFileSync(path, pathOf('copy.db'))
    using copy = sqliteStore(pathOf('copy.db'), { readOnly: true })
    expect(await copy.read('t')).toHaveLength(1)
  })

  test('leaves nothing of what the writer erases', async () => {
    const path = pathOf('erased.db')
    using writer = sqliteStore(path)
    using reader = sqliteStore(path, { readOnly: true })
    await writer.append('t', [entryOf(user('the secret word'))])
    expect(await reader.search('secret')).toHaveLength(1)
    const { remains } = await writer.erase('t')
    expect(remains.join(' ')).not.toContain('-wal')
    expect(await reader.search('secret')).toEqual([])
    expect((await reader.read('t')).map(({ status }) => status)).toEqual(['erased'])
  })
})

describe('a reader', () => {
  test('finds what the index does not have yet, the newest first, in one thread or all', async () => {
    const path = pathOf('search.db')
    using writer = sqliteStore(path)
    const say = (thread: string, texts: readonly string[]): Promise<unknown> =>
      writer.append(
        thread,
        texts.map((text) => entryOf(user(text))),
      )
    await say('old', ['a red lamp', 'a blue lamp', 'a chair'])
    await writer.search('lamp')
    await say('new', ['a green lamp', 'a lamppost', 'LAMP, again'])
    using reader = sqliteStore(path, { readOnly: true })
    const textsOf = async (...query: Parameters<typeof reader.search>): Promise<string[]> =>
      (await reader.search(...query)).map(({ text }) => text)
    const all = ['LAMP, again', 'a green lamp', 'a blue lamp', 'a red lamp']
    expect(await textsOf('lamp')).toEqual(all)
    expect(await textsOf('lamp', { limit: 3 })).toEqual(all.slice(0, 3))
    expect(await textsOf('lamp', { thread: 'old' })).toEqual(all.slice(2))
    expect(await textsOf('lamp', { thread: 'new' })).toEqual(all.slice(0, 2))
    expect(await textsOf('')).toEqual([])
    expect(await writer.search('lamp')).toEqual(await reader.search('lamp'))
  })

  test('writes nothing, and each method that would says so', async () => {
    const path = pathOf('unchanged.db')
    const writer = sqliteStore(path)
    await writer.append('t', [entryOf(user('said'))], { records: [{ name: 'lamp', value: 'on' }] })
    writer.close()
    const before = readFileSync(path)
    {
      using reader = sqliteStore(path, { readOnly: true })
      const refused = { code: 'read_only', fix: expect.stringContaining('without readOnly') as string }
      await expect(reader.append('t', [entryOf(user('more'))])).rejects.toMatchObject(refused)
      await expect(reader.claim('t')).rejects.toMatchObject(refused)
      await expect(reader.erase('t')).rejects.toMatchObject(refused)
      await expect(reader.records.put(null, [{ name: 'lamp', value: 'on' }])).rejects.toMatchObject(refused)
      await expect(reader.records.remove('t', 'lamp')).rejects.toMatchObject(refused)
      await reader.snapshots.save('t', 'state', { id: 'x', seq: 0, value: 1 })
      expect(await reader.snapshots.load('t', 'state')).toBeUndefined()
      expect(await reader.records.find({ name: 'lamp' })).toHaveLength(1)
    }
    expect(readFileSync(path)).toEqual(before)
  })

  test('keeps no writer out', () => {
    const path = pathOf('later.db')
    sqliteStore(path).close()
    using _reader = sqliteStore(path, { readOnly: true })
    sqliteStore(path).close()
  })

  test.each<[string, (path: string) => void, string, string]>([
    ['does not exist', () => undefined, 'store_missing', '"x.db" does not exist.'],
    ['is empty', (path) => writeFileSync(path, ''), 'not_a_store', '"x.db" is empty.'],
    ['is no database', (path) => writeFileSync(path, 'Dear diary, '.repeat(100)), 'not_a_store', 'is not a database.'],
    [
      'is of another program',
      (path) => withDatabase(path, 'create table diary (page)'),
      'not_a_store',
      'another program',
    ],
    ['is newer', (path) => withLayout(path, 99), 'store_newer', 'Update @minutebook/sqlite, or @minutebook/cli'],
    ['is older', (path) => copyFileSync(fixture, path), 'store_older', 'Read it with that version'],
  ])('refuses a file that %s, and leaves it alone', (name, prepare, code, text) => {
    const path = pathOf(`${name.replaceAll(' ', '-')}-x.db`)
    prepare(path)
    const before = existsSync(path) ? readFileSync(path) : undefined
    const error = refusal(() => sqliteStore(path, { readOnly: true }))
    expect([error.code, error.message.replace(/"[^"]*x\.db"/, '"x.db"')]).toEqual([code, expect.stringContaining(text)])
    expect(existsSync(path) ? readFileSync(path) : undefined).toEqual(before)
  })
})

test('a file that is not ours gets no lock next to it', () => {
  const path = pathOf('diary.txt')
  writeFileSync(path, 'Dear diary, '.repeat(100))
  expect(refusal(() => sqliteStore(path)).code).toBe('not_a_store')
  expect(existsSync(`${path}-lock`)).toBe(false)
})

test('the lock is an empty file for the same users', () => {
  const path = pathOf('rights.db')
  writeFileSync(path, '', { mode: 0o600 })
  using _store = sqliteStore(path)
  expect(statSync(`${path}-lock`)).toMatchObject({ size: 0, mode: statSync(path).mode })
})

const fixture = fileURLToPath(new URL('./fixtures/v1.db', import.meta.url))

function withDatabase(path: string, statements: string): void {
  using database = new DatabaseSync(path)
  database.exec(statements)
}

function withLayout(path: string, version: number): void {
  sqliteStore(path).close()
  withDatabase(path, `pragma user_version = ${version}`)
}

function isChain(entries: readonly StoredEntry[]): boolean {
  return entries.every(({ parent }, index) => parent === (entries[index - 1]?.id ?? null))
}
