import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gatewayProgram, startChild, type Child } from '../tests/support/process/child.ts'
import { openReport } from './evidence/report.ts'
import { roundOf, type Round } from './gateway/figures.ts'
import { crowd, type Load } from './gateway/load.ts'
import { clientAgent } from './gateway/measured-stream.ts'
import { published, resultTable, summary, verdict } from './gateway/report.ts'
import { processorTimeOf } from './processor-time.ts'
import { showProgress } from './progress.ts'
import { comparedReport } from './rounds/compared-times.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    command: { type: 'string' },
    folder: { type: 'string' },
    rounds: { type: 'string' },
    processes: { type: 'string' },
    against: { type: 'string' },
  },
})

const rounds = Number(options.rounds ?? (options.quick ? 2 : 7))
/**
 * Answers as long as people see them: with shorter ones the disk would be measured, not the streams. At most 50 chats
 * begin in a second, which a gateway can answer with half of its core: with more, a queue would be measured.
 */
const loads: readonly Load[] = options.quick
  ? [
      { streams: 16, deltas: 30, pace: 20, path: '/v1/chat/completions' },
      { streams: 80, deltas: 16, pace: 100, path: '/v1/chat/completions' },
    ]
  : [
      { streams: 16, deltas: 120, pace: 20, path: '/v1/chat/completions' },
      { streams: 16, deltas: 120, pace: 20, path: '/api/chat' },
      { streams: 16, deltas: 120, pace: 20, path: '/v1/messages' },
      { streams: 200, deltas: 40, pace: 100, path: '/v1/chat/completions' },
    ]

/** What stands between client and upstream. */
interface Side {
  readonly name: string
  readonly url: string
  readonly pid: number | undefined
}

const folder = mkdtempSync(join(options.folder ?? tmpdir(), 'minutebook-bench-'))
const children: Child[] = []
try {
  if (options.against === undefined) await main()
  else await compare(options.against)
} finally {
  clientAgent.destroy()
  await Promise.all(children.map((child) => child.stop()))
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const sides = await startSides()
  const report = openReport('gateway', 'npm run bench:gateway')
  report.say(
    `# What the gateway adds to a stream\n\n${rounds} rounds, all sides in each; the median of the rounds. Client, upstream and the side in the middle are processes of one machine.`,
  )
  const all: Round[][][] = []
  for (const load of loads) {
    const times = await race(sides, load)
    all.push(times)
    report.say(
      `## ${load.path}: ${load.streams} streams, a delta every ${load.pace} ms in each\n\n${resultTable(
        sides.map(({ name }) => name),
        times,
      )}\n\n${verdict(times, load.deltas)}`,
    )
  }
  report.say(`## All of them\n\n${summary(loads, all)}\n\n${published}`)
  if (!options.quick && options.command === undefined) report.keep()
}

async function compare(commit: string): Promise<void> {
  const processes = Number(options.processes ?? (options.quick ? 1 : 4))
  const args = options.quick ? ['--quick'] : []
  const report = await comparedReport(commit, { program: 'gateway-round.ts', rounds, processes, args })
  console.log(`# What the gateway adds to a request, beside ${commit}\n\n${report}`)
}

async function startSides(): Promise<Side[]> {
  const here = (name: string): string => join(import.meta.dirname, 'gateway', name)
  const start = async (name: string, ...command: string[]): Promise<Child> => {
    const upstream = children[0]?.url
    const child = await startChild({
      command,
      folder: join(folder, name),
      ...(upstream !== undefined && { environment: { MINUTEBOOK_UPSTREAMS: upstream } }),
    })
    children.push(child)
    return child
  }
  const node = [process.execPath, '--no-warnings']
  const upstream = await start('upstream', ...node, here('upstream-process.ts'))
  const tap = await start('tap', ...node, here('tap-process.ts'))
  const recorder = await start('tap-append', ...node, here('tap-process.ts'), '--append')
  const gateway = await start('gateway', ...(options.command?.split(' ') ?? [...node, gatewayProgram]))
  const side = (name: string, child: Child): Side => ({ name, url: child.url, pid: child.process.pid })
  return [
    side('bare upstream', upstream),
    side('bare tap', tap),
    side('bare tap and one bare append', recorder),
    side('gateway', gateway),
  ]
}

/** By side and round. The first round warms up and does not count; the order changes from round to round. */
async function race(sides: readonly Side[], load: Load): Promise<Round[][]> {
  const progress = showProgress((rounds + 1) * sides.length)
  const crowds = sides.map(({ url, name }) => crowd(url, `${name} ${load.path} ${load.streams}`, load))
  const times: Round[][] = sides.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (let place = 0; place < sides.length; place++) {
      const which = (place + round) % sides.length
      const before = processorTimeOf(sides[which]!.pid)
      const streams = await crowds[which]!.turn()
      const result = roundOf(streams, processorTimeOf(sides[which]!.pid) - before)
      if (streams.some(({ lags }) => lags.length !== load.deltas))
        throw new Error(`${sides[which]!.name} lost a delta.`)
      if (round > 0) times[which]!.push(result)
      progress.step(`${load.streams} streams`)
    }
  }
  progress.done()
  return times
}
