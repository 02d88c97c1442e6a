import fc from 'fast-check'
import { memoryStore, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { Pool } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { picture, user } from '@minutebook/testing'
import { migrate, postgresStore, type PostgresStore } from '@minutebook/postgres'
import { cases } from '../../../tests/support/runs.ts'
import { gathered } from '../../../tests/support/postgres/gathered.ts'
import { statementTexts } from './support/statements.ts'
import { rewritingPool, withoutTenant } from './support/rewriting-pool.ts'
import { servers, testDatabase } from '../../../tests/support/postgres/database.ts'

const secret = 'kingfisher'
const image = `${secret} `.repeat(500)
const theirs = entryOf(picture(`Theirs: ${secret}`, image))
const ours = entryOf(user('Ours'))

const theirCount = { entry: theirs.id, hour: 1, model: 'm', key: 'k', figures: { calls: 1 } }

/** A thread of another tenant, and the same thread to us: what each method may neither tell nor touch. */
const methods: readonly (readonly [
  method: string,
  crosses: (us: PostgresStore, them: PostgresStore, thread: string) => Promise<boolean>,
])[] = [
  ['read', async (us, _, thread) => (await us.read(thread)).length > 0],
  [
    'read by head',
    (us, _, thread) =>
      us.read(thread, { head: theirs.id }).then(
        () => true,
        () => false,
      ),
  ],
  ['standing', async (us, _, thread) => (await us.standing(thread)).length > 0],
  ['snapshots.load', async (us, _, thread) => (await us.snapshots.load(thread, 'state')) !== undefined],
  [
    'snapshots.save',
    async (us, them, thread) => {
      await us.snapshots.save(thread, 'state', { id: ours.id, seq: 9, value: 'ours' }, { only: true })
      return (await them.snapshots.load(thread, 'state'))?.seq !== 0
    },
  ],
  ['segments.list', async (us, _, thread) => (await us.segments.list(thread)).length > 0],
  ['segments.load', async (us, _, thread) => (await us.segments.load(thread, 'index')) !== undefined],
  [
    'segments.read',
    async (us, _, thread) => (await us.segments.read(thread, [{ segment: 'index', piece: 0 }]))[0] !== undefined,
  ],
  [
    'segments.change',
    async (us, them, thread) => {
      await us.segments.change(thread, { stored: [], removed: ['index'] }, 0)
      await us.segments.change(thread, { stored: [{ name: 'index', pieces: [new Uint8Array([9])] }], removed: [] }, 0)
      return (await them.segments.load(thread, 'index'))?.[0]?.[0] !== 7
    },
  ],
  [
    'append',
    async (us, them, thread) => {
      const { ok, standing } = await us.append(thread, [ours], { head: null })
      return !ok || standing.length !== 1 || (await them.standing(thread)).length !== 1
    },
  ],
  [
    'append of an image',
    async (us, them, thread) => {
      const mine = entryOf(picture('Ours', image))
      const isKept = await us.append(thread, [mine]).then(
        ({ ok }) => ok,
        () => false,
      )
      await them.erase(thread)
      return (
        !isKept ||
        us.read(thread).then(
          ([read]) => read?.images[0] !== mine.images[0],
          () => true,
        )
      )
    },
  ],
  ['append after an entry', async (us, _, thread) => (await us.append(thread, [entryOf(user('after'), theirs)])).ok],
  [
    'append with records',
    async (us, them, thread) => {
      await us.append(thread, [entryOf(user('with a record'))], { records: [{ name: 'lamp', value: 'ours' }] })
      return (await them.records.find({ name: 'lamp', thread }))[0]?.value !== secret
    },
  ],
  ['figures', async (us) => (await us.figures()).length > 0],
  [
    'append that counts',
    async (us, them, thread) => {
      await us.append(thread, [ours])
      const next = entryOf(user('counted'), ours)
      await us.append(thread, [next], { count: { ...theirCount, entry: next.id } })
      return [...(await us.figures()), ...(await them.figures())].some(({ figures }) => figures.calls !== 1)
    },
  ],
  ['records.find', async (us, _, thread) => (await us.records.find({ name: 'lamp', thread })).length > 0],
  [
    'records.find in all threads',
    async (us) =>
      (await us.records.find({ name: 'lamp' })).length > 0 ||
      (await us.records.find({ name: 'lamp', key: '' })).length > 0,
  ],
  [
    'records.put',
    async (us, them, thread) => {
      const put = await us.records.put(thread, [{ name: 'lamp', value: 'ours', expected: 0 }])
      const after = await us.records.put(thread, [{ name: 'lamp', value: 'ours, too', expected: 1 }])
      return !put.ok || !after.ok || (await them.records.find({ name: 'lamp', thread }))[0]?.value !== secret
    },
  ],
  [
    'records.remove',
    async (us, them, thread) =>
      (await us.records.remove(thread, 'lamp')) > 0 || (await them.records.find({ name: 'lamp', thread })).length === 0,
  ],
  ['list', async (us, _, thread) => (await us.list()).threads.some((listed) => listed.thread === thread)],
  ['search', async (us) => (await us.search(secret)).length > 0],
  ['search in a thread', async (us, _, thread) => (await us.search(secret, { thread })).length > 0],
  [
    'erase',
    async (us, them, thread) => {
      const { erased, snapshots, records, images } = await us.erase(thread)
      return (
        erased.length > 0 ||
        snapshots > 0 ||
        records > 0 ||
        images > 0 ||
        (await them.read(thread))[0]?.status === 'erased' ||
        (await them.snapshots.load(thread, 'state')) === undefined ||
        (await them.segments.load(thread, 'index')) === undefined
      )
    },
  ],
  [
    'claim',
    async (us, them, thread) => {
      const { term } = await us.claim(thread)
      return term !== 1 || (await them.standing(thread)).term !== 0
    },
  ],
  [
    'remove',
    async (us, them, thread) => {
      const { entries, snapshots, records, images } = await us.remove(thread)
      return entries + snapshots + records + images > 0 || (await them.read(thread)).length !== 1
    },
  ],
  [
    'removeThreads',
    async (us, them, thread) => {
      const removed = await gathered(us.removeThreads({ all: true }))
      return removed.length > 0 || (await them.read(thread)).length !== 1
    },
  ],
]

/** The methods in which something crosses, each tried with tenants and a thread of its own. */
async function crossings(pool: Pool, sane: Pool, named: string): Promise<string[]> {
  const found: string[] = []
  for (const [method, crosses] of methods) {
    const thread = `${named} ${method}`
    const them = postgresStore(sane, { tenant: `them ${thread}` })
    await them.append(thread, [theirs], { count: theirCount })
    await them.snapshots.save(thread, 'state', { id: theirs.id, seq: 0, value: secret })
    await them.segments.change(thread, { stored: [{ name: 'index', pieces: [new Uint8Array([7])] }], removed: [] }, 0)
    await them.records.put(thread, [{ name: 'lamp', value: secret }])
    await them.search(secret)
    if (await crosses(postgresStore(pool, { tenant: `us ${thread}` }), them, thread)) found.push(method)
  }
  return found
}

describe.each(servers)('two tenants with the same threads, on Postgres %s', (server) => {
  const database = testDatabase({ server, prepare: (pool) => migrate(pool) })
  const open = (url = database.url): Pool => {
    const pool = new Pool({ connectionString: url, pipeline: true })
    onTestFinished(() => pool.end())
    return pool
  }

  test('see nothing of each other in any method', async () => {
    expect(await crossings(open(), open(), 'plain')).toEqual([])
  })

  test('see nothing of each other where row-level security is the only guard', async () => {
    expect(await crossings(rewritingPool(open(), withoutTenant), open(), 'rewritten')).toEqual([])
  })

  test('would see each other without both: this is what the tests above would find', async () => {
    const { url, pool } = await database.fresh()
    for (const table of ['thread', 'entry', 'image', 'snapshot', 'segment', 'piece', 'record', 'word', 'figure'])
      await pool.query(`alter table minutebook.${table} disable row level security`)
    // A claim, and a record of any version, is made by the key alone, and there is no filter to take away.
    const found = await crossings(rewritingPool(open(url), withoutTenant), open(url), 'unguarded')
    expect(methods.map(([method]) => method).filter((method) => !found.includes(method))).toEqual([
      'append with records',
      'claim',
    ])
    expect(await crossings(open(url), open(url), 'filtered')).toEqual([])
  })

  test('get the answers that each would get alone, whatever the other does meanwhile', async () => {
    let count = 0
    const pools = [open(), rewritingPool(open(), withoutTenant)]
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.constantFrom(...pools), async (steps, pool) => {
        const name = `run ${count++}`
        const stores = [0, 1].map((tenant) => postgresStore(pool, { tenant: `${name} ${tenant}` }))
        const models = [memoryStore(), memoryStore()]
        for (const { tenant, act, thread, word } of steps) {
          if (act === 'remove') {
            models[tenant] = memoryStore()
            await gathered(stores[tenant]!.removeThreads({ all: true }))
            continue
          }
          const told = await acts[act](stores[tenant]!, thread, word)
          expect(told).toEqual(await acts[act](models[tenant]!, thread, word))
        }
      }),
      { numRuns: cases('long') },
    )
  })

  test('have no rows at all to whoever does not say whose they are', async () => {
    const pool = open()
    for (const options of [{}, { tenant: 'someone' }]) {
      const store = postgresStore(pool, options)
      await store.append('thread', [theirs])
      await store.snapshots.save('thread', 'state', { id: theirs.id, seq: 0, value: 1 })
      await store.segments.change(
        'thread',
        { stored: [{ name: 'index', pieces: [new Uint8Array([1])] }], removed: [] },
        0,
      )
      await store.search(secret)
    }
    const rows = async (): Promise<number[]> => {
      const counts = await Promise.all(
        ['thread', 'entry', 'image', 'snapshot', 'segment', 'piece', 'word'].map((table) =>
          pool.query<{ count: number }>(`select count(*)::integer from minutebook.${table}`),
        ),
      )
      return counts.map((result) => result.rows[0]!.count)
    }
    // These connections have said it before, in transactions that are over.
    expect(await rows()).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect((await pool.query('update minutebook.thread set term = 7')).rowCount).toBe(0)
    await expect(
      pool.query(`insert into minutebook.thread (thread, tenant) values ('new', 'someone')`),
    ).rejects.toMatchObject({ code: '42501' })
  })

  test('cannot write rows of the other', async () => {
    const pool = open()
    const client = await pool.connect()
    onTestFinished(() => client.release())
    await client.query(`select set_config('minutebook.tenant', 'us', false)`)
    for (const [table, columns, values] of [
      ['thread', '', ''],
      ['entry', ', seq, id, payload, checksum, written', `, 0, '', '', '', now()`],
      ['image', ', hash, content', `, '', ''`],
      ['snapshot', ', name, seq, value', `, '', 0, ''`],
      ['segment', ', segment', `, ''`],
      ['piece', ', segment, number, content', `, '', 0, ''`],
      ['word', ', seq, written, words', `, 0, now(), '{}'`],
    ]) {
      await expect(
        client.query(`insert into minutebook.${table} (thread, tenant${columns}) values ('crossing', 'them'${values})`),
      ).rejects.toMatchObject({ code: '42501' })
      await client.query(
        `insert into minutebook.${table} (thread, tenant${columns}) values ('crossing', 'us'${values})`,
      )
      await expect(
        client.query(`update minutebook.${table} set tenant = 'them' where thread = 'crossing'`),
      ).rejects.toMatchObject({ code: '42501' })
    }
  })
})

