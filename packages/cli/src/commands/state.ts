import type { Command } from 'commander'
import { withEntry } from '../find-entry.ts'
import { withThread } from '../find-thread.ts'
import { safeJson } from '../safe-json.ts'
import type { Terminal } from '../terminal.ts'
import { reading, readingCommand, show, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly at?: string
}

export function stateCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('state', 'Show a state of a thread, as its tool results tell it')
    .argument('<name>', 'the state, as the settings name it')
    .argument('[thread]', 'its id, or the beginning of it; the newest unless told')
    .option('--at <entry>', 'as it was when this entry was written')
    .action((name: string, thread: string | undefined, options: Options) =>
      reading(terminal, options, ended, async ({ desk }) => {
        const state = await withThread(desk, thread, async (id) =>
          desk.state(id, name, { at: await withEntry(desk, id, options.at) }),
        )
        show(terminal, options, state, () => [safeJson(state.value, 2)])
      }),
    )
}
