import { setTimeout as pause } from 'node:timers/promises'
import { migrate, postgresStore } from '@minutebook/postgres'
import { openBook } from 'minutebook'
import { traits } from 'minutebook/store'
import { expect, test } from 'vitest'
import { crashClient } from '../../support/postgres/crash-client.ts'
import { testDatabase } from '../../support/postgres/database.ts'
import { startFleet } from '../../support/postgres/fleet.ts'
import { traceTable } from '../../support/postgres/trace.ts'
import { startScript } from '../../support/process/script-of-test.ts'
import { plainUpstream } from '../../support/server/raw.ts'

/**
 * Where an instance is frozen in the first run of a turn, and how often the tool that may not repeat runs in all, and
 * the tool behind an address is asked. If the answer was on record, the next runner cannot know whether its tools ran.
 */
const points = [
  { point: 'confirmed', once: 0, hook: 1 },
  { point: 'second call', once: 1, hook: 1 },
  { point: 'tools', once: 1, hook: 2 },
  { point: 'answered', once: 1, hook: 1 },
  { point: 'recorded', once: 0, hook: 1 },
] as const

const isLong = process.env['FREEZES'] !== undefined
const freezes = Number(process.env['FREEZES'] ?? 3)
/** How many instances are frozen at the same time, and milliseconds for which they are, at least. */
const [atOnce, frozenFor] = isLong ? [10, 30_000] : [3, 0]

const frozenTable = 'create table frozen (message text primary key)'
const database = testDatabase({
  prepare: async (pool) => [await migrate(pool), await pool.query(traceTable), await pool.query(frozenTable)],
})

interface Asked {
  readonly message: string
  readonly key: unknown
  readonly term: number
}

test(`${freezes} instances are frozen in the middle of a turn, and thaw after another has taken over: none calls a model or a tool`, async () => {
  const asked: Asked[] = []
  const hook = await plainUpstream((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(pieces).toString()) as { input: { message: string } }
      const { 'idempotency-key': key, 'minutebook-term': term } = request.headers
      asked.push({ message: input.message, key, term: Number(term) })
      // Later than the other tool of the turn, which freezes the instance meanwhile.
      void pause(600).then(() => response.end('done'))
    })
  })
  const said: { readonly instance: string; readonly line: string }[] = []
  const fleet = await startFleet(Math.min(freezes, atOnce) + 2, {
    start: (name) => startScript('postgres/freeze-instance.ts', database.url, name, hook.url),
    hear: (instance, line) => said.push({ instance, line }),
  })
  const book = await crashClient(database.url)
  let repeated = 0
  for (let begun = 0; begun < freezes; begun += atOnce) {
    const rounds = Array.from({ length: Math.min(atOnce, freezes - begun) }, (_, place) => {
      const number = begun + place
      const expected = points[number % points.length]!
      return { ...expected, thread: `thread ${number}`, message: `message ${number} at ${expected.point}` }
    })
    const turns = rounds.map(({ thread, message }) => book.thread(thread).send(message, { id: message }).done)
    const frozenIn = (message: string) => said.find(({ line }) => line === `frozen ${message}`)?.instance
    await expect.poll(() => rounds.filter(({ message }) => !frozenIn(message))).toEqual([])
    const thawing = pause(frozenFor)
    for (const [index, turn] of turns.entries())
      expect(await turn).toMatchObject({ status: 'complete', text: `Answer to ${rounds[index]!.message}` })
    await thawing
    const thawed = rounds.map(({ message }) => frozenIn(message)!)
    expect(new Set(thawed).size).toBe(rounds.length)
    const { rows } = await database.pool.query<{ last: string }>('select max(number) as last from trace')
    const requests = asked.length
    for (const instance of thawed) fleet.instances.get(instance)!.process.kill('SIGCONT')
    // Each thawed run ends, and says how.
    for (const [index, { thread }] of rounds.entries())
      await expect
        .poll(() => said.filter(({ instance }) => instance === thawed[index]).map(({ line }) => line))
        .toContain(`rest ${thread} fenced`)
    const { rows: late } = await database.pool.query('select what, message from trace where number > $1', [
      rows[0]!.last,
    ])
    expect([late, asked.slice(requests)]).toEqual([[], []])
    for (const { message, thread, once, hook: times } of rounds) {
      const { rows: ran } = await database.pool.query(
        "select instance from trace where message = $1 and what = 'once'",
        [message],
      )
      expect(ran, message).toHaveLength(once)
      const wishes = asked.filter((each) => each.message === message)
      expect(wishes, message).toHaveLength(times)
      repeated += times - 1
      expect(new Set(wishes.map(({ key }) => key)).size, 'keys of one wish').toBe(1)
      for (const [later, { term }] of wishes.slice(1).entries()) expect(term).toBeGreaterThan(wishes[later]!.term)
      const log = openBook({ store: postgresStore(database.pool) }).thread(thread)
      const chain = (await log.entries()).filter(({ kind }) => traits[kind].chained).map(({ kind }) => kind)
      expect(chain).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant'])
      expect(await log.branches()).toHaveLength(1)
      expect(await log.verify()).toMatchObject({ ok: true, problems: [] })
    }
    if (isLong) console.log(`${begun + rounds.length} freezes`)
  }
  expect(new Set(asked.map(({ key }) => key)).size, 'keys of all wishes').toBe(freezes)
  console.log(
    `${freezes} freezes of ${frozenFor / 1000} s or more: 0 calls after the thaw, ${asked.length} requests under ${freezes} keys, ${repeated} of them repeated`,
  )
}, 3_600_000)
