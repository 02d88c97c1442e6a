import { parseArgs } from 'node:util'
import { measureBoundedReading } from './bounded-reading.ts'
import { readConversations } from './conversation.ts'
import { openReport } from './evidence/report.ts'
import { messageAt } from './growing-log.ts'
import { table } from './markdown.ts'
import { median } from './median.ts'
import { showProgress } from './progress.ts'
import { findRecounts } from './recount.ts'
import { comparedReport, duration } from './rounds/compared-times.ts'
import { words } from './tokens.ts'
import type { Trimmer } from './trimmers.ts'
import { loadTrimmers, OutOfTime } from './trimmers.ts'
import type { TurnTimes } from './warm.ts'
import { budget, progressSteps, recalls, timeTurns, warmUp } from './warm.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    against: { type: 'string' },
    peers: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})

const sizes = options.quick ? [100, 10_000] : [100, 10_000, 1_000_000]
const turns = options.quick ? 100 : 400
/** How long another trimmer may take for one prompt before it is reported as slower than that. */
const patience = options.quick ? 2_000 : 60_000

if (options.against === undefined) await measureHere()
else await compare(options.against)

async function measureHere(): Promise<void> {
  const report = openReport('compile', 'npm run bench:compile')
  report.say(
    `# What a turn costs\n\nWindow ${budget.window}, reserve ${budget.reserve}, one token a word; processor time, median of ${turns} turns.`,
  )
  report.say(`## The next turn: advance by one user message and compile\n\n${warmTable()}`)
  report.say(`## Texts counted\n\n${recountTable()}`)
  report.say(`## What recall loses by reading a bounded number of postings\n\n${boundedTable()}`)
  report.say(`## Other trimmers: one prompt from the whole log\n\n${await trimmerTable()}`)
  if (!options.quick) report.keep()
}

/**
 * The next turn, on the sources of this checkout and of a commit. What else is measured here does not depend on the
 * machine, or is not ours.
 */
async function compare(commit: string): Promise<void> {
  const plan = { rounds: options.quick ? 2 : 6, processes: options.quick ? 1 : 3 }
  const args = options.quick ? ['--sizes', '100,1000', '--turns', '50'] : []
  const report = await comparedReport(commit, { ...plan, program: 'compile-round.ts', args })
  console.log(`# The next turn: advance by one user message and compile\n\n${report}`)
}

function warmTable(): string {
  const progress = showProgress(progressSteps(sizes) * recalls.length)
  const rows = recalls.map((recall) => {
    warmUp(recall, words)
    const timed = timeTurns(sizes, recall, words, turns, progress)
    return [
      `recall ${recall}`,
      ...timed.map((times) => duration(median(times.turns))),
      ratio(timed),
      ...timed.map((times) => duration(times.build)),
    ]
  })
  progress.done()
  const largest = sizes.at(-1) ?? 0
  return table(
    [
      'default',
      ...sizes.map(grouped),
      `${grouped(largest)} ÷ ${grouped(sizes[0] ?? 0)}`,
      ...sizes.map((size) => `advance, ${grouped(size)}`),
    ],
    rows,
  )
}

function recountTable(): string {
  const rows = recalls.flatMap((recall) =>
    (options.quick ? [100, 1_000] : [100, 10_000]).map((size) => {
      const { entries, compiles, countedTwice, calls, repeatedCalls } = findRecounts(size, recall)
      if (countedTwice > 0) process.exitCode = 1
      return [
        `recall ${recall}`,
        grouped(entries),
        grouped(compiles),
        grouped(countedTwice),
        grouped(calls),
        grouped(repeatedCalls),
      ]
    }),
  )
  return table(
    ['default', 'entries', 'compiles', 'entries counted twice', 'calls of the counter', 'with a text counted before'],
    rows,
  )
}

function boundedTable(): string {
  const conversations = options.data === undefined ? [] : readConversations(options.data)
  const measured = measureBoundedReading(options.quick ? 500 : 10_000, options.quick ? 20 : 200, conversations)
  const percent = (share: number): string => share.toFixed(1)
  return table(
    ['log', 'entries', 'questions', 'bounded', 'unbounded'],
    measured.map((each) => [
      each.dataset,
      grouped(each.entries),
      grouped(each.questions),
      percent(each.bounded),
      percent(each.unbounded),
    ]),
  )
}

async function trimmerTable(): Promise<string> {
  const trimmers = await loadTrimmers(options.peers)
  const rows: string[][] = []
  for (const trimmer of trimmers) {
    const cells: string[] = []
    let slow = false
    for (const size of sizes) {
      if (slow) {
        cells.push('not run')
        continue
      }
      process.stderr.write(`${trimmer.name}: ${grouped(size)} entries\n`)
      const milliseconds = await timeTrimmer(trimmer, size)
      // Even a linear trimmer takes a hundred times as long for a log a hundred times as long.
      slow = milliseconds * 100 > patience
      cells.push(milliseconds === Infinity ? `> ${duration(patience * 1000)}` : duration(milliseconds * 1000))
    }
    rows.push([trimmer.name, ...cells])
  }
  return table(['trimmer', ...sizes.map(grouped)], rows)
}

async function timeTrimmer(trimmer: Trimmer, size: number): Promise<number> {
  const log = Array.from({ length: size + (size % 2 === 0 ? 1 : 0) }, (_, index) => messageAt(index))
  const trim = trimmer.prepare(log)
  const times: number[] = []
  const until = performance.now() + patience
  try {
    while (times.length < 5 && (times.length === 0 || performance.now() + Math.max(...times) < until)) {
      const started = performance.now()
      await trim(budget.window - budget.reserve, started + patience)
      times.push(performance.now() - started)
    }
  } catch (thrown) {
    if (!(thrown instanceof OutOfTime)) throw thrown
    return Infinity
  }
  return median(times)
}

function ratio(timed: readonly TurnTimes[]): string {
  const largest = timed.at(-1)
  const smallest = timed[0]
  return largest === undefined || smallest === undefined
    ? '–'
    : `${(median(largest.turns) / median(smallest.turns)).toFixed(2)}×`
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}
