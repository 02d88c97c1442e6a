import { setTimeout as pause } from 'node:timers/promises'
import { migrate, postgresStore } from '@minutebook/postgres'
import { MinutebookError, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { checkConsistency, type Operation } from '@minutebook/testing'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { clusterDatabase } from '../../support/postgres/cluster-database.ts'
import { testCluster } from '../../support/postgres/database.ts'
import { tally } from '../../support/tally.ts'

const kills = Number(process.env['KILLS'] ?? 3)
const threads = ['one', 'two', 'three', 'four']

test(`${kills} times kill -9 of Postgres under load: nothing that was acknowledged is lost`, async (context) => {
  const cluster = await testCluster(context, { version: 15 })
  const pool = new Pool({
    connectionString: (await clusterDatabase(cluster)).url,
    pipeline: true,
    max: 8,
    connectionTimeoutMillis: 5000,
  })
  onTestFinished(() => pool.end())
  await migrate(pool)
  const store = postgresStore(pool)
  const seen = new Map(threads.map((thread) => [thread, [] as Operation[]]))
  const codes = new Set<string>()
  let over = false
  const writers = Array.from({ length: 8 }, (_, writer) =>
    write(store, threads[writer % threads.length]!, writer, seen, codes, () => over),
  )
  for (let count = 1; count <= kills; count++) {
    await pause(200 + Math.random() * 600)
    await cluster.kill()
    await cluster.restart()
    if (count % 50 === 0) console.log(`${count} kills`)
  }
  over = true
  await Promise.all(writers)
  const findings: string[] = []
  for (const [thread, operations] of seen) {
    const entries = await store.read(thread)
    const end = performance.now()
    const found = checkConsistency([...operations, { kind: 'read', begin: end, end, entries }])
    findings.push(...found.map((finding) => `${thread}: ${finding}`))
  }
  expect(findings).toEqual([])
  const outcomes = [...seen.values()]
    .flat()
    .map((operation) => (operation.kind === 'append' ? operation.outcome : 'read'))
  const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length
  console.log(
    `${kills} kills, ${count('written')} appends acknowledged, ${count('unknown')} without an answer, as ${[...codes].join(', ')}`,
  )
  expect(count('written')).toBeGreaterThan(kills)
  expect(count('unknown')).toBeGreaterThan(0)
  expect([...codes]).toEqual(['store_unreachable'])
  tally('kill-postgres', {
    kills,
    'appends acknowledged': count('written'),
    'without an answer': count('unknown'),
    'lost, doubled or out of order': findings.length,
  })
}, 3_600_000)

/** Appends one entry after the other, each until it is acknowledged: those without an answer are sent again. */
async function write(
  store: Store,
  thread: string,
  writer: number,
  seen: ReadonlyMap<string, Operation[]>,
  codes: Set<string>,
  isOver: () => boolean,
): Promise<void> {
  const operations = seen.get(thread)!
  for (let count = 0; !isOver(); count++) {
    const entries = [0, 1].map((part) => entryOf({ role: 'user', content: `${writer} ${count} ${part}` }))
    const ids = entries.map(({ id }) => id)
    for (let written = false; !written;) {
      const begin = performance.now()
      try {
        const answer = await store.append(thread, entries)
        operations.push({
          kind: 'append',
          begin,
          end: performance.now(),
          ids,
          outcome: answer.ok ? 'written' : 'refused',
          seqs: answer.ok ? answer.entries.map(({ seq }) => seq) : [],
        })
        written = true
      } catch (error) {
        if (!MinutebookError.isInstance(error)) throw error
        codes.add(error.code)
        operations.push({ kind: 'append', begin, ids, outcome: 'unknown', seqs: [] })
        await pause(20)
      }
    }
  }
}
