import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gatewayProgram, startChild, type Child } from '../tests/support/process/child.ts'
import { openReport, type Report } from './evidence/report.ts'
import { clientAgent } from './gateway/measured-stream.ts'
import { table } from './markdown.ts'
import { quantile } from './median.ts'
import { startServer, type Server } from './postgres/server.ts'
import { processorTimeOf } from './processor-time.ts'
import { comparedReport } from './rounds/compared-times.ts'
import { checkRecord } from './team/check-record.ts'
import { measureCost, type CostLoad } from './team/cost.ts'
import { burst, crowd, hangUp, type Load, type Said, type Told } from './team/crowd.ts'
import { milli, spread } from './team/figures.ts'
import type { NativeTurn, TurnedAway } from './team/native-turn.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    turns: { type: 'string' },
    deltas: { type: 'string' },
    pace: { type: 'string' },
    rounds: { type: 'string' },
    processes: { type: 'string' },
    against: { type: 'string' },
    part: { type: 'string' },
    profiles: { type: 'string' },
  },
})

const usual: Load = options.quick
  ? { turns: 40, deltas: 30, pace: 50, seconds: 4 }
  : { turns: 200, deltas: 100, pace: 100, seconds: 600 }
const load: Load = {
  turns: Number(options.turns ?? usual.turns),
  deltas: Number(options.deltas ?? usual.deltas),
  pace: Number(options.pace ?? usual.pace),
  seconds: Number(options.seconds ?? usual.seconds),
}
const cost: CostLoad = options.quick
  ? { turns: 4, deltas: 20, pace: 10, hurried: 1, rounds: Number(options.rounds ?? 1) }
  : { turns: 16, deltas: 100, pace: 20, hurried: 6, rounds: Number(options.rounds ?? 7) }
const command = 'npm run bench:team'
const slots = Math.ceil(load.turns / 2) + 4
const queueLimit = 20

