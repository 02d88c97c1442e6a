// Writes the pages of evidence from the data in bench/results, and the figures of README.md; with --check it only compares.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { evidenceFiles, pathOf } from './evidence/files.ts'

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

for (const { file, text } of evidenceFiles()) {
  if (options.check && readFileSync(pathOf(file), 'utf8') !== text) {
    console.error(`${file} is not what the data in bench/results says: run npm run evidence.`)
    process.exitCode = 1
  }
  if (options.check) continue
  mkdirSync(dirname(pathOf(file)), { recursive: true })
  writeFileSync(pathOf(file), text)
  console.log(file)
}
