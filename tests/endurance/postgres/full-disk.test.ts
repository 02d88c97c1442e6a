import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openBook, type Entry, type MinutebookError, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { user } from '@minutebook/testing'
import { migrate, postgresStore } from '@minutebook/postgres'
import { clusterDatabase } from '../../support/postgres/cluster-database.ts'
import { testCluster } from '../../support/postgres/database.ts'
import { canary, open } from '../../support/postgres/failing.ts'
import { smallDisk } from '../../support/postgres/small-disk.ts'

/** The newest alone, unless it is run for its own sake (DISKS=all). */
const isLong = process.env['DISKS'] === 'all'

describe.each(isLong ? ([15, 18] as const) : ([18] as const))('a disk without room, on Postgres %s', (version) => {
  test.for(isLong ? [{ pipeline: true }, { pipeline: false }] : [{ pipeline: true }])(
    'fails what would be written, spoils nothing, and goes on when there is room, pipeline: $pipeline',
    async ({ pipeline }, context) => {
      const disk = smallDisk(context, 24)
      const cluster = await testCluster(context, { version })
      const { administer } = await clusterDatabase(cluster)
      await administer(`create tablespace small location '${disk.folder}'`)
      await administer('create database crammed owner minutebook tablespace small')
      const pool = open({
        connectionString: Object.assign(new URL(cluster.url), { pathname: 'crammed' }).href,
        pipeline,
        max: 4,
      })
      await migrate(pool)
      const store = postgresStore(pool)

      const { failed, ...before } = await fill(store)
      expect(failed.map(({ error }) => error.code)).toEqual(failed.map(() => 'store_full'))
      expect(failed.map(({ error }) => error.message).join('')).not.toContain(canary)
      await expectWhole(store, before)
      // What is asked in the same breath is answered all the same.
      const huge = entryOf(user(randomBytes(15_000_000).toString('base64')))
      const [append, read] = await Promise.allSettled([store.append('a', [huge]), store.read('a', { last: 1 })])
      expect([append, read]).toMatchObject([
        { status: 'rejected', reason: { code: 'store_full' } },
        { status: 'fulfilled', value: { length: 1 } },
      ])
      await expectWhole(store, before)

      disk.resize(64)
      for (const each of failed) expect((await store.append(each.thread, [each.entry])).ok).toBe(true)
      await expectWhole(store, { acknowledged: [...before.acknowledged, ...failed] })
      expect(pool.totalCount - pool.idleCount).toBe(0)
    },
  )

  test('under the write-ahead log ends the server: calls say so, nothing acknowledged is lost, and it goes on when there is room', async (context) => {
    const disk = smallDisk(context, 40)
    const cluster = await testCluster(context, { version })
    const { url } = await clusterDatabase(cluster)
    await cluster.kill()
    moveFolder(join(cluster.data, 'pg_wal'), join(disk.folder, 'pg_wal'))
    await cluster.restart()
    const pool = open({ connectionString: url, pipeline: true, max: 4 })
    await migrate(pool)
    const store = postgresStore(pool)

    const { failed, ...before } = await fill(store)
    expect(
      failed.map(({ error }) => error.code).filter((code) => code !== 'store_unreachable' && code !== 'store_full'),
    ).toEqual([])
    expect(failed.map(({ error }) => error.message).join('')).not.toContain(canary)
    expect(cluster.log()).toMatch(/PANIC.*No space left on device/)

    disk.resize(200)
    // It may be down, starting over and over, or stuck (18): ended for good in any case.
    await cluster.kill()
    await cluster.restart()
    for (const each of failed) expect((await store.append(each.thread, [each.entry])).ok).toBe(true)
    await expectWhole(store, { acknowledged: [...before.acknowledged, ...failed] })
  })
})

interface Write {
  readonly thread: string
  readonly entry: Entry
}

/** Four writers, each with a thread of its own, until each of them fails. */
async function fill(store: Store): Promise<{
  readonly acknowledged: readonly Write[]
  readonly failed: readonly (Write & { readonly error: MinutebookError })[]
}> {
  const acknowledged: Write[] = []
  const failed = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (thread) => {
      for (let last: Entry | undefined; ;) {
        const entry: Entry = entryOf(user(`${canary} ${randomBytes(6000).toString('base64')}`), last)
        const error = await store.append(thread, [entry]).then(
          () => undefined,
          (reason: unknown) => reason as MinutebookError,
        )
        if (error) return { thread, entry, error }
        acknowledged.push({ thread, entry })
        last = entry
      }
    }),
  )
  expect(acknowledged.length).toBeGreaterThan(100)
  return { acknowledged, failed }
}

/** Exactly what was acknowledged is there, each thread in order and verified. */
async function expectWhole(store: Store, { acknowledged }: { readonly acknowledged: readonly Write[] }): Promise<void> {
  for (const thread of ['a', 'b', 'c', 'd']) {
    const written = acknowledged.filter((each) => each.thread === thread)
    expect((await store.read(thread)).map(({ id }) => id)).toEqual(written.map(({ entry }) => entry.id))
    expect(await openBook({ store }).thread(thread).verify()).toMatchObject({ ok: true, entries: written.length })
  }
}

/** Postgres follows a link to its write-ahead log. */
function moveFolder(from: string, to: string): void {
  const { uid, gid } = statSync(from)
  mkdirSync(to, { mode: 0o700 })
  chownSync(to, uid, gid)
  const { status, stderr } = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  rmSync(from, { recursive: true })
  symlinkSync(to, from)
}
