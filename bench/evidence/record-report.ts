// Records a report that was printed before: node bench/evidence/record-report.ts gateway --command 'npm run bench:gateway' < report.md
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { provenanceOf } from './provenance.ts'
import { keepReport } from './report.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** The command that printed it. */
    command: { type: 'string' },
    /** Where it ran, if that is not this checkout on this machine today. */
    commit: { type: 'string' },
    date: { type: 'string' },
    machine: { type: 'string' },
  },
})
const [name] = positionals
if (name === undefined || values.command === undefined)
  throw new Error("Pass the name of the data file and the command: record-report.ts gateway --command 'npm run …'")

const { command, ...rest } = values
const here = provenanceOf(command, [])
const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
const isChanged = values.commit === undefined && here.isChanged
// What npm wrote before the report does not belong to it, nor do lines of progress.
const markdown = readFileSync(0, 'utf8')
  .replace(/^[^]*?(?=^# )/m, '')
  .replaceAll(/^\d+\/\d+ \d+ s .*\n/gm, '')
keepReport(name, markdown, { ...here, ...given, isChanged })
