import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { entryOf } from 'minutebook'
import { user } from 'minutebook/testing'
import { migrate, postgresStore } from '@minutebook/postgres'
import { blocksOf, isRunnable } from '../../core/test/support/blocks.ts'
import { fromSources, root, run } from '../../core/test/support/workshop.ts'
import { clusterDatabase } from './support/cluster-database.ts'
import { testCluster, testDatabase } from './support/database.ts'
import { open } from './support/failing.ts'
import { gathered } from './support/gathered.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = blocksOf('README.md', readme)
const database = testDatabase()

test('the README has at most 80 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(80)
})

test('what the README shows can be run', async () => {
  // Where it finds the driver.
  const folder = mkdtempSync(join(root, 'packages/postgres/test/.block-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'block.ts'), blocks.find(isRunnable)?.text ?? 'throw new Error("The README shows nothing.")')
  const { code, stdout, stderr } = await run(process.execPath, ['--no-warnings', '--import', fromSources, join(folder, 'block.ts')], folder, { DATABASE_URL: database.url })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`[ 'Which lamp is on?', 'The red one.' ]`)
  expect(stdout).toContain(`text: 'The red one.'`)
})

test('with the rights that the README gives, a role can run threads, and change or remove no entry', async (context) => {
  const cluster = await testCluster(context, { version: 15, durable: false })
  const { url, administer } = await clusterDatabase(cluster)
  const owner = open({ connectionString: url })
  await migrate(owner)
  await administer(`create role app login nosuperuser nobypassrls password 'app'`)
  await owner.query(blocks.find(({ language }) => language === 'sql')?.text ?? '')
  const app = open({ connectionString: Object.assign(new URL(url), { username: 'app', password: 'app' }).href, pipeline: true })
  expect((await migrate(app)).applied).toEqual([])

  const store = postgresStore(app)
  const [lamp, chair] = [entryOf(user('lamp')), entryOf(user('chair'))]
  expect([(await store.append('t', [lamp])).ok, (await store.append('t', [lamp, chair])).ok, (await store.claim('t')).term]).toEqual([true, true, 1])
  expect([await store.read('t'), await store.read('t', { head: chair.id }), await store.search('lamp'), (await store.list()).threads].map(({ length }) => length)).toEqual([2, 1, 1, 1])
  for (const value of [1, 2]) await store.snapshots.save('t', 'state', { id: lamp.id, seq: value, value }, { only: true, erasures: 0 })
  expect((await store.snapshots.load('t', 'state'))?.value).toBe(2)

  await expect(store.erase('t', [lamp.id])).rejects.toMatchObject({ code: 'store_forbidden' })
  await expect(gathered(store.remove())).rejects.toMatchObject({ code: 'store_forbidden' })
  for (const text of ['update minutebook.entry set payload = payload', 'delete from minutebook.entry', 'truncate minutebook.entry', 'alter table minutebook.entry no force row level security', 'drop table minutebook.word']) {
    await expect(app.query(text)).rejects.toMatchObject({ code: '42501' })
  }
  expect(await store.read('t')).toMatchObject([{ text: 'lamp' }, { text: 'chair' }])
  expect((await postgresStore(owner).erase('t', [lamp.id])).erased).toEqual([lamp.id])
  expect(await gathered(postgresStore(owner).remove())).toMatchObject([{ threads: ['t'] }])
})

test('with the rights that the README names besides, it can erase and remove', async (context) => {
  const cluster = await testCluster(context, { version: 15, durable: false })
  const { url, administer } = await clusterDatabase(cluster)
  const owner = open({ connectionString: url })
  await migrate(owner)
  await administer(`create role app login nosuperuser nobypassrls password 'app'`)
  await owner.query(blocks.find(({ language }) => language === 'sql')?.text ?? '')
  await owner.query('grant update on minutebook.entry to app; grant delete on minutebook.entry, minutebook.word, minutebook.thread to app')
  const store = postgresStore(open({ connectionString: Object.assign(new URL(url), { username: 'app', password: 'app' }).href }))
  const lamp = entryOf(user('lamp'))
  await store.append('t', [lamp])
  expect((await store.erase('t', [lamp.id])).erased).toEqual([lamp.id])
  expect(await gathered(store.remove())).toMatchObject([{ threads: ['t'] }])
})
