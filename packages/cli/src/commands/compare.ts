import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'
import { comparisonLines } from '../views/comparison.ts'
import { reading, readingCommand, show, type Ended, type ReadingOptions } from './reading.ts'

export function compareCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('compare', 'Compare two runs of experiments, round by round')
    .argument('<left>', 'a run')
    .argument('<right>', 'another one')
    .action((left: string, right: string, options: ReadingOptions) =>
      reading(terminal, options, ended, async ({ runs }) => {
        const comparison = await runs.compare(left, right)
        show(terminal, options, comparison, () => comparisonLines(comparison, terminal))
      }),
    )
}
