import { setTimeout as pause } from 'node:timers/promises'
import { migrate, postgresStore } from '@minutebook/postgres'
import { sumFigures } from 'minutebook/store'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { figuresIn, type Sums } from '../../support/figures.ts'
import { crashClient } from '../../support/postgres/crash-client.ts'
import { crashFleet } from '../../support/postgres/crash-fleet.ts'
import { testDatabase } from '../../support/postgres/database.ts'
import { traceTable } from '../../support/postgres/trace.ts'
import { judgeTurns, type Sent } from './support/turn-judgement.ts'
import { within } from '../../support/patience.ts'
import { tally } from '../../support/tally.ts'

const kills = Number(process.env['KILLS'] ?? 3)
/**
 * Milliseconds: as promised, where the test is run for its own sake; on a machine that is busy with others it may be
 * more.
 */
const usual = process.env['KILLS'] === undefined ? within(5000) : 1500
const threads = 20

const database = testDatabase({ prepare: async (pool) => [await migrate(pool), await pool.query(traceTable)] })

interface Sending extends Sent {
  readonly done: Promise<{ readonly status: string; readonly text: string }>
}

test(`${kills} times kill -9 of an instance under load, 3 instances, ${threads} threads: nothing lost, nothing doubled`, async () => {
  const fleet = await crashFleet(3, database.url, 40)
  const book = await crashClient(database.url)
  const sent: Sending[] = []
  let over = false
  const load = Array.from({ length: threads }, async (_, number) => {
    for (let count = 0; !over; count++) {
      // Three at a time wait in each thread.
      const turns = [0, 1, 2].map((part) => {
        const thread = `thread ${number}`
        const message = `message ${count} of ${thread}, part ${part}`
        const { done } = book.thread(thread).send(message, { id: message, ifBusy: 'queue' })
        sent.push({ thread, message, done })
        return done
      })
      await Promise.all(turns)
    }
  })
  const takeOvers: number[] = []
  // Reads the log as its tenant does.
  const witness = new Pool({ connectionString: database.url, options: '-c minutebook.tenant=default' })
  // The database is dropped while the connection may still be there.
  witness.on('error', () => undefined)
  onTestFinished(() => witness.end())
  // On a busy machine an instance may be killed that was at nothing: then there is one more.
  for (let count = 1; count <= kills || (takeOvers.length === 0 && count <= 10 * kills); count++) {
    await pause(600 + Math.random() * 900)
    // At least two are left.
    if (fleet.instances.size < 3) await fleet.ready()
    const killed = [...fleet.instances.keys()][Math.floor(Math.random() * fleet.instances.size)]!
    const { rows } = await database.pool.query<{ now: Date; last: string }>(
      'select clock_timestamp() as now, coalesce(max(number), 0) as last from trace',
    )
    fleet.replace(killed)
    takeOvers.push(...(await takeOverTimes(witness, killed, rows[0]!)))
    if (count % 20 === 0) console.log(`${count} kills, ${sent.length} messages`)
  }
  over = true
  await Promise.all(load)

  const results = await Promise.all(sent.map(async ({ message, done }) => ({ message, ...(await done) })))
  expect(results.filter(({ status }) => status !== 'complete')).toEqual([])
  expect(results.filter(({ message, text }) => !text.endsWith(`Answer to ${message}`))).toEqual([])
  const { rows } = await database.pool.query<{ message: string }>("select message from trace where what = 'once'")
  const judged = await judgeTurns(book, { sent, runs: rows.map(({ message }) => message) })
  expect(judged).toEqual({ lost: 0, doubled: 0, findings: [] })
  // Every call was counted once, also those of instances that were killed.
  const store = postgresStore(database.pool, { tenant: 'default' })
  const counted = sumFigures((await store.figures()).map(({ figures }) => figures))
  const calls: Sums[] = []
  for await (const { figures } of figuresIn(store, new Set(sent.map(({ thread }) => thread)))) calls.push(figures)
  expect(counted).toEqual(sumFigures(calls))
  expect(counted.calls).toBeGreaterThanOrEqual(sent.length)
  const sorted = takeOvers.toSorted((one, other) => one - other)
  const p50 = sorted[Math.floor(sorted.length / 2)] ?? 0
  console.log(
    `${kills} kills, ${sent.length} turns, take-over of ${sorted.length} turns: p50 ${Math.round(p50)} ms, max ${Math.round(sorted.at(-1) ?? 0)} ms`,
  )
  expect(sorted.length).toBeGreaterThan(0)
  expect(p50).toBeLessThanOrEqual(usual)
  expect(sorted.at(-1)).toBeLessThanOrEqual(within(15_000))
  tally('crash', {
    kills,
    turns: sent.length,
    lost: judged.lost,
    doubled: judged.doubled,
    'taken over': sorted.length,
    'p50 ms': Math.round(p50),
    'at most ms': Math.round(sorted.at(-1)!),
  })
}, 7_200_000)

/** Milliseconds until someone else went on with each turn that the killed instance was at. */
async function takeOverTimes(
  witness: Pool,
  killed: string,
  { now, last }: { readonly now: Date; readonly last: string },
): Promise<number[]> {
  // What it was at: turns of which it was the last to be heard, lately, and that are not answered.
  const { rows: heard } = await witness.query<{ message: string }>(
    'select message from trace where number between $2::bigint - 2000 and $2 group by message having (array_agg(instance order by number desc))[1] = $1',
    [killed, last],
  )
  const times = await Promise.all(
    heard.map(async ({ message }) => {
      for (;;) {
        // In this order: once it is answered, what was done for it is written down.
        const isAnswered = await hasAnswer(witness, message)
        const { rows } = await witness.query<{ at: Date }>(
          'select at from trace where message = $1 and instance <> $2 and number > $3 order by number limit 1',
          [message, killed, last],
        )
        if (rows[0]) return [Math.max(0, rows[0].at.getTime() - now.getTime())]
        // Before it was killed, or by its last words, which arrived after all.
        if (isAnswered) return []
        await pause(50)
      }
    }),
  )
  return times.flat()
}

/** Looks at the newest entries of the thread: turns are answered in their order. */
async function hasAnswer(witness: Pool, message: string): Promise<boolean> {
  const thread = message.slice(message.indexOf('thread'), message.indexOf(','))
  const { rows } = await witness.query<{ answered: boolean }>(
    `select exists (select from minutebook.entry where thread = $1 and tenant = 'default' and payload like '%Answer to ' || $2::text || '"%'
       and seq > (select length - 500 from minutebook.thread where thread = $1 and tenant = 'default')) as answered`,
    [thread, message],
  )
  return rows[0]!.answered
}
