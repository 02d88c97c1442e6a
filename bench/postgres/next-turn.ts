import type { Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { postgresStore, type PostgresStore } from '@minutebook/postgres'
import { Pool } from 'pg'
import { messageAt } from '../growing-log.ts'
import { table } from '../markdown.ts'
import { median } from '../median.ts'
import { toWire } from '../wire-message.ts'
import { coldTurn } from './cold-turn.ts'
import { makeLongThread } from './long-thread.ts'
import { tailLength } from './operation.ts'
import { pagesOf } from './pages.ts'
import { query, type Database } from './server.ts'

/** A thread, and where it stands. */
interface Standing {
  readonly thread: string
  newest: Entry
}

/** What a turn asks of the store. */
type Step = (store: PostgresStore, at: Standing) => Promise<void>

const steps: Readonly<Record<string, Step>> = {
  [`read the last ${tailLength}`]: async (store, { thread }) => void (await store.read(thread, { last: tailLength })),
  'append one entry': async (store, at) => {
    const entry = entryOf(toWire(messageAt(at.newest.seq + 1)), at.newest)
    const { ok } = await store.append(at.thread, [entry], { head: at.newest.id })
    if (!ok) throw new Error('An append was refused.')
    at.newest = entry
  },
  'a turn, by a book that was just opened (recall off)': (store, { thread }) => coldTurn(store, thread),
}

/**
 * The time and the pages that a turn needs on a short thread and on a long one, taking turns; they ought to be alike.
 */
export async function nextTurnTable(
  { url, superuserUrl }: Database,
  lengths: readonly number[],
  times: number,
): Promise<string> {
  const pool = new Pool({ connectionString: url, pipeline: true, max: 1 })
  try {
    const store = postgresStore(pool, { tenant: 'long' })
    const threads: Standing[] = []
    for (const length of lengths)
      threads.push({
        thread: `thread of ${length}`,
        newest: await makeLongThread(store, `thread of ${length}`, length),
      })
    await query(superuserUrl, 'vacuum (analyze) minutebook.thread, minutebook.entry')
    const rows: string[][] = []
    for (const [name, step] of Object.entries(steps)) {
      // The first turn of a thread that has no checkpoint reads all of it.
      for (const at of threads) await step(store, at)
      const spent = await timesOf(store, threads, step, times)
      const pages: number[] = []
      for (const at of threads)
        pages.push(
          Math.round((await pagesOf(pool, superuserUrl, () => repeat(() => step(store, at), pageTimes))) / pageTimes),
        )
      const ratio = (values: readonly number[]): string => `${(values.at(-1)! / values[0]!).toFixed(2)}×`
      rows.push([
        name,
        ...spent.map((milliseconds) => `${milliseconds.toFixed(2)} ms`),
        ratio(spent),
        ...pages.map(String),
        ratio(pages),
      ])
    }
    const grouped = lengths.map((length) => length.toLocaleString('en'))
    return table(
      [
        'step',
        ...grouped.map((length) => `${length} entries`),
        'time',
        ...grouped.map((length) => `pages, ${length}`),
        'pages',
      ],
      rows,
    )
  } finally {
    await pool.end()
  }
}

const pageTimes = 20

/** The median of each thread, in milliseconds. */
async function timesOf(
  store: PostgresStore,
  threads: readonly Standing[],
  step: Step,
  times: number,
): Promise<number[]> {
  const spent: number[][] = threads.map(() => [])
  for (let round = 0; round < times; round++) {
    for (const [place, at] of threads.entries()) {
      const began = performance.now()
      await step(store, at)
      spent[place]!.push(performance.now() - began)
    }
  }
  return spent.map(median)
}

async function repeat(work: () => Promise<void>, times: number): Promise<void> {
  for (let done = 0; done < times; done++) await work()
}
