import { dumpLines, underived, underivedLines } from '../call/call.ts'
import { withThread } from '../thread/find.ts'
import { callCommand, type CallOptions, choiceOf, type DefineCommand, show, withConnection } from './command.ts'

export const define: DefineCommand = (command, terminal, setExitCode) => {
  callCommand(command).action((thread: string | undefined, call: string | undefined, options: CallOptions) =>
    withConnection(terminal, options, setExitCode, async (connection) => {
      const { archive } = connection
      const dump = await withThread(connection, thread, (id) =>
        archive.dump(id, choiceOf(call, options)).catch(underived),
      )
      if ('problem' in dump) {
        show(terminal, options, dump, () => underivedLines(dump, terminal))
        return 1
      }
      show(terminal, options, dump, () => dumpLines(dump, terminal))
      return dump.same ? 0 : 1
    }),
  )
}
