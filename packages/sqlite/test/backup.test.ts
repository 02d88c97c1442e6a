import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openBook } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { user } from '@minutebook/testing'
import { backupFile, sqliteStore } from '@minutebook/sqlite'
import { startScript } from '../../../tests/support/process/script-of-test.ts'
import { nextLine } from '../../../tests/support/process/script.ts'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()

const { existsSync: exists, fsyncSync, linkSync, unlinkSync } = fs

/** The file system does this instead, until the end of the test. */
function fakeFiles(fakes: Partial<typeof fs>): void {
  Object.assign(fs, fakes)
  syncBuiltinESMExports()
}
/** This happens to the draft as soon as its pages are copied: the file is then asked how many it has. */
function harmCopy(to: string, harm: (draft: string) => void): void {
  const spy = vi.spyOn(DatabaseSync.prototype, 'prepare')
  spy.mockImplementation(function (this: DatabaseSync, ...asked) {
    spy.mockRestore()
    const statement = this.prepare(...asked)
    if (asked[0] === 'pragma page_count') for (const draft of drafts(to)) harm(join(dirname(to), draft))
    else harmCopy(to, harm)
    return statement
  })
}

afterEach(() => {
  fakeFiles({ existsSync: exists, fsyncSync, linkSync, unlinkSync })
})

const systemError = (code: string): Error => Object.assign(new Error(`${code}: refused by /a/folder`), { code })

/** A file with about this many megabytes of entries. */
async function filled(name: string, megabytes = 1): Promise<string> {
  const path = pathOf(name)
  using store = sqliteStore(path)
  for (let count = 0; count < megabytes; count++)
    await store.append(`thread ${count}`, [entryOf(user(`lamp ${count} ${'a long text '.repeat(90_000)}`))])
  return path
}

describe('a backup', () => {
  test('has all that was acknowledged before it began, and no half of an append, while another process writes', async () => {
    const path = pathOf('written.db')
    const writer = startScript('sqlite/writer.ts', path)
    expect(await nextLine(writer)).toBe('open')
    for (let round = 0; round < 5; round++) {
      let acknowledged = ''
      for (let pairs = 0; pairs < 20; pairs++) acknowledged = (await nextLine(writer)).split(' ')[1]!
      const to = pathOf(`copy-${round}.db`)
      await backupFile(path, to)
      using copy = sqliteStore(to, { readOnly: true })
      const entries = await copy.read('t')
      expect(entries.map(({ id }) => id)).toContain(acknowledged)
      expect([entries.length % 2, isChain(entries)]).toEqual([0, true])
    }
  })

  test('is what the file was at the call, however much is written while it is copied', async () => {
    const path = await filled('moving.db', 24)
    using store = sqliteStore(path)
    const before = await store.standing('thread 0')
    const reports: [copied: number, total: number][] = []
    const { bytes } = await backupFile(path, pathOf('still.db'), {
      progress: (...report) => {
        // A copy that begins again with each of these commits would report more often.
        if (reports.push(report) <= 100) void store.append('meanwhile', [entryOf(user(`word ${reports.length}`))])
      },
    })
    expect(reports.length).toBeGreaterThan(3)
    expect(reports.length).toBeLessThan(20)
    expect(reports.at(-1)![0]).toBeLessThanOrEqual(bytes)
    expect(await store.read('meanwhile')).not.toEqual([])
    using copy = sqliteStore(pathOf('still.db'), { readOnly: true })
    expect(await copy.read('meanwhile')).toEqual([])
    expect(await copy.standing('thread 0')).toEqual(before)
  })

  test('is one file for this user alone, and can be read where nothing may be written', async () => {
    const to = pathOf('vault/copy.db')
    mkdirSync(dirname(to))
    await backupFile(await filled('source.db'), to)
    expect(readdirSync(dirname(to))).toEqual(['copy.db'])
    if (process.platform !== 'win32') expect(statSync(to).mode & 0o777).toBe(0o600)
    const before = readFileSync(to)
    chmodSync(dirname(to), 0o500)
    using copy = sqliteStore(to, { readOnly: true })
    expect(await copy.read('thread 0')).toHaveLength(1)
    expect(await openBook({ store: copy }).thread('thread 0').verify()).toMatchObject({ ok: true })
    chmodSync(dirname(to), 0o700)
    expect([readdirSync(dirname(to)), readFileSync(to).equals(before)]).toEqual([['copy.db'], true])
  })

  test('is whole if two calls make one of the same name at once: one of them fails', async () => {
    const [path, to] = [await filled('twice.db', 12), pathOf('vault2/copy.db')]
    mkdirSync(dirname(to))
    const made = await Promise.allSettled([backupFile(path, to), backupFile(path, to)])
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'backup_exists' } })
    expect([readdirSync(dirname(to)), statSync(to).size]).toEqual([['copy.db'], statSync(path).size])
    if (process.platform !== 'win32') expect(statSync(to).mode & 0o777).toBe(0o600)
    using copy = sqliteStore(to, { readOnly: true })
    expect((await copy.list()).threads).toHaveLength(12)
  })

  test('is made where the file system has no links', async () => {
    fakeFiles({
      linkSync: () => {
        throw systemError('EPERM')
      },
    })
    const to = pathOf('vault3/copy.db')
    mkdirSync(dirname(to))
    await backupFile(await filled('without links.db'), to)
    expect(readdirSync(dirname(to))).toEqual(['copy.db'])
    using copy = sqliteStore(to, { readOnly: true })
    expect(await copy.read('thread 0')).toHaveLength(1)
  })

  test('is a file to go on with', async () => {
    const to = pathOf('next.db')
    await backupFile(await filled('last.db'), to)
    using store = sqliteStore(to)
    await store.append('thread 0', [entryOf(user('and on'))])
    expect(await store.search('lamp')).toHaveLength(1)
    expect(await store.read('thread 0')).toHaveLength(2)
  })
})

