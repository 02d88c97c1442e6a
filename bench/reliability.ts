// What do the fault tests count? Runs them one after the other, each for as long as is asked, and writes bench/results/reliability.json.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Tally } from '../tests/support/tally.ts'
import { provenanceOf, resultsFolder } from './evidence/provenance.ts'
import { faultTests, type FaultRun, type ReliabilityData } from './evidence/reliability-data.ts'
import { recordedData } from './evidence/report.ts'

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    restarts: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '60' },
    /** Names of fault tests, with commas. Default: all. */
    only: { type: 'string', default: Object.keys(faultTests).join() },
  },
})

const settings = { KILLS: options.kills, RESTARTS: options.restarts, CONSISTENCY_SECONDS: options.seconds }
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'minutebook-reliability-'))
try {
  for (const name of options.only.split(',')) run(name)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs one test. What it counted replaces what was counted before; a test that fails leaves nothing. */
function run(name: string): void {
  const test = faultTests[name]
  if (test === undefined)
    throw new Error(`There is no fault test "${name}". Pass some of ${Object.keys(faultTests).join()}.`)
  const file = join(folder, name)
  const { status } = spawnSync('npx', ['vitest', 'run', test.file], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...settings, TALLY: file },
  })
  const counted = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  const tallies = counted.map((line) => JSON.parse(line) as Tally).filter((tally) => tally.test === name)
  if (status !== 0 || tallies.length !== 1) {
    console.error(`${name} failed, or counted nothing.`)
    process.exitCode = 1
    return
  }
  const command = `${test.setting}=${settings[test.setting]} npx vitest run ${test.file}`
  const made: FaultRun = { ...provenanceOf(command, []), counts: tallies[0]!.counts }
  const data: ReliabilityData = { ...recordedData<ReliabilityData>('reliability'), [name]: made }
  writeFileSync(join(resultsFolder, 'reliability.json'), `${JSON.stringify(data, null, 1)}\n`)
}
