import type { Command } from 'commander'
import { withThread } from '../find-thread.ts'
import type { Terminal } from '../terminal.ts'
import { callLines } from '../views/call.ts'
import { planLines } from '../views/plan.ts'
import { callCommand, choiceOf, type CallOptions } from './call-options.ts'
import { countOf, reading, show, type Ended } from './reading.ts'

interface Options extends CallOptions {
  readonly rows: number
}

export function explainCommand(terminal: Terminal, ended: Ended): Command {
  return callCommand('explain', 'Show why the model saw what it saw')
    .option('--rows <n>', 'older stretches are gathered from so many rows on', countOf('A number of rows'), 40)
    .action((thread: string | undefined, options: Options) =>
      reading(terminal, options, ended, async ({ desk }) => {
        const explanation = await withThread(desk, thread, (id) => desk.explain(id, choiceOf(options)))
        show(terminal, options, explanation, () => [
          ...callLines(explanation, terminal),
          '',
          ...planLines(explanation, terminal, options.rows),
        ])
      }),
    )
}
