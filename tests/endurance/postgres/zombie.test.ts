import { setTimeout as pause } from 'node:timers/promises'
import { migrate, postgresStore } from '@minutebook/postgres'
import { openBook } from 'minutebook'
import { traits } from 'minutebook/store'
import { expect, test } from 'vitest'
import { crashClient } from '../../support/postgres/crash-client.ts'
import { crashFleet } from '../../support/postgres/crash-fleet.ts'
import { testDatabase } from '../../support/postgres/database.ts'
import { traceTable } from '../../support/postgres/trace.ts'

const freezes = Number(process.env['FREEZES'] ?? 1)
const database = testDatabase({ prepare: async (pool) => [await migrate(pool), await pool.query(traceTable)] })

test('an instance that is frozen in the middle of a turn and thaws after another has taken over writes nothing more', async () => {
  const fleet = await crashFleet(2, database.url, 400)
  const book = await crashClient(database.url)
  for (let round = 0; round < freezes; round++) {
    const text = `message ${round}`
    const { done } = book.thread('thread').send(text, { id: text })
    const runner = await instanceAt(text, 2)
    fleet.instances.get(runner)!.process.kill('SIGSTOP')
    const result = await done
    fleet.instances.get(runner)!.process.kill('SIGCONT')
    expect(result).toMatchObject({ status: 'complete', text: expect.stringContaining(`Answer to ${text}`) as string })
    expect(await instances(text), 'how many took part').toBeGreaterThan(1)
    // Time for the thawed one to finish its step, and to try to write it down.
    await pause(2500)
  }
  const thread = openBook({ store: postgresStore(database.pool) }).thread('thread')
  const chain = (await thread.entries()).filter(({ kind }) => traits[kind].chained).map(({ kind }) => kind)
  expect(chain).toEqual(
    Array.from({ length: freezes }).flatMap(() => ['user', 'assistant', 'tool', 'tool', 'assistant']),
  )
  expect(await thread.branches()).toHaveLength(1)
  expect(await thread.verify()).toMatchObject({ ok: true, problems: [] })
  const { rows } = await database.pool.query(
    "select message from trace where what = 'once' group by message having count(*) > 1",
  )
  expect(rows).toEqual([])
}, 3_600_000)

/** The instance that runs the turn, once it has done so many things of it. */
async function instanceAt(message: string, things: number): Promise<string> {
  for (;;) {
    const { rows } = await database.pool.query<{ instance: string }>(
      'select instance from trace where message = $1 order by number',
      [message],
    )
    if (rows.length >= things) return rows.at(-1)!.instance
    await pause(10)
  }
}

async function instances(message: string): Promise<number> {
  return (await database.pool.query('select distinct instance from trace where message = $1', [message])).rows.length
}
