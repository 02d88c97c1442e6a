// One experiment, fifty seeds, one table: a week at the lemonade stand, and what the vendor is worth at its end.
//
//   node examples/fifty-seeds/fifty-seeds.ts              with the rules of the lemonade stand in place of a model
//   node examples/fifty-seeds/fifty-seeds.ts --model      with the model that lemonade.yaml names, of Ollama
//   node examples/fifty-seeds/fifty-seeds.ts --seeds 10 --out runs.csv

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { csvLine } from '@minutebook/experiment/run'
import { scriptedVendor } from '../lemonade-stand/scripted.ts'
import { ollamaSeat, openStage, over, seatOf } from '../play.ts'

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '50' },
    days: { type: 'string', default: '7' },
    out: { type: 'string', default: 'fifty-seeds.csv' },
    model: { type: 'boolean', default: false },
  },
})
const [seeds, days] = [Number(options.seeds), Number(options.days)]

const stage = await openStage(
  new URL('../lemonade-stand/lemonade.yaml', import.meta.url),
  options.model ? ollamaSeat : (seat) => seatOf(seat, scriptedVendor()),
  { limits: { rounds: days } },
)
const columns = ['netWorth', 'sold', 'fame', 'debt']
const lines = [csvLine(['seed', 'status', 'days', 'calls', ...columns])]
const worth: number[] = []
for (let seed = 1; seed <= seeds; seed++) {
  const board = await over(await stage.begin(`stand-${seed}`, { seed }))
  const values = columns.map((name) => board.environment[name] ?? null)
  lines.push(csvLine([seed, board.status, board.rounds.length, board.spending.calls, ...values]))
  worth.push(Number(board.environment['netWorth']))
}
await stage.close()
writeFileSync(options.out, `${lines.join('\n')}\n`)

const sorted = worth.toSorted((a, b) => a - b)
const mean = worth.reduce((sum, each) => sum + each, 0) / seeds
const deviation = Math.sqrt(worth.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (seeds - 1))
console.log(`${options.out}: ${seeds} runs of ${days} days`)
console.table({
  'net worth in dollars': {
    mean: round(mean),
    'standard deviation': round(deviation),
    lowest: round(sorted[0]!),
    median: round((sorted[Math.floor((seeds - 1) / 2)]! + sorted[Math.ceil((seeds - 1) / 2)]!) / 2),
    highest: round(sorted.at(-1)!),
  },
})
// The mean of so many seeds is about this sure: 1.96 standard errors, which is close enough for 30 runs or more.
const error = (1.96 * deviation) / Math.sqrt(seeds)
console.log(`95 % interval of the mean: ${round(mean - error)} to ${round(mean + error)}`)

function round(value: number): number {
  return Math.round(value * 100) / 100
}
