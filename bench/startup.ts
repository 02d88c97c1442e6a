import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sqliteStore } from '@minutebook/sqlite'
import { openBook } from 'minutebook'
import { scriptedModel } from '../packages/testing/src/index.ts'
import { countModules, installCommand } from '../tests/support/process/installed-command.ts'
import { table } from './markdown.ts'
import { median } from './median.ts'
import { showProgress } from './progress.ts'

// How long a command takes from start to end, next to `node -e 0` in the same round, and how many modules it loads.
const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '21' } } })
const rounds = Number(options.rounds)

const scratch = mkdtempSync(join(tmpdir(), 'minutebook-startup-'))
try {
  await main()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const { file: command } = await installCommand(join(scratch, 'command'))
  const data = join(scratch, 'data')
  await writeRecord(data)
  const cases: readonly (readonly [name: string, args: readonly string[]])[] = [
    ['node -e 0', ['-e', '0']],
    ['minutebook --version', [command, '--version']],
    ['minutebook --help', [command, '--help']],
    ['minutebook threads', [command, 'threads']],
    ['minutebook explain', [command, 'explain']],
  ]
  const times = new Map<string, number[]>(cases.map(([name]) => [name, []]))
  const progress = showProgress(rounds * cases.length)
  for (let round = 0; round < rounds; round++)
    for (const [name, args] of cases) {
      times.get(name)?.push(timed(args, data))
      progress.step(name)
    }
  progress.done()
  const bare = times.get('node -e 0') ?? []
  const rows = cases.map(([name, args]) => {
    const own = times.get(name) ?? []
    const ratios = own.map((time, round) => time / (bare[round] ?? Number.NaN))
    return [name, `${median(own).toFixed(0)} ms`, `${median(ratios).toFixed(1)}×`, String(modulesOf(args, data))]
  })
  console.log(`# How long a command takes\n\nThe bundled command, medians of ${rounds} rounds.\n`)
  console.log(table(['command', 'time', 'next to node -e 0', 'modules'], rows))
}

/** A small file: one thread of twenty turns. */
async function writeRecord(data: string): Promise<void> {
  mkdirSync(data)
  const answers = Array.from({ length: 20 }, (_, turn) => ({ text: `Sow spinach in bed ${turn}.` }))
  const store = sqliteStore(join(data, 'minutebook.db'))
  const book = openBook({ store, model: scriptedModel(answers), window: 4096 })
  for (const turn of answers.keys()) await book.thread('garden').send(`What grows in bed ${turn}?`).done
  store.close()
}

function timed(args: readonly string[], data: string): number {
  const start = performance.now()
  const { status, stderr } = run(args, data)
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - start
}

function modulesOf(args: readonly string[], data: string): number {
  return Number(run(['--import', countModules, ...args], data).output[3])
}

function run(args: readonly string[], data: string): SpawnSyncReturns<string> {
  const { NODE_COMPILE_CACHE: _, NODE_OPTIONS: __, ...environment } = process.env
  return spawnSync(process.execPath, ['--no-warnings', ...args], {
    cwd: scratch,
    env: { ...environment, MINUTEBOOK_DATA: data },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
}
