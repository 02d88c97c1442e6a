import { printableLine, type PinChange } from '@minutebook/server'
import type { Terminal } from '../terminal/terminal.ts'
import { withEntry, withThread } from '../thread/find.ts'
import { type DefineCommand, recordCommand, type RecordOptions, show, withConnection } from './command.ts'

/** Of two commands: `pin`, and `unpin`, which ends what it began. */
export const define: DefineCommand = (command, terminal, setExitCode) => {
  const isPinned = command.name() === 'pin'
  recordCommand(command)
    .argument('<thread>', 'thread id, or the beginning of it')
    .argument('<entry>', 'the id of the message, or the beginning of it')
    .addHelpText('after', isPinned ? help : '')
    .action((thread: string, entry: string, options: RecordOptions) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const change = await withThread(connection, thread, async (id) => {
          const found = await withEntry(connection, id, entry)
          return connection.archive.pin(id, found ?? entry, isPinned)
        })
        show(terminal, options, change, () => [lineOf(change, terminal)])
      }),
    )
}

const help = `
Every later prompt has a pinned message: in its place, or quoted near the beginning.
Find the ids of messages with: minutebook search <words> or minutebook show <thread> --json
All pinned messages together may take about a quarter of a prompt; beyond that they are clipped.`

function lineOf({ thread, entry, pinned, changed }: PinChange, { paint }: Terminal): string {
  const what = `${paint.bold(printableLine(thread))}: ${printableLine(entry.slice(0, 12))}`
  const now = pinned ? 'pinned' : 'not pinned'
  return changed ? `${paint.green('✓')} ${what} is ${now} from the next model call on` : `${what} was ${now} already`
}
