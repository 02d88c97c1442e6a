import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openBook, type Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { journal, note, ollamaPicture, scriptedModel, user } from '@minutebook/testing'
import { migrate, postgresStore, type PostgresStore } from '@minutebook/postgres'
import { foundIn } from './support/bytes.ts'
import { clusterDatabase, type ClusterDatabase } from '../../../tests/support/postgres/cluster-database.ts'
import type { Cluster } from '../../../tests/support/postgres/cluster.ts'
import { testCluster } from '../../../tests/support/postgres/database.ts'
import { open } from '../../../tests/support/postgres/failing.ts'
import { gathered } from '../../../tests/support/postgres/gathered.ts'

const forks = 'Forks and restored copies of this thread in this store keep what they hold: erase there too.'
const hashes =
  'The ids of erased entries stay, so that the log can still be verified, and so do hashes of prompts that held them. They are SHA-256 without a secret: anyone who reads the store and guesses the exact text can confirm it, as long as the thread is kept.'
const remains = [
  'Postgres keeps the old rows in the files of its tables, even after a plain VACUUM. When no older transaction is open, run VACUUM FULL minutebook.entry, minutebook.image, minutebook.snapshot, minutebook.segment, minutebook.piece, minutebook.word, minutebook.record, minutebook.thread; then CHECKPOINT.',
  'The write-ahead log keeps the old rows too, also in files that it uses again. Run SELECT pg_switch_wal(); CHECKPOINT; as many times as pg_wal has files, plus one. Archived files stay as long as you keep them.',
  'Standbys lose the old rows when they replay this. Base backups and dumps keep them: delete those backups, or restore them and erase again.',
  'Text that was streamed while it was written may be in the notification queue of Postgres (pg_notify). Later notifications overwrite it, and a restart removes it.',
]
const names =
  'The planner keeps samples of the names of threads. ANALYZE the same tables, then VACUUM FULL pg_statistic.'

/**
 * Nobody else vacuums or looks at tables meanwhile. Files are read as the kernel has them, so nobody waits for the
 * disk.
 */
const quiet = { autovacuum: false, fsync: false }