test('a tenant must have a name', () => {
  expect(() => postgresStore(new Pool(), { tenant: '' })).toThrow('Pass a name as tenant, or leave it out.')
})

describe('taking the tenant out of a statement', () => {
  test.each(statementTexts())('leaves none to compare with in %s', (name, text) => {
    const left = withoutTenant(text)
    expect(left.match(/tenant = (?!excluded)/g)).toBe(null)
    expect(left.match(/using \([^)]*tenant/g)).toBe(null)
    // One asks for all tenants, to tell whether this role sees more than one; the other writes by the key alone.
    const isOther = ['first-and-last-tenant', 'put-records'].includes(String(name))
    if (
      /minutebook\.(thread|entry|image|snapshot|segment|piece|record|word)/.test(text) &&
      /where|join/.test(text) &&
      !isOther
    )
      expect(left).not.toBe(text)
  })
})

type Act =
  | 'append'
  | 'show'
  | 'branch'
  | 'read'
  | 'standing'
  | 'claim'
  | 'list'
  | 'search'
  | 'erase'
  | 'removeOne'
  | 'save'
  | 'load'
  | 'index'
  | 'indexed'

/** What is told, without what differs between stores: where bytes remain. */
const acts: Readonly<Record<Act, (store: Store, thread: string, word: string) => Promise<unknown>>> = {
  append: async (store, thread, word) =>
    store.append(thread, [entryOf(user(word), (await store.read(thread, { last: 1 }))[0])]),
  show: async (store, thread, word) =>
    store.append(thread, [entryOf(picture(word, image), (await store.read(thread, { last: 1 }))[0])]),
  branch: (store, thread, word) => store.append(thread, [entryOf(user(word))], { head: null }),
  read: (store, thread) => store.read(thread),
  standing: (store, thread) => store.standing(thread),
  claim: (store, thread) => store.claim(thread),
  list: (store) => store.list(),
  search: (store, _, word) => store.search(word),
  erase: async (store, thread) => ({
    ...(await store.erase(
      thread,
      (await store.read(thread, { last: 1 })).map(({ id }) => id),
    )),
    remains: [],
  }),
  removeOne: async (store, thread) => ({ ...(await store.remove(thread)), remains: [] }),
  save: (store, thread, word) => store.snapshots.save(thread, 'state', { id: word, seq: word.length, value: word }),
  load: (store, thread) => store.snapshots.load(thread, 'state'),
  // Only entries have an index.
  index: async (store, thread, word) => {
    const { length, erasures } = await store.standing(thread)
    const stored = [{ name: word, pieces: [new TextEncoder().encode(word)] }]
    if (length > 0) await store.segments.change(thread, { stored, removed: [`${word} of before`] }, erasures)
  },
  indexed: async (store, thread, word) => [
    (await store.segments.list(thread)).toSorted(),
    await store.segments.load(thread, word),
  ],
}

const step = fc.record({
  tenant: fc.constantFrom(0, 1),
  act: fc.constantFrom(...(Object.keys(acts) as Act[]), 'append' as const, 'remove' as const),
  thread: fc.constantFrom('a', 'b'),
  word: fc.constantFrom('red', 'green lamp', 'blue'),
})
