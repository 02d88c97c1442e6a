import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { provenanceOf } from './evidence/provenance.ts'
import { keepReport } from './evidence/report.ts'
import { startServer, type Server } from './postgres/server.ts'
import { showProgress } from './progress.ts'
import { drawScale, plotText } from './scale/chart.ts'
import { postgresKeeper, sqliteKeeper, type Keeper } from './scale/keepers.ts'
import { measure, stepsOf, type Plan } from './scale/measure.ts'
import { reportOn } from './scale/report.ts'
import { measureThreads } from './threads/measure.ts'
import { threadPlays } from './threads/plays.ts'
import { reportOnThreads, threadsTitle } from './threads/report.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string' },
    threads: { type: 'string' },
    store: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string' },
    limit: { type: 'string', default: '120' },
    quick: { type: 'boolean', default: false },
    folder: { type: 'string' },
    out: { type: 'string' },
  },
})

const sizes = numbersIn(options.sizes ?? (options.quick ? '1e2,1e3' : '1e2,1e3,1e4,1e5,1e6'))
const plan: Plan = {
  sizes,
  rounds: Number(options.rounds ?? (options.quick ? 2 : 7)),
  isApart: !options.quick,
  warmings: options.quick ? 1 : 100,
  warmOn: options.quick ? 100 : 10_000,
  limit: 1000 * Number(options.limit),
  budget: options.quick ? 100 : 20_000,
  most: options.quick ? 1_000 : 20_000,
}

const command = 'npm run bench:scale'
// A smoke test must not replace what docs/scale.md shows.
const out = options.out ?? join(import.meta.dirname, options.quick ? 'results/quick' : 'results')
const folder = mkdtempSync(join(options.folder ?? tmpdir(), 'minutebook-bench-'))
let server: Server | undefined
try {
  if (options.threads === undefined || options.quick) await main()
  if (options.threads !== undefined || options.quick) await manyThreads(numbersIn(options.threads ?? '1e3,2e3'))
} finally {
  await server?.cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const title = '# Does a turn cost the same at a hundred entries and at a million?'
  const setting = `Window 8,192, the default policy, a model that answers at once. Medians of at most ${plan.rounds} plays, the sizes in turn, after ${plan.warmings === 1 ? 'a play' : `${plan.warmings} plays`} on another thread. In brackets: the ratio to the smallest log.`
  console.log(`${title}\n\n${setting}`)
  mkdirSync(out, { recursive: true })
  for (const name of options.store.split(',')) {
    const progress = showProgress(stepsOf(plan))
    const measured = await measure(await keeperOf(name), plan, progress)
    progress.done()
    const report = reportOn(measured, plan.sizes, plan.limit)
    console.log(`\n${report}\n\n${plotText(measured, plan.sizes)}`)
    // A size may be too large, but not that of a smoke test.
    if (options.quick && ![...measured.cells.values()].every(isEachPlayed)) process.exitCode = 1
    keepReport(`scale-${name}`, [title, setting, report].join('\n\n'), provenanceOf(command), out)
    writeFileSync(join(out, `scale-${name}.svg`), drawScale(measured, plan.sizes))
  }
}

/** Another question than that of long logs: stores of very many short ones. */
async function manyThreads(counts: readonly number[]): Promise<void> {
  const setting = `Threads of two entries. Medians of ${plan.rounds} plays, the numbers of threads in turn.`
  console.log(`\n${threadsTitle}\n\n${setting}`)
  const reports: string[] = []
  for (const name of options.store.split(',')) {
    const steps = counts.length * (1 + (Object.keys(threadPlays).length + 1) * (plan.rounds + 1))
    const progress = showProgress(steps)
    const keeper = await keeperOf(name)
    const on = keeper.name === 'Postgres' ? server : undefined
    const measured = await measureThreads(keeper.name, counts, { rounds: plan.rounds, folder, server: on, progress })
    progress.done()
    reports.push(reportOnThreads(measured, counts))
    console.log(`\n${reports.at(-1)}`)
  }
  keepReport('scale-threads', [threadsTitle, setting, ...reports].join('\n\n'), provenanceOf(command), out)
}

/** From small to large. */
function numbersIn(list: string): readonly number[] {
  return list
    .split(',')
    .map(Number)
    .toSorted((one, other) => one - other)
}

function isEachPlayed(bySize: ReadonlyMap<number, readonly unknown[]>): boolean {
  return plan.sizes.every((size) => (bySize.get(size)?.length ?? 0) > 0)
}

async function keeperOf(name: string): Promise<Keeper> {
  if (name === 'sqlite') return sqliteKeeper(folder)
  if (name === 'postgres') return postgresKeeper((server ??= await startServer(options.folder)))
  throw new Error(`There is no store "${name}" here. Pass --store sqlite, --store postgres, or nothing for both.`)
}
