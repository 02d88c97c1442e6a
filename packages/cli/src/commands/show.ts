import type { Command } from 'commander'
import type { Archive, ShownThread } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { withThread } from '../find-thread.ts'
import type { Terminal } from '../terminal.ts'
import { shownThread } from '../views/shown-thread.ts'
import { reading, readingCommand, show, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly head?: string
  readonly full?: boolean
}

export function showCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('show', 'Show what was said in a thread')
    .argument('[thread]', 'its id, or the beginning of it; the newest unless told')
    .option('--head <id>', 'the branch that ends with this entry')
    .option('--full', 'tool calls and results whole')
    .action((thread: string | undefined, options: Options) =>
      reading(terminal, options, ended, async ({ desk }) => {
        const shown = await withThread(desk, thread, (id) => branchOf(desk, id, options.head))
        show(terminal, options, shown, () => shownThread(shown, terminal, options))
      }),
    )
}

/** The branch whose head begins so. */
async function branchOf(desk: Archive, thread: string, head: string | undefined): Promise<ShownThread> {
  if (head === undefined || head.length >= 64) return desk.show(thread, { head })
  const newest = await desk.show(thread)
  const meant = newest.branches.filter((id) => id.startsWith(head))
  if (meant.length !== 1)
    throw new MinutebookError(
      'unknown_entry',
      `No branch of this thread ends with ${head}.`,
      `Its branches end with ${newest.branches.map((id) => id.slice(0, 12)).join(', ')}.`,
    )
  return desk.show(thread, { head: meant[0] })
}
