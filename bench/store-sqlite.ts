import { createHash, hash } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Entry } from 'minutebook'
import { entryOf, payloadOf, searchText, searchWords, storedFrom } from 'minutebook/store'
import { sqliteStore } from '@minutebook/sqlite'
import { openBare, type BareEntry } from './bare-sqlite.ts'
import { openReport } from './evidence/report.ts'
import { table } from './markdown.ts'
import { median } from './median.ts'
import { showProgress } from './progress.ts'
import { bareOf, makeTurns, type BenchTurn } from './turn-log.ts'

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, folder: { type: 'string' } },
})

const rounds = options.quick ? 5 : 40
const turnsARound = options.quick ? 20 : 100
const tailLength = 20
const target = 0.7

const titles = {
  turn: `A turn: read the last ${tailLength}, append the question; append the answer and its receipt (two transactions)`,
  append: 'An append of one entry (one transaction)',
} as const

/** One way to keep a conversation: what it takes for one turn, and for one entry. */
interface Side {
  readonly name: string
  turn(index: number): Promise<void>
  append(index: number): Promise<void>
  close(): void
  readonly file: string
}

const folder = mkdtempSync(join(options.folder ?? tmpdir(), 'minutebook-bench-'))
try {
  await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const turns = makeTurns((rounds + 1) * turnsARound)
  const report = openReport('store-sqlite', 'npm run bench:store')
  report.say(
    `# What keeping costs\n\n${rounds} rounds of ${turnsARound} turns, all sides playing each turn before the next; the median of the rounds.`,
  )
  for (const what of ['turn', 'append'] as const) {
    const sides = [ours(turns, what), bare(turns, what, 64), bare(turns, what, 1), bare(turns, what, Infinity)]
    const times = await race(sides, what)
    report.say(`## ${titles[what]}\n\n${rateTable(sides, times, what)}`)
    for (const side of sides) side.close()
  }
  report.say(`## Where our own time goes, an entry\n\n${costTable(turns)}`)
  if (!options.quick) report.keep()
}

function ours(turns: readonly BenchTurn[], what: string): Side {
  const file = join(folder, `ours-${what}.db`)
  const store = sqliteStore(file)
  const entries = turns.flatMap(({ question, answer }) => [question, answer])
  return {
    name: 'sqliteStore',
    file,
    turn: async (index) => {
      const { question, answer, receipt } = turns[index]!
      await store.read('bench', { last: tailLength })
      await store.append('bench', [question], { head: question.parent })
      await store.append('bench', [answer, receipt], { head: question.id })
    },
    append: async (index) => void (await store.append('bench', [entries[index]!], { head: entries[index]!.parent })),
    close: () => store.close(),
  }
}

function bare(turns: readonly BenchTurn[], what: string, indexEvery: number): Side {
  const file = join(folder, `bare-${what}-${indexEvery}.db`)
  const database = openBare(file, { indexEvery })
  const ready = turns.map(
    ({ question, answer, receipt }) =>
      [[bareOf(question)], [bareOf(answer), bareOf(receipt)]] as [BareEntry[], BareEntry[]],
  )
  const entries = ready.flatMap(([question, [answer]]) => [...question, answer!])
  return {
    name: `bare node:sqlite, ${indexEvery === Infinity ? 'no search index' : indexEvery === 1 ? 'search index with each entry' : `search index every ${indexEvery} entries, as ours`}`,
    file,
    turn: async (index) => {
      const [question, answer] = ready[index]!
      database.tail(tailLength)
      database.append(question)
      database.append(answer)
    },
    append: async (index) => database.append([entries[index]!]),
    close: () => database.close(),
  }
}

/** Microseconds a turn or append, by side and round. The first round warms up and does not count. */
async function race(sides: readonly Side[], what: 'turn' | 'append'): Promise<number[][]> {
  const progress = showProgress(rounds + 1)
  const times: number[][] = sides.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    const spent = sides.map(() => 0)
    // All sides play the same turn before the next one, so that the machine's noise falls on all alike.
    for (let index = round * turnsARound; index < (round + 1) * turnsARound; index++) {
      for (let place = 0; place < sides.length; place++) {
        const which = (place + index) % sides.length
        const began = performance.now()
        await sides[which]![what](index)
        spent[which]! += performance.now() - began
      }
    }
    if (round > 0)
      for (const [side, milliseconds] of spent.entries()) times[side]!.push((milliseconds * 1000) / turnsARound)
    progress.step(what)
  }
  progress.done()
  return times
}

function rateTable(sides: readonly Side[], times: readonly (readonly number[])[], what: string): string {
  const rows = sides.map(({ name, file }, side) => {
    const ratios = times[0]!.map((own, round) => times[side]![round]! / own)
    return [
      name,
      `${Math.round(1e6 / median(times[side]!))}`,
      `${Math.round(median(times[side]!))} µs`,
      side === 0 ? '' : median(ratios).toFixed(2),
      side === 0 ? '' : verdict(median(ratios)),
      `${Math.round(statSync(file).size / 1024)} KiB`,
    ]
  })
  return table(['side', `${what}s a second`, 'each', 'our rate to its', `≥ ${target}`, 'file'], rows)
}

function verdict(ratio: number): string {
  return ratio >= target ? 'yes' : 'no'
}

function costTable(turns: readonly BenchTurn[]): string {
  const entries = turns.flatMap(({ question, answer, receipt }) => [question, answer, receipt]).slice(0, 3000)
  const payloads = entries.map(payloadOf)
  const parts: readonly (readonly [string, (entry: Entry, index: number) => unknown])[] = [
    ['id (by who makes the entry, not by the store)', (entry) => entryOf(entry.raw, undefined, { kind: entry.kind })],
    ['payload: JSON of the entry', (entry) => payloadOf(entry)],
    ['checksum: SHA-256 of the payload', (_, index) => hash('sha256', payloads[index]!)],
    ['the same with a hash object', (_, index) => createHash('sha256').update(payloads[index]!).digest('hex')],
    [
      'the answer: the entry read back from its payload',
      (_, seq) => storedFrom({ payload: payloads[seq]!, seq, checksum: '' }),
    ],
    ['words for the search index', (entry) => searchWords(searchText(entry)).join(' ')],
  ]
  const rows = parts.map(([name, work]) => [name, `${timed(entries, work).toFixed(1)} µs`])
  return table(['work', 'each'], rows)
}

function timed(entries: readonly Entry[], work: (entry: Entry, index: number) => unknown): number {
  const measured = Array.from({ length: options.quick ? 3 : 15 }, () => {
    const began = performance.now()
    for (const [index, entry] of entries.entries()) work(entry, index)
    return ((performance.now() - began) * 1000) / entries.length
  })
  return median(measured)
}
