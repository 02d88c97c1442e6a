import { parseArgs } from 'node:util'
import { root } from '../tests/support/workshop.ts'
import { showProgress } from './progress.ts'
import { compareWith, playRounds, stepsOf } from './rounds/compare.ts'
import { comparedTurns, turnTables } from './rounds/turn-report.ts'

const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string' },
    processes: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
})

const size = {
  rounds: Number(options.rounds ?? (options.quick ? 2 : 4)),
  processes: Number(options.processes ?? (options.quick ? 1 : 3)),
}
const plan = {
  ...size,
  program: 'turn-round.ts',
  args: options.quick ? ['--sizes', '10,100', '--turns', '4'] : [],
  progress: showProgress(stepsOf(size, options.against === undefined ? 1 : 3)),
}

console.log(
  `# What a turn of thread.send costs\n\nA model that answers at once; medians of ${size.rounds} rounds in each of ${size.processes} processes.`,
)
if (options.against === undefined) {
  const [rounds = []] = await playRounds([root], plan)
  console.log(`\n${turnTables(rounds)}`)
} else {
  console.log(`\n${comparedTurns(await compareWith(options.against, plan), options.against)}`)
}
