import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { assistant, user } from '@minutebook/testing'
import { migrateDatabase } from '../../src/index.ts'
import { blocksOf } from '../../../../tests/support/blocks.ts'
import { clusterDatabase } from '../../../../tests/support/postgres/cluster-database.ts'
import { testCluster } from '../../../../tests/support/postgres/database.ts'
import { paths, post } from '../gateway/support/post.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { storeOf, threadsIn } from './support/record.ts'

/** The rights that the store's own README gives to a role that runs threads and turns. */
const readme = readFileSync(new URL('../../../postgres/README.md', import.meta.url), 'utf8')
const rights = blocksOf('README.md', readme)
  .filter(({ language }) => language === 'sql')
  .map(({ text }) => text)
  .join('\n')

const forbidden = [
  'update minutebook.entry set payload = payload',
  'delete from minutebook.entry',
  'truncate minutebook.entry',
  'drop table minutebook.entry',
  'alter table minutebook.entry disable row level security',
]

test('A15: the gateway needs no right to change or remove an entry, and so nobody with its password can', async (context) => {
  const { url, administer } = await clusterDatabase(await testCluster(context, { version: 15, durable: false }))
  const pool = (connectionString: string): pg.Pool => {
    const opened = new pg.Pool({ connectionString })
    // The database is dropped while the connection may still be there.
    opened.on('error', () => undefined)
    onTestFinished(() => opened.end())
    return opened
  }
  const owner = pool(url)
  await migrateDatabase(url)
  await administer(`create role app login nosuperuser nobypassrls password 'app'`)
  await owner.query(rights)
  const database = Object.assign(new URL(url), { username: 'app', password: 'app' }).href
  const { running } = await gatewayBefore({}, { database })
  const say = (messages: readonly object[]): ReturnType<typeof post> =>
    post(running.url, paths.openai, { model: 'strict', messages })
  expect([(await say([user('a')])).status, (await say([user('a'), assistant('ok'), user('b')])).status]).toEqual([
    200, 200,
  ])
  for (const statement of forbidden)
    await expect(pool(database).query(statement)).rejects.toMatchObject({ code: '42501' })
  const [thread] = await threadsIn(storeOf(running))
  expect(await running.services.stores.of('default').book.thread(thread!).verify()).toMatchObject({
    ok: true,
    problems: [],
  })

  const client = await owner.connect()
  onTestFinished(() => client.release())
  await client.query(`select set_config('minutebook.tenant', 'default', false)`)
  expect(
    (
      await client.query(
        `update minutebook.entry set payload = replace(payload, '"content":"b"', '"content":"c"') where payload like '%"content":"b"%'`,
      )
    ).rowCount,
  ).toBe(1)
  expect(await running.services.stores.of('default').book.thread(thread!).verify()).toMatchObject({ ok: false })
})
