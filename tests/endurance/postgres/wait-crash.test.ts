import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '@minutebook/postgres'
import type { Book, Decision, OpenCall, TurnResult } from 'minutebook'
import { traits } from 'minutebook/store'
import { expect, test } from 'vitest'
import { startScript } from '../../support/process/script-of-test.ts'
import { crashClient } from '../../support/postgres/crash-client.ts'
import { testDatabase } from '../../support/postgres/database.ts'
import { startFleet } from '../../support/postgres/fleet.ts'
import { traceTable } from '../../support/postgres/trace.ts'

const kills = Number(process.env['KILLS'] ?? 3)
const threads = 8

const database = testDatabase({ prepare: async (pool) => [await migrate(pool), await pool.query(traceTable)] })

test(`${kills} times kill -9 of an instance while turns wait and go on, 2 instances, each decision sent twice and to both: decided once, run once, nothing lost`, async () => {
  const fleet = await startFleet(2, {
    start: (name) => startScript('postgres/wait-instance.ts', database.url, name, '20'),
  })
  const books = [await crashClient(database.url), await crashClient(database.url)] as const
  const asked = new Map<string, string[]>()
  let over = false
  const load = Array.from({ length: threads }, async (_, number) => {
    const thread = `thread ${number}`
    const messages: string[] = []
    asked.set(thread, messages)
    for (let count = 0; !over || count === 0; count++) {
      const message = `message ${count} of ${thread}`
      messages.push(message)
      expect((await answered(books, thread, message)).text).toBe(`Answer to ${message}`)
    }
  })
  for (let count = 1; count <= kills; count++) {
    await pause(200 + Math.random() * 600)
    await fleet.ready()
    fleet.replace([...fleet.instances.keys()][Math.floor(Math.random() * fleet.instances.size)]!)
    if (count % 50 === 0) console.log(`${count} kills, ${[...asked.values()].flat().length} turns`)
  }
  over = true
  await Promise.all(load)
  const { rows } = await database.pool.query<{ times: number }>(
    'select count(*)::int as times from trace group by what, message order by times desc',
  )
  const turns = [...asked.values()].flat().length
  let unknown = 0
  const decisions: string[] = []
  for (const [name, messages] of asked) {
    const entries = await books[0].thread(name).entries()
    const kinds = entries.filter(({ kind }) => traits[kind].chained).map(({ kind }) => kind)
    expect(kinds).toEqual(messages.flatMap(() => ['user', 'assistant', 'tool', 'tool', 'tool', 'assistant']))
    for (const { kind, text } of entries) if (kind === 'decision') decisions.push((JSON.parse(text) as Decision).do)
    unknown += entries.filter(({ kind, status }) => kind === 'tool' && status === 'cancelled').length
  }
  console.log(
    `${kills} kills, ${turns} turns, ${decisions.length} decisions, ${rows.length} calls ran, ${unknown} of unknown effect`,
  )
  expect(decisions).toHaveLength(3 * turns)
  expect(rows.every(({ times }) => times === 1)).toBe(true)
  const allowed = decisions.filter((decided) => decided === 'run').length
  expect(rows.length).toBeLessThanOrEqual(allowed)
  // What was allowed and did not run was started by an instance that died before the tool began.
  expect(rows.length).toBeGreaterThanOrEqual(allowed - unknown)
  expect(await books[0].waiting()).toEqual({ calls: [] })
}, 7_200_000)

/** Sends a message and decides what waits, on both instances at once, until there is an answer. */
async function answered(books: readonly [Book, Book], thread: string, message: string): Promise<TurnResult> {
  let result = await books[0].thread(thread).send(message, { id: message }).done
  while (result.status !== 'complete') {
    const [open] = result.waiting ?? (await books[1].thread(thread).waiting())
    if (!open) result = await books[0].thread(thread).send(message, { id: message }).done
    else {
      const turns = [...books, ...books].map((book) => book.thread(thread).decide(open.id, decisionFor(open)).done)
      const against = books[1].thread(thread).decide(open.id, { do: 'refuse' }).done
      ;[result] = (await Promise.all([...turns, against])) as [TurnResult]
    }
  }
  return result
}

function decisionFor({ needs }: OpenCall): Decision {
  return needs === 'approval' ? { do: 'run' } : { do: 'answer', output: 'green' }
}
