import { migrate } from '@minutebook/postgres'
import { Pool } from 'pg'
import { appendsThroughFailover } from './appends.ts'
import { startGroup, type Group } from './group.ts'
import { openHome } from './home.ts'
import type { Outcome } from './outcome.ts'
import { say } from './progress.ts'
import { readSettings, type Settings } from './settings.ts'

/**
 * Each part works while the primary is killed, waits until the three nodes are whole again, and gives one line of the
 * table. The place for turns on several instances is here, as one more part.
 */
const parts: readonly ((group: Group, run: number, settings: Settings) => Promise<Outcome>)[] = [appendsThroughFailover]

const settings = readSettings(process.env)
const { runs } = settings
const outcomes: Outcome[] = []

const home = openHome()
process.once('SIGINT', () => void home.end().then(() => process.exit(130)))
process.once('SIGTERM', () => void home.end().then(() => process.exit(143)))
try {
  say('three nodes are made, each of etcd, Patroni and Postgres 15, with haproxy before them')
  const group = await startGroup(home, settings)
  await makeTables(group.url)
  for (let run = 1; run <= runs; run++) {
    for (const part of parts) {
      say(`run ${run} of ${runs}`)
      outcomes.push(await part(group, run, settings))
    }
  }
} finally {
  if (outcomes.length > 0) console.table(outcomes.map(({ row }) => row))
  await home.end()
}

const findings = outcomes.flatMap((outcome) => outcome.findings)
for (const finding of findings.slice(0, 20)) console.error(finding)
say(findings.length === 0 ? 'nothing lost, nothing doubled; everything has ended' : `${findings.length} findings; everything has ended`)
process.exitCode = findings.length === 0 ? 0 : 1

async function makeTables(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url })
  await migrate(pool)
  await pool.end()
}