describe.each([15, 18] as const)('on Postgres %s', (version) => {
  test('of an erased entry no byte is left in tables, TOAST and indexes when it is done as its receipt says', async (context) => {
    const cluster = await testCluster(context, { version, settings: quiet })
    const { store, database, tables, wal } = await prepare(cluster)
    const { secrets, chosen, gone } = await fill(store, 't')
    const theirs = postgresStore(open({ connectionString: database.url }), { tenant: 'them' })
    const other = await fill(theirs, 't')
    await database.administer('analyze')
    await database.administer('checkpoint')
    expect(Object.keys(tables(secrets)).toSorted()).toEqual(Object.keys(secrets).toSorted())

    const older = await openTransaction(database)
    const erasure = await store.erase('t', chosen)
    expect({ ...erasure, erased: erasure.erased.toSorted() }).toEqual({
      thread: 't',
      erased: gone.toSorted(),
      snapshots: 2,
      records: 0,
      images: 1,
      remains: [forks, hashes, ...remains],
    })

    // What each sentence says is so: an older transaction, a plain VACUUM, the write-ahead log.
    await vacuumFull(database)
    expect(Object.keys(tables(secrets))).toEqual(
      expect.arrayContaining(['inline', 'toasted', 'image', 'snapshot', 'piece', 'large piece']),
    )
    await older.end()
    await database.administer('vacuum')
    await database.administer('checkpoint')
    expect(Object.keys(tables(secrets))).toContain('inline')
    await vacuumFull(database)
    expect(tables(secrets)).toEqual({})
    expect(Object.keys(wal(secrets))).toContain('inline')
    await database.administer('select pg_switch_wal()')
    await database.administer('checkpoint')
    expect(Object.keys(wal(secrets))).toContain('inline')
    await passThroughWal(cluster, database)
    expect(foundIn(cluster.data, secrets)).toEqual({})

    expect((await store.read('t')).map(({ text }) => text)).toEqual([
      'An ordinary beginning.',
      '',
      '',
      '',
      '',
      '',
      'An ordinary end.',
    ])
    expect(await store.search(secrets.inline)).toEqual([])
    expect(await openBook({ store }).thread('t').verify()).toMatchObject({ ok: true, entries: 7 })
    expect(Object.keys(tables(other.secrets)).toSorted()).toEqual(Object.keys(other.secrets).toSorted())
    expect(await theirs.search(other.secrets.inline)).toHaveLength(1)
    expect(await openBook({ store: theirs }).thread('t').verify()).toMatchObject({ ok: true, entries: 7 })
  })

  test('of a removed tenant no byte is left either, not even the names of its threads', async (context) => {
    const cluster = await testCluster(context, { version, settings: quiet })
    const { store, database, tables } = await prepare(cluster)
    const { secrets } = await fill(store, 't')
    const theirs = postgresStore(open({ connectionString: database.url }), { tenant: 'them' })
    const other = await fill(theirs, 't')
    const [name, longName] = [secret(), secret().repeat(10)]
    for (const thread of [name, longName]) await store.append(thread, [entryOf(user('Hello.'))])
    await store.claim('only claimed')
    await store.snapshots.save('nowhere', 'state', { id: 'x', seq: 0, value: 'x' })
    const ours = { ...secrets, name, longName }
    await database.administer('analyze')
    await database.administer('checkpoint')
    expect(Object.keys(tables(ours)).toSorted()).toEqual(Object.keys(ours).toSorted())

    expect(await gathered(store.removeThreads({ all: true }))).toEqual([
      { threads: ['t', name, longName], entries: 9, snapshots: 2, remains: [names, ...remains] },
      { threads: ['only claimed'], entries: 0, snapshots: 1, remains: [names, ...remains] },
    ])
    await vacuumFull(database)
    expect(Object.keys(tables(ours))).toEqual(['name'])
    await database.administer('analyze')
    await database.administer('vacuum full pg_statistic')
    await database.administer('checkpoint')
    expect(tables(ours)).toEqual({})
    expect(await store.list()).toEqual({ threads: [] })
    expect(Object.keys(tables(other.secrets)).toSorted()).toEqual(Object.keys(other.secrets).toSorted())
    expect(await openBook({ store: theirs }).thread('t').verify()).toMatchObject({ ok: true, entries: 7 })
  })

  test('a book erases a message with its receipts, and its thread is still verified', async (context) => {
    const cluster = await testCluster(context, { version, durable: false, settings: quiet })
    const { store, database, tables } = await prepare(cluster)
    const [said, answered] = [secret(), secret()]
    const thread = openBook({ store, model: scriptedModel([`Fine, ${answered}.`, 'Which one?']), window: 4096 }).thread(
      't',
    )
    await thread.send(`My code is ${said}`).done
    await thread.send('What was it?').done
    await database.administer('checkpoint')
    expect(Object.keys(tables({ said, answered }))).toEqual(['said', 'answered'])
    const ids = (await thread.entries())
      .filter(({ text }) => text.includes(said) || text.includes(answered))
      .map(({ id }) => id)
    const { erased } = await thread.erase(ids)
    expect(erased).toEqual(expect.arrayContaining(ids))
    expect(
      (await store.read('t'))
        .filter(({ status }) => status === 'erased')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(erased.toSorted())
    await vacuumFull(database)
    expect(tables({ said, answered })).toEqual({})
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 0 })
  })
})

type Place =
  | 'inline'
  | 'toasted'
  | 'image'
  | 'pending'
  | 'note'
  | 'journal'
  | 'field'
  | 'key'
  | 'speaker'
  | 'snapshot'
  | 'large snapshot'
  | 'piece'
  | 'large piece'

/** A text that nothing else gives, that is one word, and that cannot be made shorter. */
function secret(): string {
  return `z${randomBytes(12).toString('hex')}`
}

