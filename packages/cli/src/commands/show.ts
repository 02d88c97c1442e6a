import type { Archive, ShownThread } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import { withThread } from '../thread/find.ts'
import { shownThread } from '../thread/thread.ts'
import { type DefineCommand, type RecordOptions, show, threadCommand, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly head?: string
  readonly full?: boolean
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  threadCommand(command)
    .option('--head <id>', 'show the branch that ends with this entry')
    .option('--full', 'show tool calls and results in full')
    .action((thread: string | undefined, options: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { archive } = connection
        const shown = await withThread(connection, thread, (id) => branchOf(archive, id, options.head))
        show(terminal, options, shown, () => shownThread(shown, terminal, options))
      }),
    )
}

/** The branch whose head begins with `head`. */
async function branchOf(archive: Archive, thread: string, head: string | undefined): Promise<ShownThread> {
  if (head === undefined || head.length >= 64) return archive.show(thread, { head })
  const newest = await archive.show(thread)
  const meant = newest.branches.filter((branch) => branch.head.startsWith(head))
  if (meant.length !== 1)
    throw new MinutebookError(
      'unknown_entry',
      `No branch of this thread ends with ${head}.`,
      `Its branches end with ${newest.branches.map((branch) => branch.head.slice(0, 12)).join(', ')}.`,
    )
  return archive.show(thread, { head: meant[0]?.head })
}
