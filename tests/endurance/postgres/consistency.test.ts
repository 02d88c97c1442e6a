import { migrate, postgresStore } from '@minutebook/postgres'
import { checkConsistency, type Operation } from '@minutebook/testing'
import { expect, test } from 'vitest'
import { startScript } from '../../support/process/script-of-test.ts'
import { testDatabase } from '../../support/postgres/database.ts'
import { serialStore, serialTable } from '../../support/postgres/serial-store.ts'
import { tally } from '../../support/tally.ts'

const seconds = process.env['CONSISTENCY_SECONDS'] ?? '4'
const database = testDatabase({ prepare: async (pool) => [await migrate(pool), await pool.query(serialTable)] })

/** Eight writers in three processes, on the same threads at once. Gives the operations of each thread. */
async function writeTogether(kind: 'sound' | 'serial', time: string): Promise<Map<number, Operation[]>> {
  const children = [3, 3, 2].map((writers, name) =>
    startScript('postgres/consistency-child.ts', database.url, String(name), String(writers), time, kind),
  )
  const rounds = new Map<number, Operation[]>()
  await Promise.all(
    children.map(async ({ process, lines, ended }) => {
      for await (const line of lines) {
        const { round, operations } = JSON.parse(line) as { round: number; operations: Operation[] }
        rounds.set(round, [...(rounds.get(round) ?? []), ...operations])
      }
      await ended
      expect(process.exitCode).toBe(0)
    }),
  )
  return rounds
}

test(`eight writers in three processes for ${seconds} s, connections cut at random: all five checks hold`, async () => {
  const store = postgresStore(database.pool, { tenant: 'consistency' })
  const cutting = setInterval(
    () =>
      void database.pool
        .query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like '%minutebook.entry%' order by random() limit 1",
        )
        .catch(() => undefined),
    300,
  )
  const rounds = await writeTogether('sound', seconds).finally(() => clearInterval(cutting))
  const outcomes = { written: 0, refused: 0, unknown: 0 }
  const findings: string[] = []
  for (const [round, operations] of rounds) {
    const entries = await store.read(`round ${round}`)
    const end = Number(process.hrtime.bigint())
    const found = checkConsistency([...operations, { kind: 'read', begin: end, end, entries }])
    findings.push(...found.map((finding) => `round ${round}: ${finding}`))
    for (const operation of operations) if (operation.kind === 'append') outcomes[operation.outcome]++
  }
  console.log(`${rounds.size} threads, appends: ${JSON.stringify(outcomes)}`)
  expect(findings).toEqual([])
  // Otherwise this shows nothing.
  expect(Math.min(outcomes.written, outcomes.refused, outcomes.unknown)).toBeGreaterThan(0)
  tally('consistency', {
    seconds: Number(seconds),
    threads: rounds.size,
    'appends acknowledged': outcomes.written,
    refused: outcomes.refused,
    'without an answer': outcomes.unknown,
    'lost, doubled or out of order': findings.length,
  })
})

test('places by a serial number are found out', async () => {
  const rounds = await writeTogether('serial', '2')
  const store = serialStore(database.pool)
  const findings: string[] = []
  for (const [round, operations] of rounds) {
    const entries = await store.read(`round ${round}`)
    const end = Number(process.hrtime.bigint())
    findings.push(...checkConsistency([...operations, { kind: 'read', begin: end, end, entries }]))
  }
  expect(findings.some((finding) => finding.startsWith('prefix reads: '))).toBe(true)
})
