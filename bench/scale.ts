import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer, type Server } from './postgres/server.ts'
import { showProgress } from './progress.ts'
import { drawScale, plotText } from './scale/chart.ts'
import { postgresKeeper, sqliteKeeper, type Keeper } from './scale/keepers.ts'
import { measure, stepsOf, type Measured, type Plan } from './scale/measure.ts'
import { reportOn } from './scale/report.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string' },
    store: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string' },
    limit: { type: 'string', default: '120' },
    quick: { type: 'boolean', default: false },
    folder: { type: 'string' },
    out: { type: 'string', default: join(import.meta.dirname, 'results') },
  },
})

const sizes = (options.sizes ?? (options.quick ? '1e2,1e3' : '1e2,1e3,1e4,1e5,1e6')).split(',').map(Number)
const plan: Plan = {
  sizes: sizes.toSorted((one, other) => one - other),
  rounds: Number(options.rounds ?? (options.quick ? 2 : 7)),
  isApart: !options.quick,
  warmings: options.quick ? 1 : 15,
  limit: 1000 * Number(options.limit),
  budget: options.quick ? 100 : 20_000,
  most: options.quick ? 1_000 : 20_000,
}

const folder = mkdtempSync(join(options.folder ?? tmpdir(), 'minutebook-bench-'))
let server: Server | undefined
try {
  await main()
} finally {
  await server?.cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const title = '# Does a turn cost the same at a hundred entries and at a million?'
  const setting = `Window 8,192, the default policy, a model that answers at once. Medians of at most ${plan.rounds} plays, the sizes in turn. In brackets: the ratio to the smallest log.`
  console.log(`${title}\n\n${setting}`)
  const all: Measured[] = []
  const reports: string[] = []
  for (const name of options.store.split(',')) {
    const progress = showProgress(stepsOf(plan))
    const measured = await measure(await keeperOf(name), plan, progress)
    progress.done()
    all.push(measured)
    reports.push(reportOn(measured, plan.sizes, plan.limit))
    console.log(`\n${reports.at(-1)}\n\n${plotText(measured, plan.sizes)}`)
  }
  const isPlayed = all.every(({ cells }) => [...cells.values()].every(isEachPlayed))
  // A size may be too large, but not that of a smoke test.
  if (options.quick && !isPlayed) process.exitCode = 1
  mkdirSync(options.out, { recursive: true })
  writeFileSync(join(options.out, 'scale.md'), [title, setting, ...reports, ''].join('\n\n'))
  writeFileSync(join(options.out, 'scale.svg'), drawScale(all, plan.sizes))
}

function isEachPlayed(bySize: ReadonlyMap<number, readonly unknown[]>): boolean {
  return plan.sizes.every((size) => (bySize.get(size)?.length ?? 0) > 0)
}

async function keeperOf(name: string): Promise<Keeper> {
  if (name === 'sqlite') return sqliteKeeper(folder)
  if (name === 'postgres') return postgresKeeper((server ??= await startServer(options.folder)))
  throw new Error(`There is no store "${name}" here. Pass --store sqlite, --store postgres, or nothing for both.`)
}
