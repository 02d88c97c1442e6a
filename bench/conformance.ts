// Who keeps what? Runs the conformance suite on our policies and on other libraries, and writes docs/comparison.md.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkConformance } from '@minutebook/conformance'
import { contestants } from './conformance/contestants.ts'
import { brokenPromises, pageWith, type ComparedContestant, type ConformanceData } from './conformance/page.ts'
import { installPeers } from './peers.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
  },
})
const [runs, seed] = [options.quick ? 20 : Number(options.runs), Number(options.seed)]

installPeers()
const compared: ComparedContestant[] = []
for (const { fit, counter, ...contestant } of await contestants({ withPeers: true })) {
  const results = await checkConformance(fit, { runs, seed, counter })
  compared.push({ ...contestant, results })
  process.stderr.write(`${contestant.name}: ${results.filter(({ held }) => held).length} of ${results.length} held\n`)
}

const data: ConformanceData = {
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
  node: process.versions.node,
  runs,
  seed,
  contestants: compared,
}
const broken = brokenPromises(data)
for (const each of broken) console.error(`BROKEN ${each}`)
if (broken.length > 0) process.exitCode = 1
if (!options.quick) save()

function save(): void {
  const page = fileURLToPath(new URL('../docs/comparison.md', import.meta.url))
  writeFileSync(new URL('./results/conformance.json', import.meta.url), `${JSON.stringify(data, null, 1)}\n`)
  writeFileSync(page, pageWith(readFileSync(page, 'utf8'), data))
}