describe('no backup', () => {
  test('replaces a file', async () => {
    const [path, to] = [await filled('one.db'), pathOf('taken.db')]
    writeFileSync(to, 'mine')
    await expect(backupFile(path, to)).rejects.toMatchObject({ code: 'backup_exists' })
    expect(readFileSync(to, 'utf8')).toBe('mine')
    // Also one that comes while it is made.
    const late = pathOf('late.db')
    const report = (): void => writeFileSync(late, 'mine')
    await expect(backupFile(await filled('two.db', 8), late, { progress: report })).rejects.toMatchObject({
      code: 'backup_exists',
    })
    expect(readFileSync(late, 'utf8')).toBe('mine')
    expect(drafts(late)).toEqual([])
    // Or at the last moment.
    const last = pathOf('last moment.db')
    fakeFiles({
      existsSync: (asked) => asked !== last && exists(asked),
      fsyncSync: () => writeFileSync(last, 'mine'),
    })
    await expect(backupFile(path, last)).rejects.toMatchObject({ code: 'backup_exists' })
    expect(readFileSync(last, 'utf8')).toBe('mine')
    expect(drafts(last)).toEqual([])
  })

  test.each<[string, (draft: string) => void]>([
    ['is removed', (draft) => rmSync(draft)],
    ['is cut off', (draft) => truncateSync(draft, 8192)],
    ['is emptied', (draft) => truncateSync(draft, 0)],
  ])('has a name if what was copied %s: the copy is damaged, the file is not', async (what, harm) => {
    const [path, to] = [await filled('harmed.db'), pathOf(`harmed copy ${what}.db`)]
    harmCopy(to, harm)
    await expect(backupFile(path, to)).rejects.toMatchObject({
      code: 'store_corrupt',
      message: expect.stringMatching(/^The copy of "harmed\.db" is damaged.* minutebook verify --all/) as string,
    })
    expect([existsSync(to), drafts(to)]).toEqual([false, []])
  })

  test.each<[keyof typeof fs, string, string]>([
    ['fsyncSync', 'EIO', 'store_failed'],
    ['fsyncSync', 'ENOSPC', 'store_full'],
    ['unlinkSync', 'EACCES', 'store_failed'],
  ])('fails with an error of the system: %s, %s', async (call, code, expected) => {
    const path = await filled(`${code}.db`)
    fakeFiles({
      [call]: () => {
        throw systemError(code)
      },
    })
    const failing = backupFile(path, pathOf(`${code} copy.db`))
    await expect(failing).rejects.toMatchObject({ code: expected, name: 'MinutebookError' })
    await expect(failing).rejects.toThrow(`"${code} copy.db"`)
    expect(drafts(path)).toEqual([])
  })

  test.each<[string, (path: string) => void | Promise<void>, string]>([
    ['a file that does not exist', () => undefined, 'store_missing'],
    ['what is no database', (path) => writeFileSync(path, 'Dear diary, '.repeat(100)), 'not_a_store'],
    ['a file of another program', (path) => withDatabase(path, 'create table diary (page text)'), 'not_a_store'],
    [
      'a file with a damaged page',
      async (path) => {
        const bytes = readFileSync(await filled('sound.db'))
        bytes.fill(0xff, bytes.length - 4096 * 3, bytes.length - 4096 * 2)
        writeFileSync(path, bytes)
      },
      'store_corrupt',
    ],
  ])('is made of %s, and nothing is left', async (name, prepare, code) => {
    const [path, to] = [pathOf(`${name}.db`), pathOf(`${name} copy.db`)]
    await prepare(path)
    await expect(backupFile(path, to)).rejects.toMatchObject({ code })
    expect([existsSync(to), drafts(to)]).toEqual([false, []])
  })

  test('is made in a folder that does not exist', async () => {
    await expect(backupFile(await filled('three.db'), pathOf('nowhere/copy.db'))).rejects.toMatchObject({
      code: 'store_unreachable',
      message: expect.stringContaining('Create its folder first') as string,
    })
  })
})

function drafts(to: string): string[] {
  return readdirSync(dirname(to)).filter((name) => name.includes('.part'))
}

function withDatabase(path: string, statement: string): void {
  const database = new DatabaseSync(path)
  database.exec(statement)
  database.close()
}

function isChain(entries: readonly { readonly id: string; readonly parent: string | null }[]): boolean {
  return entries.every(({ parent }, index) => parent === (entries[index - 1]?.id ?? null))
}