const folder = mkdtempSync(join(tmpdir(), 'minutebook-team-'))
const children: Child[] = []
try {
  if (options.against === undefined) process.exitCode = await main()
  else await compare(options.against)
} finally {
  clientAgent.destroy()
  hangUp()
  await stopChildren()
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<number> {
  const server = await startServer(undefined)
  if (options.part !== 'crowd') {
    const told = openReport('team-cost', command)
    told.say(
      `# What a native turn costs\n\n${cost.turns} turns at once, each of ${cost.deltas} deltas, one every ${cost.pace} ms and then without a pause; the median of ${cost.rounds} rounds, all sides in each.`,
    )
    told.say(await measureCost(server, cost, start, options.profiles))
    if (!options.quick) told.keep()
    await stopChildren()
  }
  const code = options.part === 'cost' ? 0 : await crowded(server)
  await server.cluster.stop()
  return code
}

async function crowded(server: Server): Promise<number> {
  const { url: database } = await server.database('team')
  const upstream = await start('upstream', [join(import.meta.dirname, 'gateway/upstream-process.ts')])
  const environment = {
    MINUTEBOOK_DATABASE: database,
    MINUTEBOOK_UPSTREAMS: upstream.url,
    MINUTEBOOK_SLOTS: String(slots),
    MINUTEBOOK_QUEUE_LIMIT: String(queueLimit),
    MINUTEBOOK_POOL_SIZE: '20',
  }
  const instances = [
    await start('one', [gatewayProgram], environment),
    await start('two', [gatewayProgram], environment),
  ]
  const urls = instances.map(({ url }) => url)
  const kept = openReport('team-crowd', command)
  kept.say(
    `# ${load.turns} native turns at once on 2 instances, for ${load.seconds} seconds\n\nAnswers of ${load.deltas} deltas, one every ${load.pace} ms. Clients, instances, Postgres (durable) and upstream are processes of one machine.`,
  )
  let told = 0
  const tell = setInterval(() => console.error(`${told} turns`), 10_000)
  const worked = (): number => instances.reduce((sum, { process: { pid } }) => sum + processorTimeOf(pid), 0)
  const before = worked()
  const heard = await crowd(urls, upstream.url, load, (done) => (told = done))
  clearInterval(tell)
  report(kept, heard, worked() - before)
  const pressed = await burst(urls, 2 * (slots + queueLimit) + load.turns, `paced:10:${load.pace}`)
  reportBurst(kept, pressed)
  const findings = [
    ...heard.broken,
    ...heard.said.filter(isBad).map(({ message }) => `${message}: no whole answer`),
    ...pressed.filter(isBad).map(({ message }) => `${message}: neither answered nor told when to come again`),
    ...(await checkRecord(database, [...heard.said, ...pressed])),
  ]
  kept.say(
    `Lost, doubled, broken off or different from the record: ${findings.length}${
      findings.length > 0
        ? `, such as\n${findings
            .slice(0, 10)
            .map((line) => `- ${line}`)
            .join('\n')}`
        : ''
    }`,
  )
  if (!options.quick) kept.keep()
  return findings.length === 0 ? 0 : 1
}

async function stopChildren(): Promise<void> {
  await Promise.all(children.splice(0).map((child) => child.stop()))
}

async function compare(commit: string): Promise<void> {
  const rounds = Number(options.rounds ?? (options.quick ? 2 : 6))
  const processes = Number(options.processes ?? (options.quick ? 1 : 4))
  const args = options.quick ? ['--quick'] : []
  const report = await comparedReport(commit, { program: 'team-round.ts', rounds, processes, args })
  console.log(`# What a team's server adds to a turn, beside ${commit}\n\n${report}`)
}

async function start(
  name: string,
  program: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const child = await startChild({
    command: [process.execPath, '--no-warnings', ...program],
    folder: join(folder, name),
    environment,
  })
  children.push(child)
  return child
}

function answered(said: readonly Said[]): NativeTurn[] {
  return said.map(({ outcome }) => outcome).filter((outcome) => outcome.kind === 'answered')
}

function brokenOff(said: readonly Said[]): number {
  return said.filter(({ outcome }) => outcome.kind === 'broken off').length
}

function isBad({ outcome }: Said): boolean {
  if (outcome.kind === 'broken off') return false
  return outcome.kind === 'answered'
    ? outcome.status !== 'complete'
    : !(outcome.status === 429 || outcome.status === 503) || !/^\d+$/.test(outcome.retryAfter ?? '')
}

function report(kept: Report, { said, bare }: Told, processor: number): void {
  const turns = answered(said)
  const native = {
    first: turns.map(({ first }) => first),
    lags: turns.flatMap(({ lags }) => lags),
    whole: turns.map(({ whole }) => whole),
  }
  const row = (name: string, field: keyof typeof native): string[] => {
    const [own, other] = [native[field], bare[field]]
    const added = (share: number): string => milli(quantile(own, share) - quantile(other, share))
    return [name, spread(other).p50, spread(other).p99, spread(own).p50, spread(own).p99, added(0.5), added(0.99)]
  }
  kept.say(
    table(
      ['in ms', 'bare p50', 'p99', 'native p50', 'p99', 'added p50', 'added p99'],
      [row('to the first delta', 'first'), row('lag of a delta', 'lags'), row('to the end', 'whole')],
    ),
  )
  kept.say(
    `${said.length} turns (${(said.length / load.seconds).toFixed(1)} a second), ${native.lags.length} deltas, ${brokenOff(said)} streams broken off, ${said.length - turns.length - brokenOff(said)} turned away, ${turns.reduce((sum, { resets }) => sum + resets, 0)} taken over; ${bare.first.length} streams of the bare upstream next to them\n\nThe instances worked ${milli(processor / said.length)} ms for each turn of ${load.deltas} deltas`,
  )
}

function reportBurst(kept: Report, said: readonly Said[]): void {
  const away = said
    .map(({ outcome }) => outcome)
    .filter((outcome): outcome is TurnedAway => outcome.kind === 'turned away')
  const { p50, p99, most } = spread(away.map(({ took }) => took))
  kept.say(
    `${said.length} turns in one moment, with ${slots} slots and a queue of ${queueLimit} on each instance: ${answered(said).length} answered, ${brokenOff(said)} streams broken off, ${away.length} told to come again (${[...new Set(away.map(({ status }) => status))].join(', ')}, all with retry-after), after ${p50} ms p50, ${p99} ms p99, ${most} ms at most`,
  )
}
