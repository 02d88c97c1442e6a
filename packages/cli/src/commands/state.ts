import { withEntry, withThread } from '../thread/find.ts'
import { safeJson } from '../terminal/failure.ts'
import { type DefineCommand, readingCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly at?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  readingCommand(command)
    .argument('<name>', 'name of the state in the settings')
    .argument('[thread]', 'thread id, or the beginning of it (default: the newest thread)')
    .option('--at <entry>', 'show the state when this entry was written')
    .action((name: string, thread: string | undefined, options: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { archive } = connection
        const state = await withThread(connection, thread, async (id) =>
          archive.state(id, name, { at: await withEntry(connection, id, options.at) }),
        )
        show(terminal, options, state, () => [safeJson(state.value, 2)])
      }),
    )
}
