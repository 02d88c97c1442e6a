import fc from 'fast-check'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { entryOf } from 'minutebook/store'
import { sqliteStore } from '@minutebook/sqlite'
import { user } from '@minutebook/testing'
import { createCommits, type Commits, type LogFile } from '../src/commits.ts'
import { temporaryFolder } from '../../../tests/support/sqlite/folder.ts'

const pathOf = temporaryFolder()

/** Calls of `fdatasync` that wait for the test; undefined if they go to the disk. */
const held: { calls: ((error?: Error) => void)[] | undefined } = { calls: undefined }
const { fdatasync } = fs

beforeEach(() => {
  const holding = (descriptor: number, done: (error: Error | null) => void): void => {
    if (!held.calls) return fdatasync(descriptor, done)
    held.calls.push((error) => done(error ?? null))
  }
  Object.assign(fs, { fdatasync: holding })
  syncBuiltinESMExports()
})
afterEach(() => {
  held.calls = undefined
  Object.assign(fs, { fdatasync })
  syncBuiltinESMExports()
})

test('what was written comes out only when it is on the disk, and other threads do not wait for it', async () => {
  const store = sqliteStore(pathOf('held.db'))
  await store.append('other', [entryOf(user('Here since yesterday'))])
  const calls = (held.calls = [])
  const out: string[] = []
  const told = (name: string, call: Promise<unknown>): Promise<unknown> => call.then(() => out.push(name))
  const record = { name: 'mark', value: 'new' }
  const waiting = [
    told('append', store.append('thread', [entryOf(user('Written a moment ago'))], { records: [record] })),
  ]
  await expect.poll(() => calls.length).toBe(1)
  waiting.push(
    told('read', store.read('thread')),
    told('standing', store.standing('thread')),
    told('find', store.records.find({ name: 'mark' })),
    told('list', store.list()),
    told('search', store.search('moment')),
  )
  expect(await store.read('other')).toHaveLength(1)
  expect(await store.standing('other')).toMatchObject({ length: 1 })
  expect(await store.records.find({ name: 'no such mark' })).toEqual([])
  expect(out).toEqual([])
  held.calls = undefined
  for (const done of calls as (() => void)[]) done()
  await Promise.all(waiting)
  expect(out.toSorted()).toEqual(['append', 'find', 'list', 'read', 'search', 'standing'])
  store.close()
})

test('a record that was removed is missed only when that is on the disk', async () => {
  const store = sqliteStore(pathOf('removed.db'))
  await store.records.put('thread', [{ name: 'mark', value: 1 }])
  const calls: (() => void)[] = (held.calls = [])
  let missed: unknown
  const removal = store.records.put('thread', [{ name: 'mark', value: null, remove: true }])
  await expect.poll(() => calls.length).toBe(1)
  const finding = store.records.find({ name: 'mark' }).then((found) => (missed = found))
  await new Promise((resolve) => void setImmediate(resolve))
  expect(missed).toBeUndefined()
  held.calls = undefined
  for (const done of calls) done()
  await Promise.all([removal, finding])
  expect(missed).toEqual([])
  store.close()
})

test('if the disk fails, the log is written into the file; a call is acknowledged only after that', async () => {
  const path = pathOf('failing.db')
  const store = sqliteStore(path)
  const first = entryOf(user('first'))
  await store.append('thread', [first])
  // A reader in the middle of its work keeps the log from being emptied.
  const reader = new DatabaseSync(path)
  reader.exec('begin')
  reader.prepare('select * from entry').all()
  const calls: ((error?: Error) => void)[] = (held.calls = [])
  const second = entryOf(user('second'), first)
  const refused = store.append('thread', [second]).catch((error: unknown) => error)
  await expect.poll(() => calls.length).toBe(1)
  held.calls = undefined
  calls[0]?.(new Error('EIO'))
  expect(await refused).toMatchObject({ code: 'store_failed' })
  // The disk is asked no more: it may say that all is well although it has lost what it could not write.
  expect(await store.append('thread', [second]).catch((error: unknown) => error)).toMatchObject({
    code: 'store_failed',
  })
  reader.close()
  expect(await store.append('thread', [second])).toMatchObject({ ok: true })
  expect(await store.read('thread')).toHaveLength(2)
  store.close()
})

test('a call waits exactly for the commits that changed its threads, and those share the disk', async () => {
  const thread = fc.constantFrom('a', 'b', undefined)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), thread }),
    fc.record({ kind: fc.constant('ask' as const), thread }),
    fc.record({ kind: fc.constant('sync' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { commits, finish, started } = createDriven()
      /** The commits by thread, and how many of them were there when the disk was last asked, and last done. */
      const added: (string | undefined)[] = []
      let [asked, done] = [0, 0]
      for (const each of steps) {
        if (each.kind === 'sync') {
          if (!(await finish())) continue
          done = asked
          asked = added.length
        } else if (each.kind === 'add') {
          commits.add(each.thread)
          added.push(each.thread)
          if (asked === done) asked = added.length
        } else {
          const isWaiting = commits.onDisk(each.thread === undefined ? undefined : [each.thread]) !== undefined
          const open = added.slice(done)
          const concerns = open.filter((one) => each.thread === undefined || one === undefined || one === each.thread)
          expect(isWaiting).toBe(concerns.length > 0)
        }
        expect(started()).toBeLessThanOrEqual(1)
      }
    }),
  )
})

/** Commits whose disk is done when the test says so. */
function createDriven(): { commits: Commits; finish: () => Promise<boolean>; started: () => number } {
  const open: (() => void)[] = []
  const log: LogFile = { sync: () => new Promise((resolve) => void open.push(resolve)), close: () => undefined }
  return {
    commits: createCommits(new DatabaseSync(':memory:'), 'file.db', log),
    finish: async () => {
      const done = open.shift()
      done?.()
      await new Promise((resolve) => void setImmediate(resolve))
      return done !== undefined
    },
    started: () => open.length,
  }
}

test('any number of threads can be waited for', () => {
  const commits = createCommits(new DatabaseSync(':memory:'), 'file.db', {
    sync: async () => undefined,
    close: () => undefined,
  })
  expect(commits.onDisk(Array.from({ length: 300_000 }, () => 't'))).toBe(undefined)
})
