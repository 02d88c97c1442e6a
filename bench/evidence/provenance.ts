// Where are figures from? What each data file in bench/results says of its run.
import { execFileSync } from 'node:child_process'
import { cpus, loadavg, platform, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

export interface Provenance {
  /** The command with its arguments. */
  readonly command: string
  readonly commit: string
  /** Whether packages or benches had changes that were not committed. */
  readonly isChanged: boolean
  readonly date: string
  readonly machine: string
}

/** The folder of all data files. */
export const resultsFolder: string = fileURLToPath(new URL('../results', import.meta.url))

/** What a run measures, without what the runs before it wrote. */
const measured = ['packages', 'bench', 'tests', ':!bench/results']

/** Of the run that is going on. `command`: as a person types it, without the arguments of this process. */
export function provenanceOf(command: string, args: readonly string[] = process.argv.slice(2)): Provenance {
  return {
    command: args.length === 0 ? command : `${command} -- ${args.join(' ')}`,
    commit: git('rev-parse', 'HEAD').trim(),
    isChanged: git('status', '--porcelain', '--untracked-files=no', '--', ...measured) !== '',
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
  }
}

/** The line below each figure of a page. `variance`: how far a repeated run may be from this one. */
export function provenanceLine(
  { command, commit, isChanged, date, machine: on }: Provenance,
  variance: string,
): string {
  const changes = isChanged ? ', with changes' : ''
  return `*\`${command}\`, commit ${commit.slice(0, 10)}${changes}, ${date}. Machine: ${on}. Variance: ${variance}*`
}

function machine(): string {
  const processors = cpus()
  const model = (processors[0]?.model ?? 'unknown').replaceAll(/\((?:R|TM)\)/g, '').replaceAll(/ +/g, ' ')
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const load = `load average ${loadavg()[0]!.toFixed(1)} at the end`
  return [`${processors.length} cores (${model})`, memory, platform(), `Node ${process.versions.node}`, load].join(', ')
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: resultsFolder.replace(/bench.results$/, ''), encoding: 'utf8' })
}
