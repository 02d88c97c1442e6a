import { openBook } from 'minutebook'
import { entryOf, type StoredEntry } from 'minutebook/store'
import { Pool } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { assistant, ollamaPicture, picture, user } from '@minutebook/testing'
import { migrate, postgresStore } from '@minutebook/postgres'
import { servers, testDatabase } from '../../../tests/support/postgres/database.ts'
import { gathered } from '../../../tests/support/postgres/gathered.ts'
import { watchedPool } from './support/rewriting-pool.ts'

const image = 'iVBORw0KGgo'.repeat(1000)
const url = `data:image/png;base64,${image}`

describe.each(servers)('images on Postgres %s', (server) => {
  const database = testDatabase({ server, prepare: (pool) => migrate(pool) })
  const connected = (): Pool => {
    const pool = new Pool({ connectionString: database.url })
    onTestFinished(() => pool.end())
    return pool
  }
  /** As the tenant that is told, in one transaction. */
  const ask = async (tenant: string, text: string): Promise<readonly unknown[]> => {
    const client = await database.pool.connect()
    try {
      await client.query(`begin; select set_config('minutebook.tenant', '${tenant}', true)`)
      const { rows } = await client.query<object>(text)
      await client.query('commit')
      return rows
    } finally {
      client.release()
    }
  }

  test('an image is sent to Postgres once, however often it is said', async () => {
    const sent: string[] = []
    const store = postgresStore(
      watchedPool(connected(), (requests) => {
        for (const { values } of requests) if (JSON.stringify(values).includes(image)) sent.push('image')
        return requests
      }),
      { tenant: 'once' },
    )
    let last: StoredEntry | undefined
    for (let count = 0; count < 5; count++) {
      const appended = await store.append('t', [entryOf(picture(`look ${count}`, image), last)])
      last = appended.ok ? appended.entries[0] : undefined
    }
    expect(sent).toEqual(['image'])
    expect(await ask('once', 'select length(content) as length from minutebook.image')).toEqual([
      { length: url.length },
    ])
    expect(
      (await store.read('t')).map(({ raw }) => (raw.content as { image_url?: { url: string } }[])[1]?.image_url?.url),
    ).toEqual(Array(5).fill(url))
  })

  test.each([
    ['removed', 'delete from minutebook.image'],
    ['changed', `update minutebook.image set content = replace(content, 'iVBOR', 'iVBOS')`],
  ])('one that was %s is an error for whoever reads its entry, and for nobody else', async (name, change) => {
    const store = postgresStore(connected(), { tenant: name })
    const first = entryOf(user('lamp'))
    const second = entryOf(picture('look', image), first)
    const third = entryOf(assistant('a lamp'), second)
    await store.append('t', [first, second, third])
    await ask(name, change)
    await expect(store.read('t')).rejects.toMatchObject({
      code: 'corrupt_entry',
      details: { seq: 1 },
      message:
        'Entry 1 of the log cannot be read: an image of it is missing or was changed. Restore it from a backup or an export; verify() lists all such entries.',
    })
    expect(await openBook({ store }).thread('t').verify()).toMatchObject({
      ok: false,
      problems: [
        { seq: 1, problem: 'cannot be read' },
        { seq: 2, problem: 'its parent is not before it' },
      ],
    })
    expect([await store.read('t', { from: 2 }), await store.search('lamp')].map(({ length }) => length)).toEqual([1, 2])
    expect((await store.append('t', [entryOf(user('more'), third)], { head: third.id })).ok).toBe(true)
    expect((await store.erase('t', [second.id])).erased).toEqual([second.id])
    expect(await openBook({ store }).thread('t').verify()).toMatchObject({ ok: true, problems: [] })
  })

  test('an entry that is erased between the reading of it and of its image is read as erased', async () => {
    const tenant = 'raced'
    const other = postgresStore(connected(), { tenant })
    const entries = [entryOf(ollamaPicture('one', image)), entryOf(user('two'))]
    await other.append('t', entries)
    const pool = connected()
    let erasing: Promise<unknown> | undefined
    // Whoever asks for images waits until the entry is gone.
    const slow = new Proxy(pool, {
      get: (target, name) => {
        if (name !== 'connect') return Reflect.get(target, name, target) as unknown
        return async () => {
          const client = await target.connect()
          const query = client.query.bind(client) as (given: unknown) => unknown
          return new Proxy(client, {
            get: (of, property) => {
              if (property !== 'query')
                return typeof Reflect.get(of, property, of) === 'function'
                  ? (Reflect.get(of, property, of) as () => unknown).bind(of)
                  : (Reflect.get(of, property, of) as unknown)
              return (given: { readonly requests?: readonly { readonly statement: { readonly name: string } }[] }) => {
                const asks = given.requests?.some(({ statement }) => statement.name === 'minutebook find-images')
                if (!asks || erasing) return query(given)
                erasing = other.erase('t', [entries[0]!.id]).then(() => query(given))
                return erasing
              }
            },
          })
        }
      },
    })
    const read = await postgresStore(slow, { tenant }).read('t')
    expect(erasing).toBeDefined()
    expect(read.map(({ status, images }) => [status, images])).toEqual([
      ['erased', []],
      ['complete', []],
    ])
  })

  test('images go with threads that are removed', async () => {
    const store = postgresStore(connected(), { tenant: 'removed whole' })
    for (const name of ['one', 'two']) await store.append(name, [entryOf(picture('look', image))])
    expect(await ask('removed whole', 'select thread from minutebook.image order by 1')).toEqual([
      { thread: 'one' },
      { thread: 'two' },
    ])
    expect(await gathered(store.removeThreads({ all: true }))).toMatchObject([{ entries: 2 }])
    expect(await ask('removed whole', 'select thread from minutebook.image')).toEqual([])
  })
})
