import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gatewayProgram, startChild, type Child } from '../tests/support/process/child.ts'
import { busy, bytes, needTable, peak, type TurnCost } from './cost/model.ts'
import {
  chats,
  costOf,
  hangUp,
  nativeTurns,
  postgresMeter,
  sqliteMeter,
  type Load,
  type Wave,
} from './cost/one-turn.ts'
import { provenanceOf } from './evidence/provenance.ts'
import { keepReport } from './evidence/report.ts'
import { clientAgent } from './gateway/measured-stream.ts'
import { table } from './markdown.ts'
import { startServer } from './postgres/server.ts'
import { showProgress } from './progress.ts'

// What does a day of turns cost? One turn is measured, on a real server; the rest is a calculation.

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    conversations: { type: 'string' },
    turns: { type: 'string', default: '12' },
    deltas: { type: 'string' },
    out: { type: 'string', default: join(import.meta.dirname, 'results') },
  },
})

const load: Load = {
  conversations: Number(options.conversations ?? (options.quick ? 8 : 160)),
  atOnce: options.quick ? 8 : 16,
  turns: Number(options.quick ? 2 : options.turns),
  deltas: Number(options.deltas ?? (options.quick ? 20 : 100)),
}

const ways: readonly (readonly [name: string, wave: Wave])[] = [
  ['chats through the gateway', chats],
  ['native turns', nativeTurns],
]

const folder = mkdtempSync(join(tmpdir(), 'minutebook-cost-'))
const children: Child[] = []
const postgres = await startServer(undefined)
try {
  await main()
} finally {
  clientAgent.destroy()
  hangUp()
  await Promise.all(children.map((child) => child.stop()))
  await postgres.cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const upstream = await start('upstream', join(import.meta.dirname, 'gateway/upstream-process.ts'))
  const waves = 1 + Math.ceil(load.conversations / load.atOnce)
  const progress = showProgress(waves * ways.length * 2)
  const costs = new Map<string, TurnCost>()
  for (const [name, wave] of ways) {
    const id = name.replaceAll(' ', '_')
    const step = (): void => progress.step(name)
    const small = await start(id, gatewayProgram, { MINUTEBOOK_UPSTREAMS: upstream.url })
    costs.set(
      `${name}, SQLite`,
      await costOf(wave, small.url, sqliteMeter(small, join(folder, id, 'minutebook.db')), load, step),
    )
    await small.stop()
    const database = await postgres.database(id)
    const instance = await start(`${id}_postgres`, gatewayProgram, {
      MINUTEBOOK_UPSTREAMS: upstream.url,
      MINUTEBOOK_DATABASE: database.url,
      MINUTEBOOK_POOL_SIZE: '20',
    })
    const meter = postgresMeter(instance, postgres, database)
    costs.set(`${name}, Postgres`, await costOf(wave, instance.url, meter, load, step))
    await instance.stop()
  }
  progress.done()
  const report = reportOn(costs)
  console.log(report)
  // A smoke test has too few turns for figures.
  if (options.quick) return
  keepReport('cost', report, provenanceOf('npm run bench:cost'), options.out)
}

async function start(name: string, program: string, environment = {}): Promise<Child> {
  const command = [process.execPath, '--no-warnings', program]
  const child = await startChild({ command, folder: join(folder, name), environment })
  children.push(child)
  return child
}

function reportOn(costs: ReadonlyMap<string, TurnCost>): string {
  const waves = Math.ceil(load.conversations / load.atOnce)
  const measured = table(
    ['', 'processor of the instance', 'of the database', 'stored', 'WAL'],
    [...costs].map(([name, { instances, database, stored, logged }]) => [
      name,
      milliseconds(instances),
      milliseconds(database),
      bytes(stored),
      logged === 0 ? '–' : bytes(logged),
    ]),
  )
  return `# What does a day of turns cost?

## What one turn takes

The mean of ${waves * load.atOnce * load.turns} turns: conversations of ${load.turns} turns, ${load.atOnce} at once, with answers of ${load.deltas} deltas without a pause. The processor time of a model is not in it. An entry is short here: with longer messages, what is stored grows with them.

${measured}

## What a load needs

A calculation: the busiest hour has ${peak} times the turns of the mean, and a core is planned to be ${busy * 100} % busy then. Without indexes for search in other stores, backups and replicas.
${[...costs].map(([name, cost]) => `\n### ${name[0]!.toUpperCase()}${name.slice(1)}\n\n${needTable(cost)}\n`).join('')}`
}

function milliseconds(microseconds: number): string {
  return microseconds === 0 ? '–' : `${(microseconds / 1000).toFixed(1)} ms`
}
