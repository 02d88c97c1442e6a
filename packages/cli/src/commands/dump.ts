import type { Command } from 'commander'
import { withThread } from '../find-thread.ts'
import type { Terminal } from '../terminal.ts'
import { dumpLines } from '../views/dump.ts'
import { callCommand, choiceOf, type CallOptions } from './call-options.ts'
import { reading, show, type Ended } from './reading.ts'

export function dumpCommand(terminal: Terminal, ended: Ended): Command {
  return callCommand('dump', 'Show exactly what the model saw').action(
    (thread: string | undefined, options: CallOptions) =>
      reading(terminal, options, ended, async ({ desk }) => {
        const dump = await withThread(desk, thread, (id) => desk.dump(id, choiceOf(options)))
        show(terminal, options, dump, () => dumpLines(dump, terminal))
        return dump.same ? 0 : 1
      }),
  )
}
