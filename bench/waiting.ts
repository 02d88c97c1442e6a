import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from './markdown.ts'
import { startServer } from './postgres/server.ts'
import { showProgress } from './progress.ts'
import { leftTurns } from './waiting/left-turns.ts'
import { heldBy, measure, type Figure, type Pair } from './waiting/measure.ts'
import { postgresSide, sqliteSide } from './waiting/sides.ts'

// What many turns that wait cost those that do not.
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    turns: { type: 'string' },
    rounds: { type: 'string' },
    stores: { type: 'string', default: 'sqlite,postgres' },
    folder: { type: 'string' },
  },
})
const turns = Number(options.turns ?? (options.quick ? 500 : 100_000))
const rounds = Number(options.rounds ?? (options.quick ? 3 : 21))
const idleSeconds = options.quick ? 2 : 10
/** Turns that are run for the copies. */
const distinct = Math.min(turns, 200)
const grouped = turns.toLocaleString('en')

console.log(
  `# What ${grouped} turns that wait cost\n\nTwo stores of ${grouped} threads each: in one all turns are over, in the other all of them wait. Medians of ${rounds} rounds, and of the ratios in each.`,
)
const left = { none: await leftTurns('finished', distinct), waiting: await leftTurns('waiting', distinct) }
const misses: string[] = []
if (options.stores.includes('sqlite')) await onSqlite()
if (options.stores.includes('postgres')) await onPostgres()
const held = await heldBy(1000)
console.log(`\nTimers and handles that 1,000 turns hold while they wait: ${held}.`)
if (held >= 10) misses.push(`${held} handles for turns that wait`)
// With few turns, the times are too short to be judged.
if (misses.length > 0) console.log(`\nNot kept: ${misses.join('; ')}.`)
if (misses.length > 0 && !options.quick) process.exitCode = 1

async function onSqlite(): Promise<void> {
  const folder = mkdtempSync(join(options.folder ?? tmpdir(), 'minutebook-waiting-'))
  try {
    await report('SQLite', { none: sqliteSide(folder, 'none'), waiting: sqliteSide(folder, 'waiting') })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onPostgres(): Promise<void> {
  const server = await startServer(options.folder)
  try {
    const pair = { none: await postgresSide(server, 'none'), waiting: await postgresSide(server, 'waiting') }
    await report(`Postgres ${server.cluster.version}`, pair)
  } finally {
    await server.cluster.stop()
  }
}

async function report(name: string, pair: Pair): Promise<void> {
  const progress = showProgress(4 * (rounds + 1) + 4)
  for (const which of ['none', 'waiting'] as const) {
    await pair[which].prepare(left[which], turns)
    progress.step('prepare')
  }
  const figures = await measure(pair, { rounds, idleSeconds, left: left.waiting, progress })
  progress.done()
  console.log(`\n## ${name}\n\n${table(['', 'none waits', `${grouped} wait`, 'ratio'], figures.map(row))}`)
  for (const { name: what, ratio, most } of figures)
    if (most !== undefined && ratio > most) misses.push(`${name}: ${what}`)
}

function row({ name, none, waiting, ratio, unit }: Figure): string[] {
  const shown = (value: number): string => (unit === 'ms' ? `${value.toFixed(2)} ms` : String(value))
  return [name, shown(none), shown(waiting), `${ratio.toFixed(2)}×`]
}
