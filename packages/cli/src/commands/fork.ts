import type { Command } from 'commander'
import { printableLine } from '@minutebook/server'
import { counted } from '../figures.ts'
import { withEntry } from '../find-entry.ts'
import { withThread } from '../find-thread.ts'
import type { Terminal } from '../terminal.ts'
import { reading, readingCommand, show, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly as: string
  readonly at?: string
}

export function forkCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('fork', 'Begin a new thread with what was said in another')
    .argument('[thread]', 'its id, or the beginning of it; the newest unless told')
    .requiredOption('--as <id>', 'the id of the new thread')
    .option('--at <entry>', 'up to this entry; the newest unless told')
    .action((thread: string | undefined, { as, at, ...options }: Options) =>
      reading(terminal, options, ended, async ({ desk }) => {
        const forked = await withThread(desk, thread, async (id) =>
          desk.fork(id, { as, at: await withEntry(desk, id, at) }),
        )
        show(terminal, options, forked, () => [
          `${terminal.paint.green('✓')} ${terminal.paint.bold(printableLine(forked.thread))} has ${counted(forked.entries, 'entry', 'entries')}`,
        ])
      }),
    )
}
