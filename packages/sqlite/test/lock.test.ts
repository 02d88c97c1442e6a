import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entryOf } from 'minutebook/store'
import { user } from '@minutebook/testing'
import { sqliteStore } from '@minutebook/sqlite'
import { refusal } from '../../../tests/support/refusal.ts'
import { startScript } from '../../../tests/support/process/script-of-test.ts'
import { nextLine } from '../../../tests/support/process/script.ts'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()

describe('a file that is open', () => {
  test('cannot be opened again in the same process, and the error says what to do', () => {
    mkdirSync(pathOf('secret-folder'))
    const path = pathOf('secret-folder/once.db')
    using first = sqliteStore(path)
    const error = refusal(() => sqliteStore(path))
    expect(error.code).toBe('store_locked')
    expect(error.message).toBe(
      '"once.db" is open already, here or in another process. Close it there first (`store.close()`, or end the other process): only one process writes to a file. To read it next to that process: sqliteStore(path, { readOnly: true }), or minutebook console FILE.',
    )
    expect(JSON.stringify([error.message, error.details])).not.toContain('secret-folder')
    first.close()
    sqliteStore(path).close()
  })

  test('cannot be opened under another name', () => {
    using first = sqliteStore(pathOf('named.db'))
    symlinkSync(pathOf('named.db'), pathOf('symlinked.db'))
    expect(refusal(() => sqliteStore(pathOf('symlinked.db'))).code).toBe('store_locked')
    linkSync(pathOf('named.db'), pathOf('linked.db'))
    expect(refusal(() => sqliteStore(pathOf('linked.db'))).code).toBe('store_linked')
    expect(refusal(() => sqliteStore(pathOf('linked.db'), { readOnly: true })).code).toBe('store_linked')
    first.close()
  })

  test('loses nothing to a second writer, even if its process has read it with fs', async () => {
    const path = pathOf('read-with-fs.db')
    const store = sqliteStore(path)
    await store.append('t', [entryOf(user('before'))])
    readFileSync(path)
    const second = startScript('sqlite/holder.ts', path)
    expect(await nextLine(second)).toBe('store_locked')
    await second.ended
    expect(existsSync(`${path}-wal`)).toBe(true)
    await store.append('t', [entryOf(user('after'))])
    store.close()
    using again = sqliteStore(path)
    expect((await again.read('t')).map(({ text }) => text)).toEqual(['before', 'after'])
  })

  test('goes on for the one that has it', async () => {
    using store = sqliteStore(pathOf('on.db'))
    refusal(() => sqliteStore(pathOf('on.db')))
    expect((await store.append('t', [entryOf(user('still here'))])).ok).toBe(true)
  })

  test('keeps out another process, from before the first write on', async () => {
    const path = pathOf('here.db')
    const store = sqliteStore(path)
    const child = startScript('sqlite/holder.ts', path)
    expect(await nextLine(child)).toBe('store_locked')
    await child.ended
    await store.append('t', [entryOf(user('said'))])
    const other = startScript('sqlite/holder.ts', path)
    expect(await nextLine(other)).toBe('store_locked')
    await other.ended
    store.close()
    const last = startScript('sqlite/holder.ts', path)
    expect(await nextLine(last)).toBe('open')
    last.process.kill('SIGKILL')
    await last.ended
  })

  test('in another process cannot be opened here until that process is killed', async () => {
    const path = pathOf('there.db')
    const child = startScript('sqlite/holder.ts', path)
    expect(await nextLine(child)).toBe('open')
    expect(refusal(() => sqliteStore(path)).code).toBe('store_locked')
    child.process.kill('SIGKILL')
    await child.ended
    sqliteStore(path).close()
  })

  test('can be waited for', async () => {
    const path = pathOf('waited.db')
    const child = startScript('sqlite/holder.ts', path)
    expect(await nextLine(child)).toBe('open')
    const killer = startScript('sqlite/killer.ts', String(child.process.pid), '300')
    expect(await nextLine(killer)).toBe('waiting')
    sqliteStore(path, { wait: 20_000 }).close()
    await Promise.all([child.ended, killer.ended])
  })

  test('is not the business of another file or of memory', () => {
    using one = sqliteStore(pathOf('one.db'))
    using two = sqliteStore(pathOf('two.db'))
    using three = sqliteStore(':memory:')
    using four = sqliteStore(':memory:')
    expect(new Set([one, two, three, four]).size).toBe(4)
  })
})
