import { migrate } from '@minutebook/postgres'
import { Pool } from 'pg'
import { traceTable } from '../../../support/postgres/trace.ts'
import { appendsThroughFailover } from './appends.ts'
import { startGroup, type Group } from './group.ts'
import { openHome } from './home.ts'
import type { Outcome } from './outcome.ts'
import { say } from './progress.ts'
import { readSettings, type Part, type Settings } from './settings.ts'
import { turnsThroughFailover } from './turns.ts'

/**
 * Each part works while the primary is killed, waits until the three nodes are whole again, and gives one line of its
 * table.
 */
const workOf: Readonly<Record<Part, (group: Group, run: number, settings: Settings) => Promise<Outcome>>> = {
  appends: appendsThroughFailover,
  turns: turnsThroughFailover,
}

const settings = readSettings(process.env)
const { runs, parts } = settings
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
      say(`run ${run} of ${runs}: ${part}`)
      outcomes.push(await workOf[part](group, run, settings))
    }
  }
} finally {
  for (const each of parts) {
    console.log(each)
    console.table(outcomes.filter(({ part }) => part === each).map(({ row }) => row))
  }
  await home.end()
}

const findings = outcomes.flatMap((outcome) => outcome.findings)
for (const finding of findings.slice(0, 20)) console.error(finding)
say(
  findings.length === 0
    ? 'nothing lost, nothing doubled; everything has ended'
    : `${findings.length} findings; everything has ended`,
)
// Whoever waits for what was lost would wait on.
process.exit(findings.length === 0 ? 0 : 1)

async function makeTables(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url })
  await migrate(pool)
  await pool.query(traceTable)
  await pool.end()
}
