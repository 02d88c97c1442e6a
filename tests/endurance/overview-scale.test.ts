import { migrate, postgresStore } from '@minutebook/postgres'
import { sqliteStore } from '@minutebook/sqlite'
import { user } from '@minutebook/testing'
import type { Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { expect, test } from 'vitest'
import { openArchive } from '../../packages/server/src/archive/open-archive.ts'
import { within } from '../support/patience.ts'
import { testDatabase } from '../support/postgres/database.ts'
import { temporaryFolder } from '../support/sqlite/folder.ts'

const threads = Number(process.env['OVERVIEW_THREADS'] ?? 1000)
const calls = Number(process.env['OVERVIEW_CALLS'] ?? 10 * threads)
const file = temporaryFolder()
const database = testDatabase({ prepare: (pool) => migrate(pool) })

const stores: Readonly<Record<string, (name: string) => Store>> = {
  SQLite: (name) => sqliteStore(file(`${name}.db`)),
  Postgres: (name) => postgresStore(database.pool, { tenant: name }),
}

/** The clock must not come to the next one between filling and looking. */
const thisHour = Math.floor(Date.now() / 3_600_000)

/**
 * Threads of one entry. Their calls are counted in the hours of a month, for 5 models and 4 keys: 14,400 threads have a
 * row for each. Each tenth has a problem.
 */
async function fill(store: Store, many: number, counted: number): Promise<void> {
  const each = counted / many
  const write = async (number: number): Promise<void> => {
    const entry = entryOf(user(`Question ${number}`), undefined, { time: new Date().toISOString() })
    const month = Math.floor(number / 720)
    const [hour, model, key] = [thisHour - (number % 720), `model-${month % 5}`, `key-${Math.floor(month / 5) % 4}`]
    const figures = { calls: each, sentTokens: 900 * each, reusedTokens: 600 * each, verbatim: 12 * each }
    const problem = { name: 'problem', key: 'cut', value: { hour, model, owner: key, entry: entry.id } }
    const records = number % 10 === 0 ? { records: [problem] } : {}
    await store.append(`thread-${number}`, [entry], {
      count: { entry: entry.id, hour, model, key, figures },
      ...records,
    })
  }
  for (let from = 0; from < many; from += 32)
    await Promise.all(Array.from({ length: Math.min(32, many - from) }, (_, index) => write(from + index)))
}

interface Looked {
  readonly reads: number
  readonly records: number
  readonly entries: number
  readonly milliseconds: readonly number[]
}

/** What an overview of 30 days reads of a store, and how long it takes, several times. */
async function look(store: Store, expected: number): Promise<Looked> {
  const read = { reads: 0, records: 0, entries: 0 }
  const listening: Store = {
    ...store,
    read: async (...given) => {
      const found = await store.read(...given)
      read.reads++
      read.entries += found.length
      return found
    },
    list: () => Promise.reject(new Error('An overview lists no threads.')),
    records: {
      ...store.records,
      find: async (query) => {
        const found = await store.records.find(query)
        if (query.name === 'problem') read.records += found.length
        return found
      },
    },
  }
  const from = new Date((thisHour - 719) * 3_600_000).toISOString()
  const milliseconds: number[] = []
  let first: Omit<Looked, 'milliseconds'> | undefined
  for (let times = 0; times < 5; times++) {
    const started = performance.now()
    const { totals } = await openArchive(listening).overview({ from })
    milliseconds.push(Math.round(performance.now() - started))
    first ??= { ...read }
    expect(totals.calls).toBe(expected)
  }
  return { ...first!, milliseconds }
}

test.each(Object.entries(stores))(
  `an overview on %s reads as much with ${threads} threads and ${calls} calls as with 100 threads and 1000 calls`,
  async (name, open) => {
    const [small, large] = [open('small'), open('large')]
    await fill(small, 100, 1000)
    await fill(large, threads, calls)
    const before = await look(small, 1000)
    const after = await look(large, calls)
    console.log(
      `${name}: 1,000 calls ${before.milliseconds.join(', ')} ms; ${calls.toLocaleString('en')} calls in ${threads.toLocaleString('en')} threads ${after.milliseconds.join(', ')} ms`,
    )
    // 10 and 12 threads are listed. For each, the beginning, the end and the summary are read.
    expect(after.reads).toBeLessThanOrEqual(Math.ceil(1.2 * before.reads))
    expect(after.entries).toBeLessThanOrEqual(Math.ceil(1.2 * before.entries))
    expect(after.records).toBeLessThanOrEqual(1000)
  },
  within(threads * 20 + 30_000),
)
