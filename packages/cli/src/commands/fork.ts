import { printableLine } from '@minutebook/server'
import { withEntry, withThread } from '../thread/find.ts'
import { counted } from '../terminal/text.ts'
import { type DefineCommand, recordCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly as: string
  readonly at?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  recordCommand(command)
    .argument('[thread]', 'thread id, or the beginning of it (default: the newest thread)')
    .requiredOption('--as <id>', 'id of the new thread')
    .option('--at <entry>', 'copy up to this entry (default: the newest)')
    .action((thread: string | undefined, { as, at, ...options }: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { archive } = connection
        const forked = await withThread(connection, thread, async (id) =>
          archive.fork(id, { as, at: await withEntry(connection, id, at) }),
        )
        show(terminal, options, forked, () => [
          `${terminal.paint.green('✓')} ${terminal.paint.bold(printableLine(forked.thread))} has ${counted(forked.entries, 'entry', 'entries')}`,
        ])
      }),
    )
}
