import type { Command } from 'commander'
import { withThread } from '../find-thread.ts'
import type { Terminal } from '../terminal.ts'
import { replayLines } from '../views/replay.ts'
import { countOf, reading, readingCommand, show, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly window?: number
  readonly reserve?: number
  readonly policy?: string
}

export function replayCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand(
    'replay',
    'Show what the prompts of a thread would have been under other settings; calls no model',
  )
    .argument('[thread]', 'its id, or the beginning of it; the newest unless told')
    .option('--window <tokens>', 'with this window', countOf('A window'))
    .option('--reserve <tokens>', 'with so much kept for the answer', countOf('A reserve'))
    .option('--policy <name>', 'under this policy')
    .action((thread: string | undefined, { window, reserve, policy, ...options }: Options) =>
      reading(terminal, options, ended, async ({ desk }) => {
        const calls = await withThread(desk, thread, (id) => desk.replay(id, { window, reserve, policy }))
        show(terminal, options, { calls }, () => replayLines(calls, terminal))
      }),
    )
}