/** A thread with a secret in each place from which it must go, between two entries that stay. */
async function fill(
  store: PostgresStore,
  thread: string,
): Promise<{
  readonly secrets: Readonly<Record<Place, string>>
  readonly chosen: readonly string[]
  readonly gone: readonly string[]
}> {
  const noise = (): string => randomBytes(9000).toString('base64')
  const secrets: Record<Place, string> = {
    inline: secret(),
    toasted: secret(),
    image: secret(),
    pending: secret(),
    note: secret(),
    journal: secret(),
    field: secret(),
    key: secret(),
    speaker: secret(),
    snapshot: secret(),
    'large snapshot': secret(),
    piece: secret(),
    'large piece': secret(),
  }
  const before = entryOf(user('An ordinary beginning.'))
  const inline = entryOf({ ...user(`My password is ${secrets.inline}.`), custom: secrets.field }, before, {
    key: secrets.key,
    speaker: secrets.speaker,
  })
  const toasted = entryOf(
    ollamaPicture(`${noise()} ${secrets.toasted} ${noise()}`, `${noise()}${secrets.image}${noise()}`),
    inline,
  )
  const hanging: Entry[] = [
    entryOf(user(secrets.pending), inline, { kind: 'pending', key: secrets.key }),
    note(secrets.note, inline),
    journal(secrets.journal, inline),
  ]
  await store.append(thread, [before, inline, ...hanging, toasted, entryOf(user('An ordinary end.'), toasted)])
  await store.snapshots.save(thread, 'state', { id: inline.id, seq: 1, value: secrets.snapshot })
  await store.snapshots.save(thread, 'fold', {
    id: toasted.id,
    seq: 5,
    value: `${noise()} ${secrets['large snapshot']} ${noise()}`,
  })
  const pieces = [secrets.piece, `${noise()} ${secrets['large piece']} ${noise()}`].map((text) => Buffer.from(text))
  await store.segments.change(thread, { stored: [{ name: 'index', pieces }], removed: [] }, 0)
  expect(await store.search(secrets.inline)).toHaveLength(1)
  return { secrets, chosen: [inline.id, toasted.id], gone: [inline, ...hanging, toasted].map(({ id }) => id) }
}

interface Prepared {
  readonly store: PostgresStore
  readonly database: ClusterDatabase
  /** Which texts are in files of tables, TOAST and indexes; which are in the write-ahead log. */
  readonly tables: (texts: Readonly<Record<string, string>>) => Record<string, string[]>
  readonly wal: (texts: Readonly<Record<string, string>>) => Record<string, string[]>
}

/** A store for the tenant `us` in a database that also holds ordinary threads. */
async function prepare(cluster: Cluster): Promise<Prepared> {
  const database = await clusterDatabase(cluster)
  const pool = open({ connectionString: database.url, pipeline: true })
  await migrate(pool)
  const ordinary = postgresStore(pool, { tenant: 'ordinary' })
  for (let thread = 0; thread < 30; thread++)
    await ordinary.append(
      `thread ${thread}`,
      Array.from({ length: 10 }, (_, count) => entryOf(user(`Filler ${thread} ${count} about nothing.`))),
    )
  await ordinary.search('filler')
  return {
    store: postgresStore(pool, { tenant: 'us' }),
    database,
    tables: (texts) => foundIn(join(cluster.data, 'base'), texts),
    wal: (texts) => foundIn(join(cluster.data, 'pg_wal'), texts),
  }
}

async function vacuumFull({ administer }: ClusterDatabase): Promise<void> {
  await administer(
    'vacuum full minutebook.entry, minutebook.image, minutebook.snapshot, minutebook.segment, minutebook.piece, minutebook.word, minutebook.record, minutebook.thread',
  )
  await administer('checkpoint')
}

async function passThroughWal(cluster: Cluster, { administer }: ClusterDatabase): Promise<void> {
  const files = readdirSync(join(cluster.data, 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name)).length
  for (let count = 0; count <= files; count++) {
    await administer('select pg_switch_wal()')
    await administer('checkpoint')
  }
}

/** A transaction that may still look at everything as it is now. */
async function openTransaction({ superuserUrl }: ClusterDatabase): Promise<Client> {
  const client = new Client({ connectionString: superuserUrl })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin isolation level repeatable read')
  await client.query('select 1')
  return client
}
