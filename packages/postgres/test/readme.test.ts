import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { expect, onTestFinished, test, type TestContext } from 'vitest'
import { openBook } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { systemClock } from 'minutebook/clock'
import { scriptedModel, user } from '@minutebook/testing'
import { migrate, postgresStore, postgresTurns } from '@minutebook/postgres'
import { blocksOf, isRunnable } from '../../../tests/support/blocks.ts'
import { fromSources, root, run } from '../../../tests/support/workshop.ts'
import { clusterDatabase } from '../../../tests/support/postgres/cluster-database.ts'
import { testCluster, testDatabase } from '../../../tests/support/postgres/database.ts'
import { open } from '../../../tests/support/postgres/failing.ts'
import { gathered } from '../../../tests/support/postgres/gathered.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = blocksOf('README.md', readme)
const database = testDatabase()

/** What is granted to run threads, and what to run turns. */
const [threadRights = '', turnRights = ''] = blocks.filter(({ language }) => language === 'sql').map(({ text }) => text)

test('what the README shows of a store can be run', async () => {
  const printed = await runBlock(0)
  expect(printed).toContain(`[ 'Which lamp is on?', 'The red one.' ]`)
  expect(printed).toContain(`text: 'The red one.'`)
})

test('what the README shows of turns can be run', async () => {
  const answer = 'You said: Hello, who are you?'
  const [followed, ...rest] = (await runBlock(1)).split('\n')
  expect(rest).toEqual([answer, 'cancelled', ''])
  // From wherever it was taken up.
  expect(answer.endsWith(followed!)).toBe(true)
})

test('the rights that the README gives are those that grantRights grants', () => {
  const file = (name: string): string =>
    readFileSync(new URL(`../sql/rights/${name}.sql`, import.meta.url), 'utf8').replace(/^--.*\n/, '')
  expect([threadRights, turnRights].map((text) => text.trim())).toEqual([file('threads').trim(), file('turns').trim()])
})

test('with the rights that the README gives, a role can run threads, and change or remove no entry', async (context) => {
  const { owner, app } = await roles(context)
  expect((await migrate(app)).applied).toEqual([])

  const store = postgresStore(app)
  const [lamp, chair] = [entryOf(user('lamp')), entryOf(user('chair'))]
  expect([
    (await store.append('t', [lamp])).ok,
    (await store.append('t', [lamp, chair])).ok,
    (await store.claim('t')).term,
  ]).toEqual([true, true, 1])
  expect(
    [
      await store.read('t'),
      await store.read('t', { head: chair.id }),
      await store.search('lamp'),
      (await store.list()).threads,
    ].map(({ length }) => length),
  ).toEqual([2, 1, 1, 1])
  for (const value of [1, 2])
    await store.snapshots.save('t', 'state', { id: lamp.id, seq: value, value }, { only: true, erasures: 0 })
  expect((await store.snapshots.load('t', 'state'))?.value).toBe(2)
  for (const name of ['one', 'two'])
    await store.segments.change('t', { stored: [{ name, pieces: [new Uint8Array([1])] }], removed: ['one'] }, 0)
  expect(await store.segments.list('t')).toEqual(['two'])
  expect(await store.segments.read('t', [{ segment: 'two', piece: 0 }])).toEqual([new Uint8Array([1])])

  await expect(store.erase('t', [lamp.id])).rejects.toMatchObject({ code: 'store_forbidden' })
  await expect(gathered(store.removeThreads({ all: true }))).rejects.toMatchObject({ code: 'store_forbidden' })
  for (const text of [
    'update minutebook.entry set payload = payload',
    'delete from minutebook.entry',
    'truncate minutebook.entry',
    'alter table minutebook.entry no force row level security',
    'drop table minutebook.word',
  ]) {
    await expect(app.query(text)).rejects.toMatchObject({ code: '42501' })
  }
  expect(await store.read('t')).toMatchObject([{ text: 'lamp' }, { text: 'chair' }])
  expect((await postgresStore(owner).erase('t', [lamp.id])).erased).toEqual([lamp.id])
  expect(await gathered(postgresStore(owner).removeThreads({ all: true }))).toMatchObject([{ threads: ['t'] }])
})

test('with the rights that the README gives for turns, a role can run them', async (context) => {
  const { owner, app } = await roles(context)
  await (await postgresTurns(owner)).close()
  await expect(postgresTurns(app)).rejects.toMatchObject({ code: 'store_forbidden' })
  await owner.query(turnRights)
  const failures: unknown[] = []
  const turns = await postgresTurns(app, { onError: (error) => failures.push(error) })
  const book = openBook({ ...turns.tenant(), clock: systemClock, model: scriptedModel(['The red one.']), window: 4096 })
  const stop = await book.work()
  expect(await book.thread('t').send('Which lamp is on?').done).toMatchObject({
    status: 'complete',
    text: 'The red one.',
  })
  // Once the queue was looked after, too.
  await pause(2500)
  await stop()
  await turns.close()
  expect(failures).toEqual([])
})

test('with the rights that the README names besides, it can erase and remove', async (context) => {
  const { owner, app } = await roles(context)
  await owner.query(
    'grant update on minutebook.entry to app; grant delete on minutebook.entry, minutebook.image, minutebook.word, minutebook.thread to app',
  )
  const store = postgresStore(app)
  const lamp = entryOf(user('lamp'))
  await store.append('t', [lamp])
  expect((await store.erase('t', [lamp.id])).erased).toEqual([lamp.id])
  expect(await gathered(store.removeThreads({ all: true }))).toMatchObject([{ threads: ['t'] }])
})

/**
 * A database of its own cluster: as whoever made the tables, and as a role with the rights that the README gives for
 * threads.
 */
async function roles(context: TestContext): Promise<{ owner: Pool; app: Pool }> {
  const { url, administer } = await clusterDatabase(await testCluster(context, { version: 15, durable: false }))
  const owner = open({ connectionString: url })
  await migrate(owner)
  await administer(`create role app login nosuperuser nobypassrls password 'app'`)
  await owner.query(threadRights)
  return {
    owner,
    app: open({
      connectionString: Object.assign(new URL(url), { username: 'app', password: 'app' }).href,
      pipeline: true,
    }),
  }
}

/** What one of the README's blocks prints. */
async function runBlock(index: number): Promise<string> {
  // Where it finds the driver.
  const folder = mkdtempSync(join(root, 'packages/postgres/test/.block-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, 'block.ts'),
    blocks.filter(isRunnable)[index]?.text ?? 'throw new Error("The README does not show it.")',
  )
  const { code, stdout, stderr } = await run(
    process.execPath,
    ['--no-warnings', '--import', fromSources, join(folder, 'block.ts')],
    folder,
    { DATABASE_URL: database.url },
  )
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
